"""A decision whose unit is less than a person, and what is said of a person in a text that it comes to."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dpwizard.decision import Decision
from dpwizard.records import Sentences
from tests.samples.decisions import CROSSING, decided
from tests.samples.requirements import each

PERSON = {
    "en": re.compile(r"\b(persons?(?! or thing)|people|someone who takes part)\b", re.IGNORECASE),
    "de": re.compile(r"\b(Person(en)?(?! oder Sache)|Mensch(en)?)\b"),
}
NOT_OF_ALL = {"exact_mean", "compensation", "persuasive_privacy"}  # without noise, or of money set aside for people


def smaller(units_of_a_person: int | None, language: str) -> Decision:
    """Return a decision with every kind of promise on a day of a person, at a budget that breaks most of them."""
    asked: list[dict[str, Any]] = [one for one in each() if one["kind"] not in NOT_OF_ALL]
    release = {"unit": "a day", "unit_kind": "person", "slice": "day", "slices_per_person": units_of_a_person}
    made = decided(CROSSING, *asked, epsilon=3.0, **release)
    return made.model_copy(update={"language": language, "outcome": "approve", "justification": "As asked."})


def of_the_person(said: Sentences) -> str:
    """Return all that a record SAID of one person's own loss, which counts every unit that they are."""
    return " ".join((*said.meaning, said.person))


def said_of_a_person(texts: Iterable[str], own: str, language: str) -> list[str]:
    """Return the sentences of TEXTS that name a person beside a figure, save those of the person's OWN loss."""
    sentences = [part.strip() for text in texts for part in re.split(r"(?<=[.!?])\s+|\n", text)]
    plain_own = " ".join(own.split())
    return [
        said
        for said in dict.fromkeys(sentences)
        if PERSON[language].search(said) and re.search(r"\d", said) and " ".join(said.split()) not in plain_own
    ]
