"""What is examined may come from anybody: hostile files end in words, and the table of faults found is true.

The faults are two hundred, as people make them, put into claims that agree; docs/methods/second_opinion.md has the
table, and the same dice make it here.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from contextlib import suppress

import pytest

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.resource_files import FOLDER
from dpwizard.examination import ClaimVerdict, examine, examine_claim, read_claim
from dpwizard.examination.plain_yaml import DEEPEST, LARGEST
from tests.samples.claims import PUBLISHED, RIGHT, right
from tests.samples.faults import FAULTS

ENTRY = """
url_slug: two-tables
status: Draft
tier: 3
deployment:
  basic: {{name: Two tables}}
  dp_variant:
    variant_name: {variant}
    unprotected_quantities: |
      - Counts below \\\\(\\tau=90\\\\) are removed.
  privacy_loss:
    privacy_unit: {unit}
    privacy_parameters:
      rho: {rho}
    privacy_parameters_details: |
      - All is \\\\(\\rho\\\\) = {rho}, which divides in two:
        - Persons: \\\\(\\rho\\\\) = 4.96 was used (\\\\(\\epsilon\\\\)={epsilon} and \\\\(\\delta = 10^{{-10}}\\\\)).
        - Units: \\\\(\\rho\\\\) = 7.70 was used.
  accounting:
    post_processing: 'A count below \\\\(\\tau = {tau}\\\\) is removed.'
    composition: |
      - Searches (Total \\\\(\\epsilon\\\\) = {searches}):
        - Country: \\\\(\\epsilon_0\\\\) = 0.0023
        - Region: \\\\(\\epsilon_1\\\\) = 0.0047
        - County: \\\\(\\epsilon_2'\\\\) = 0.014
      - Symptoms: 4 * 0.44 = 1.76, where \\\\(\\epsilon\\\\) = 0.11 * 2 + 0.22
"""
SOUND = {
    "variant": "Zero-concentrated DP",
    "unit": "Person-level",
    "rho": "12.66",
    "epsilon": "26.34",
    "tau": "90",
    "searches": "0.021",
}


def entry(**changes: str) -> list[ClaimVerdict]:
    found = examine(ENTRY.format_map(SOUND | changes).encode())
    assert found.kind == "registry"
    assert found.title == "Two tables"
    return list(found.findings)


def differing(findings: list[ClaimVerdict]) -> set[tuple[str, str]]:
    return {(one.statement, one.where.rpartition(".")[2]) for one in findings if one.verdict == "differs"}


def test_an_entry_whose_texts_agree_with_its_parameters_raises_no_alarm() -> None:
    found = entry()
    assert differing(found) == set()
    assert {"sum", "conversion", "repeated", "variant", "means"} <= {one.statement for one in found}


@pytest.mark.parametrize(
    ("changes", "statement"),
    [
        ({"rho": "15.29"}, ("sum", "privacy_loss")),
        ({"epsilon": "25.00"}, ("conversion", "privacy_parameters_details")),
        ({"tau": "100"}, ("repeated", "privacy_loss")),
        ({"searches": "0.042"}, ("sum", "composition")),
        ({"variant": "Pure DP"}, ("variant", "privacy_loss")),
    ],
)
def test_what_an_entry_contradicts_in_itself_is_found_where_it_stands(
    changes: dict[str, str], statement: tuple[str, str]
) -> None:
    assert statement in differing(entry(**changes))


def test_a_unit_of_one_day_leaves_open_what_a_person_loses() -> None:
    person = next(one for one in entry(unit="User-day-level") if one.statement == "person")
    assert (person.verdict, person.missing) == ("not_determined", ("slices",))


def test_a_delta_written_as_a_formula_is_not_taken_for_a_number() -> None:
    found = examine(
        b"deployment: {basic: {name: x}, dp_variant: {variant_name: Approximate DP}, "
        b"privacy_loss: {privacy_parameters: {epsilon: 1.0, delta: 'n^{-epsilon ln(n)}'}}}"
    ).findings
    assert next(one for one in found if one.statement == "variant").missing == ("delta",)


# ------------------------------------------------------------------------------------------------- hostile files

BOMB = "a: &a [x, x]\n" + "".join(f"b{n}: &b{n} [*a, *a, *a]\n" for n in range(9))


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOMB, "anchor or an alias in line 1"),
        ("epsilon: !!python/object/apply:os.system ['true']\n", "contains a tag in line 1"),
        ("[" * (DEEPEST + 5), "nested more than 30 deep"),
        ("epsilon: 1\nepsilon: 2\n", 'the key "epsilon" is given twice'),
        ("epsilon: 1\n---\nepsilon: 2\n", "more than a claim"),
        ("? [a, b]\n: 1\n", "a name that is not text in line 1"),
        ("epsilon: [1\n", "is not YAML: line"),
        ("", "must be an object"),
        ("epsilon: -1\n", r"\$\.epsilon: must be a number of at least 0"),
        ("epsilon: 1e99999\n", r"\$\.epsilon"),
        ("rho: 1/0\n", r"\$\.rho"),
        ("parts: [{rho: x}]\n", r"\$\.parts\[0\]\.rho: must be a number"),
        ("budget: 1\n", r"\$\.budget: is not a field here"),
        ("slices: 0\n", r"\$\.slices"),
        ("format: dpwizard.claim/9\n", r"\$\.format"),
        ("deployment: {privacy_loss: {privacy_parameters: {eps: 1}}}\n", "must be one of epsilon, delta, rho"),
        ("deployment: {privacy_loss: [1]}\n", r"\$\.deployment\.privacy_loss: must be an object"),
    ],
)
def test_a_hostile_or_mistaken_file_is_refused_in_words_that_name_the_place(text: str, why: str) -> None:
    with pytest.raises(InvalidInput, match=why):
        examine(text.encode())


def test_a_file_too_large_is_refused_before_it_is_read() -> None:
    with pytest.raises(InvalidInput, match="at most 262144 are read"):
        examine(b"a" * (LARGEST + 1))
    with pytest.raises(InvalidInput, match="UTF-8"):
        examine(b"epsilon: \xff\n")


@pytest.mark.slow
def test_what_fills_the_largest_file_is_refused() -> None:
    for text in ("{" * 100_000, "a: " * 80_000, "x\n" * 120_000):
        with pytest.raises(InvalidInput):
            examine(text.encode()[:LARGEST])


@pytest.mark.soak
def test_damaged_files_end_in_findings_or_in_words() -> None:
    dice = random.Random(7)
    files = [path.read_bytes() for path in sorted(PUBLISHED.glob("*.yaml"))] + [ENTRY.format_map(SOUND).encode()]
    for _ in range(150):
        data = bytearray(dice.choice(files))
        for _ in range(dice.randint(1, 6)):
            data[dice.randrange(len(data))] = dice.choice(b"0159.e/-:[]{}&*!#\"'\n \xff")
        with suppress(DPWizardError):  # nothing else leaves it
            examine(bytes(data))


FIRST, COUNT, ENOUGH = 20_261_123, 200, 190

TABLE = FOLDER.parent / "docs" / "methods" / "second_opinion.md"


def judged() -> tuple[Counter[str], Counter[str]]:
    """Return how often each fault was made, and how often it was found."""
    made: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for at in range(COUNT):
        dice = random.Random(FIRST + at)
        kind = list(FAULTS)[at % len(FAULTS)]
        names = list(RIGHT)
        dice.shuffle(names)
        claim = next(one for name in names if FAULTS[kind](one := right(name), dice))
        made[kind] += 1
        found[kind] += any(one.verdict == "differs" for one in examine_claim(read_claim(claim)))
    return made, found


@pytest.mark.parametrize("name", RIGHT)
def test_a_claim_that_is_right_raises_no_alarm(name: str) -> None:
    found = examine_claim(read_claim(right(name)))
    assert {one.verdict for one in found} <= {"agrees", "follows", "not_determined"}
    assert any(one.verdict == "agrees" for one in found)


@pytest.mark.slow
def test_of_200_faults_at_least_190_are_found_as_the_table_says() -> None:
    made, found = judged()
    assert made.total() == COUNT
    assert found.total() >= ENOUGH
    rows = dict(re.findall(r"^\| (.+?) \| (\d+ of \d+) \|$", TABLE.read_text("utf-8"), re.MULTILINE))
    assert {kind: f"{found[kind]} of {made[kind]}" for kind in FAULTS} == {kind: rows.get(kind) for kind in FAULTS}
    assert rows["all"] == f"{found.total()} of {COUNT}"


def test_a_fault_in_a_figure_that_no_other_rests_on_cannot_be_found() -> None:
    for epsilon in ("0.5", "5"):
        assert examine(f"epsilon: {epsilon}\n".encode()).ok
