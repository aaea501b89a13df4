"""The privacy loss of one person over all of their privacy units, beside that of one unit, in a sentence.

If a unit is less than a person, the figures of a requirement are those of one unit, not of a person. Its sentence says
so, and one that would count people says nothing else.
"""

from __future__ import annotations

from typing import Any

from dpwizard.base.language import counting, word
from dpwizard.decision import PARTS_OF_PERSON, Assessment, BaseRequirement, Decision, Release, RequirementResult
from dpwizard.wording import assessments
from dpwizard.wording.figures import whole
from dpwizard.wording.texts import format_text

OF_PEOPLE = frozenset({"participation", "two_worlds", "compensation"})  # kinds whose sentence names or counts people
MOST_BROKEN = 4  # requirements that are not kept, said one by one on a page


def is_part_of_a_person(release: Release) -> bool:
    """Return whether a unit of RELEASE is said to be less than all of one person's data."""
    return release.slice not in (None, "none") or release.unit_kind in PARTS_OF_PERSON


def units_of_a_person(release: Release) -> int | None:
    """Return how many units of RELEASE one person is at most; None where a unit is less than a person, and unsaid."""
    return release.units_of_a_person or (None if is_part_of_a_person(release) else 1)


def is_whole(release: Release) -> bool:
    """Return whether a unit of RELEASE is all that one person is, as far as it is said: figures of it are theirs."""
    return units_of_a_person(release) == 1


def at_epsilon(release: Release, answer: RequirementResult) -> str:
    """Return what the chosen budget gives one requirement on RELEASE, or an empty text where nothing can be said.

    Where a unit is less than a person, a privacy requirement's sentence says that it is of one unit; one that counts
    people is not said.
    """
    text = assessments.at_epsilon(answer)
    if not text or not _promises_somebody(answer):
        return text
    return _of_one_unit(release, text, answer.kind in OF_PEOPLE or "people" in answer.at_epsilon)


def violations(decision: Decision, assessment: Assessment, most: int | None = None) -> tuple[str, ...]:
    """Return a sentence for each enabled requirement that the chosen budget does not keep, with the unit it is of.

    Of more than MOST only the first ones, and how many more there are.
    """
    pairs = zip(decision.requirements, assessment.answers, strict=True)
    violated = [pair for pair in pairs if pair[1].enabled and pair[1].met is False and pair[1].epsilon is not None]
    rest = 0 if most is None else max(0, len(violated) - most)
    sentences = []
    with counting(assessment.counted_in):
        for requirement, answer in violated if rest <= 1 else violated[:most]:
            text = assessments.violation(requirement, answer, assessment.epsilon)
            of_person = _promises_somebody(answer)
            sentences.append(_of_one_unit(decision.release, text, False) if of_person else text)
    return (
        *sentences,
        *([] if rest <= 1 else [format_text("tables", "others_broken", {"count": whole(rest)})]),
    )


def _promises_somebody(answer: RequirementResult) -> bool:
    """Return whether ANSWER is that of a requirement that protects a person: not of a need, nor of a total budget."""
    return answer.side != "lower" and answer.kind != "budget"


def at_limit(
    release: Release, requirement: BaseRequirement, answer: RequirementResult
) -> tuple[str, tuple[float, float] | None]:
    """Return `assessments.at_limit` of a REQUIREMENT on RELEASE; chances only where a unit is all of a person."""
    text, chances = assessments.at_limit(requirement, answer)
    if not text or is_whole(release):
        return text, chances
    return _of_one_unit(release, text, getattr(requirement, "statement", None) == "tolerance"), None


def _of_one_unit(release: Release, text: str, names_people: bool) -> str:
    """Return what is TEXT on RELEASE with the unit it is of; without it where it NAMES_PEOPLE."""
    if is_whole(release):
        return text
    key = "of_unit_alone" if names_people else "of_unit"
    return format_text("person_loss", key, {"said": text, "unit": unit_words(release)})


def about_unit(release: Release) -> str:
    """Return that what is asked about RELEASE is asked of one unit; nothing where that is all of a person."""
    return _of_one_unit(release, "", False).strip()


def unit_words(release: Release) -> str:
    """Return what one unit is: "a day of a person"; of what is not said, the unit as the officer calls it."""
    kind = None if release.unit_kind in (None, "other") else release.unit_kind
    if release.slice not in (None, "none"):
        owner = word("unit_kind_of", kind or "person")
        return format_text("person_loss", "slice_of", {"slice": word("slice", str(release.slice)), "of": owner})
    return word("unit_kind", kind) if kind else release.unit or word("release", "unit")


def of_a_person(release: Release, assessment: Assessment | None = None) -> str:
    """Return what one person may lose over all units, or that it is not known where a unit is less than a person.

    Nothing where a unit is all that is known of a person, as far as it is said.
    """
    units = release.units_of_a_person
    figures: dict[str, Any] = {"unit": unit_words(release), "units": units}
    if not is_part_of_a_person(release) and (units or 1) == 1:
        return ""
    with counting(release.counted_in):
        if units is None:
            return format_text("person_loss", "unsaid", figures)
        accounting = None if assessment is None else assessment.accounting.per_person
        if accounting is None or (accounting.epsilon is None and accounting.rho is None):
            return format_text("person_loss", "units", figures)
        figures |= {"epsilon": accounting.epsilon, "rho": accounting.rho, "delta": accounting.delta}
        key = "in_rho" if accounting.epsilon is None else "in_epsilon" if accounting.delta is None else "with_delta"
        text = format_text("person_loss", key, figures)
        # the losses of units in different figures add up; an epsilon without delta is the same in one figure
        is_sum = release.has_separate_units and key != "in_epsilon"
        return format_text("person_loss", "separate", {"said": text}) if is_sum else text


def of_cap(release: Release) -> str:
    """Return what the cap on a unit's rows means for the sensitivity of a histogram; nothing without a cap."""
    table = next((table for table in release.tables if table.statistic == "histogram"), None)
    if release.cap is None or table is None:
        return ""
    sensitivity, _ = release.of_cap(table.noise.uses_l2)
    if sensitivity is None:
        return ""
    key = "cap_l2" if table.noise.uses_l2 else "cap_l1"
    if table.noise.uses_l2 and not release.distinct_cells:
        key = "cap_one_cell"
    return format_text("person_loss", key, {"cap": release.cap, "sensitivity": sensitivity})
