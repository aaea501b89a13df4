"""A drafted justification claims no more than its assessment, and is known as a draft until it is touched."""

from __future__ import annotations

import pytest

from dpwizard.decision import Decision, assess, written
from dpwizard.decision.edits import put
from dpwizard.projects.project import open_project
from dpwizard.report import document as report
from dpwizard.wording import justification
from tests.samples.decisions import recorded
from tests.ui.fixtures import EXAMPLES

KEPT = "every requirement"  # what a draft may say of a budget inside its window only
NAMES = ("durham", "dandekar_health_centre", "pankova_laud_cafeteria", "gaussian_clinic", "mobility_reports")


def with_draft(decision: Decision, language: str | None = None) -> Decision:
    return put(decision, "$.justification", justification.draft(decision, assess(decision), language))


@pytest.fixture(scope="module")
def durham() -> Decision:
    return open_project(EXAMPLES / "durham.json")


@pytest.mark.parametrize("name", NAMES)
def test_a_draft_is_known_as_one_in_either_language_until_a_letter_is_touched(name: str) -> None:
    decision = open_project(EXAMPLES / f"{name}.json")
    found = assess(decision)
    for language in ("en", "de"):
        drafted = with_draft(decision, language)
        assert justification.is_draft(drafted, found)
        assert justification.outdated(drafted, found) == ()
        assert justification.is_only_drafted(drafted.justification or "")
        touched = put(drafted, "$.justification", f"{drafted.justification} We looked at it.")
        assert not justification.is_draft(touched, found)


def test_a_draft_says_what_binds_either_end_and_where_the_choice_lies(durham: Decision) -> None:
    said = justification.draft(durham, assess(durham))
    assert "We chose epsilon about 2.19723." in said
    assert "by “Neighbour who knows the family”, the lower limit by “Healthy People target”" in said
    assert KEPT in said
    assert "Wir haben Epsilon etwa 2,19723 gewählt." in justification.draft(durham, assess(durham), "de")


def test_a_choice_outside_the_window_is_never_said_to_keep_everything(durham: Decision) -> None:
    for epsilon, missed in ((2.0, "“Healthy People target”"), (2.3, "“Neighbour who knows the family”")):
        outside = put(durham, "$.epsilon", epsilon)
        said = justification.draft(outside, assess(outside))
        assert KEPT not in said
        (line,) = (line for line in said.splitlines() if line.startswith("It is an exception: it does not meet"))
        assert missed in line


def test_what_is_open_or_has_no_bound_is_said_to_be_so(durham: Decision) -> None:
    unasked = put(durham, "$.requirements", ())
    said = justification.draft(unasked, assess(unasked))
    assert "No privacy requirement sets an upper limit." in said
    assert KEPT not in said
    unanswered = put(durham, "$.requirements[0].profile", None)
    said = justification.draft(unanswered, assess(unanswered))
    assert "Some requirements are unanswered" in said
    without = put(durham, "$.release.mechanism", "exact")
    said = justification.draft(without, assess(without))
    assert KEPT not in said
    assert justification.draft(put(durham, "$.epsilon", None), assess(put(durham, "$.epsilon", None))) == ""


def test_a_drafted_line_that_no_longer_fits_is_found_and_an_officers_own_is_left_alone(durham: Decision) -> None:
    own = "The board has looked at both, and the county needs the figure."
    drafted = with_draft(durham)
    mixed = put(drafted, "$.justification", f"{drafted.justification}\n{own}")
    assert justification.outdated(mixed, assess(mixed)) == ()
    changed = put(mixed, "$.epsilon", 2.0)
    gone = justification.outdated(changed, assess(changed))
    assert "We chose epsilon about 2.19723." in gone
    assert any(KEPT in line for line in gone)
    assert own not in gone
    assert not justification.is_only_drafted(mixed.justification or "")


def test_no_end_of_the_window_is_shown_on_the_wrong_side_of_the_choice() -> None:
    decision = open_project(EXAMPLES / "household_tables.json")
    found = assess(decision)
    said = justification.draft(decision, found)
    (line,) = (line for line in said.splitlines() if line.startswith("The lower limit is set by"))
    assert float(line.rsplit(" ", 1)[1].rstrip(".")) <= (found.epsilon or 0.0)


def test_a_record_says_of_a_draft_that_nobody_added_a_word_to() -> None:
    decision = open_project(EXAMPLES / "durham.json")
    drafted = justification.draft(decision, assess(decision))
    said = "the signers added none of their own"
    for text, expected in ((drafted, True), (f"{drafted}\nThe board agreed.", False), (decision.justification, False)):
        made = recorded(written(put(decision, "$.justification", text)))
        assert (said in " ".join(report.text(report.blocks(made)).split())) is expected
