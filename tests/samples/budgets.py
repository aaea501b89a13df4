"""How large the project may be at most (tests/test_house.py): what is large only shrinks.

Whoever makes a figure smaller lowers its budget; nobody raises one, unless a decision note says why
(docs/decisions/0042-judging-promises.md, 0052-questions-in-the-page.md, 0085-drafts-and-what-rests.md,
0098-plain-questions.md, 0099-release-script.md, 0101-needs-after-adding-up.md, 0102-the-script-adds-up.md,
0103-look-above-the-safe-end.md, 0105-sums-that-cross.md, 0106-what-needs-cost.md,
0107-a-programme-in-the-window.md, 0109-functions-in-parts.md and 0110-made-up-table.md are the only ones).
"""

MOST_LINES = {
    "dpwizard": 270,
    "dpwizard/base": 2_418,
    "dpwizard/charts": 6_849,
    "dpwizard/cli": 1_235,
    "dpwizard/decision": 12_231,
    "dpwizard/elicitation": 3_024,
    "dpwizard/examination": 1_854,
    "dpwizard/precedents": 225,
    "dpwizard/privacy": 18_463,
    "dpwizard/projects": 575,
    "dpwizard/questions": 507,
    "dpwizard/records": 3_693,
    "dpwizard/report": 3_672,
    "dpwizard/sheets": 769,
    "dpwizard/signing": 4_898,
    "dpwizard/wording": 2_235,
    "tests": 1_210,
    "tests/end_to_end": 5_398,
    "tests/model": 32_912,
    "tests/oracles": 6_002,
    "tests/samples": 3_205,
    "tests/soak": 2_704,
    "tests/ui": 14_965,
    "ui": 479,
    "ui/app": 3_600,
    "ui/controls": 1_079,
    "ui/elicitation": 2_505,
    "ui/forms": 4_611,
    "ui/help": 724,
    "ui/pages": 3_013,
    "ui/panels": 1_581,
    "ui/plots": 1_210,
    "ui/questions": 4_055,
    "ui/sheets": 1_519,
    "ui/signing": 4_809,
    "ui/widgets": 1_124,
    "ui/workers": 674,
}
SHORT_FILE, MOST_SHORT_FILES_OF_THE_WINDOW = 60, 8
COMPLEX, MOST_COMPLEX_FUNCTIONS = 20, 12
MOST_IMPORTS_IN_FUNCTIONS = {"dpwizard": 240, "ui": 127}

# these hold packages, and no face but theirs
