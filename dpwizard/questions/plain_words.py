"""The officer's own words for people and groups, as sentences need them; and how a derived sensitivity was found."""

from __future__ import annotations

import re

from dpwizard.base.language import ENGLISH, spoken
from dpwizard.decision import Decision
from dpwizard.wording import word

OTHER_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women"}
WITH_ES = re.compile(r"(s|x|z|ch|sh)$")
WITH_IES = re.compile(r"([^aeiou])y$")
VOWEL = re.compile(r"[aeiou]", re.IGNORECASE)
NOT_AS_SPOKEN = ("user", "uni", "euro", "one", "use")  # begin with a vowel, and are spoken as if they did not


def plural(name: str, language: str | None = None) -> str:
    """Return NAME for several: "patients". English alone forms it; in other languages the name stays as it is."""
    if (language or spoken()) != ENGLISH or not name:
        return name
    first, space, last = name.rpartition(" ")
    lower = last.lower()
    for one, several in OTHER_PLURALS.items():
        if lower.endswith(one) and (lower == one or one in ("man", "woman", "person")):
            return f"{first}{space}{last[: len(last) - len(one)]}{several}"
    if WITH_IES.search(lower):
        return f"{first}{space}{last[:-1]}ies"
    return f"{name}es" if WITH_ES.search(lower) else f"{name}s"


def with_article(name: str) -> str:
    """Return the English NAME with "a" or "an" before it."""
    spoken_as_vowel = VOWEL.match(name) is not None and not name.lower().startswith(NOT_AS_SPOKEN)
    return f"an {name}" if spoken_as_vowel else f"a {name}"


def person(decision: Decision) -> str:
    """Return what one person is called in sentences: the officer's word, or "person"."""
    return decision.release.person_word or word("plain", "person")
