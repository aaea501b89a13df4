"""How large the project may be at most (tests/test_house.py): what is large only shrinks.

Whoever makes a figure smaller lowers its budget; nobody raises one, unless a decision note says why
(docs/decisions/0031-editions-policy-and-required-signatures.md, 0042-judging-promises.md,
0052-questions-in-the-page.md, 0085-drafts-and-what-rests.md, 0098-plain-questions.md, 0099-release-script.md,
0101-needs-after-adding-up.md, 0102-the-script-adds-up.md, 0103-look-above-the-safe-end.md, 0105-sums-that-cross.md,
0106-what-needs-cost.md, 0107-a-programme-in-the-window.md, 0109-functions-in-parts.md, 0110-made-up-table.md,
0111-names-of-the-field.md, 0113-where-the-lines-stand.md, 0114-step-seven-verifies.md and
0115-one-table-one-fold.md are the only ones).
"""

MOST_LINES = {
    "dpwizard": 264,
    "dpwizard/base": 2_328,
    "dpwizard/charts": 6_665,
    "dpwizard/cli": 1_220,
    "dpwizard/decision": 11_570,
    "dpwizard/elicitation": 3_025,
    "dpwizard/examination": 1_815,
    "dpwizard/precedents": 214,
    "dpwizard/privacy": 18_134,
    "dpwizard/projects": 560,
    "dpwizard/questions": 523,
    "dpwizard/records": 3_536,
    "dpwizard/report": 3_597,
    "dpwizard/sheets": 750,
    "dpwizard/signing": 4_973,
    "dpwizard/wording": 2_176,
    "tests": 1_303,
    "tests/end_to_end": 4_750,
    "tests/model": 27_074,
    "tests/oracles": 5_878,
    "tests/samples": 3_006,
    "tests/soak": 2_665,
    "tests/ui": 14_987,
    "ui": 485,
    "ui/app": 3_343,
    "ui/controls": 1_401,
    "ui/elicitation": 2_276,
    "ui/forms": 4_337,
    "ui/help": 709,
    "ui/pages": 2_893,
    "ui/panels": 1_487,
    "ui/plots": 1_165,
    "ui/questions": 3_829,
    "ui/sheets": 1_279,
    "ui/signing": 4_733,
    "ui/widgets": 1_305,
    "ui/workers": 667,
}
SHORT_FILE, MOST_SHORT_FILES_OF_THE_WINDOW = 60, 5
COMPLEX, MOST_COMPLEX_FUNCTIONS = 20, 12
MOST_IMPORTS_IN_FUNCTIONS = {"dpwizard": 240, "ui": 40}

# these hold packages, and no face but theirs
