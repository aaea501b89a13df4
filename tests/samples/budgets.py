"""How large the project may be at most (tests/test_house.py): what is large only shrinks.

Whoever makes a figure smaller lowers its budget; nobody raises one.
"""

MOST_LINES = {
    "dpwizard": 300,
    "dpwizard/base": 2_350,
    "dpwizard/charts": 6_350,
    "dpwizard/cli": 1_200,
    "dpwizard/decision": 10_200,
    "dpwizard/elicitation": 3_100,
    "dpwizard/examination": 1_950,
    "dpwizard/precedents": 250,
    "dpwizard/privacy": 18_100,
    "dpwizard/projects": 600,
    "dpwizard/records": 3_250,
    "dpwizard/report": 3_850,
    "dpwizard/sheets": 800,
    "dpwizard/signing": 4_800,
    "dpwizard/wording": 1_750,
    "tests": 1_150,
    "tests/end_to_end": 4_950,
    "tests/model": 32_350,
    "tests/oracles": 10_450,
    "tests/samples": 3_350,
    "tests/soak": 2_650,
    "tests/ui": 13_400,
    "ui": 250,
    "ui/app": 3_450,
    "ui/controls": 950,
    "ui/elicitation": 2_600,
    "ui/forms": 4_550,
    "ui/help": 750,
    "ui/pages": 2_550,
    "ui/panels": 1_650,
    "ui/plots": 1_700,
    "ui/sheets": 1_500,
    "ui/signing": 5_150,
    "ui/widgets": 950,
    "ui/workers": 650,
}
SHORT_FILE, MOST_SHORT_FILES_OF_THE_WINDOW = 60, 27
COMPLEX, MOST_COMPLEX_FUNCTIONS = 20, 56
MOST_IMPORTS_IN_FUNCTIONS = {"dpwizard": 239, "ui": 129}

# these hold packages, and no face but theirs
