"""The plural of the officer's own words, and how a sensitivity that follows from plain answers was found."""

from __future__ import annotations

import re

from dpwizard.base.language import ENGLISH, spoken
from dpwizard.decision import Decision, derived_fields, figures
from dpwizard.wording.explain import format_text

OTHER_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women"}
VOWELS, NOT_AS_SPOKEN = "aeiou", ("user", "uni", "euro", "one", "use")  # these begin as if with another letter
WITH_ES = re.compile(r"(s|x|z|ch|sh)$")
WITH_IES = re.compile(r"([^aeiou])y$")


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


def with_article(noun: str | None) -> str:
    """Return NOUN, that somebody typed, with its indefinite article where the language has one without gender."""
    if spoken() != ENGLISH or not noun:
        return noun or ""
    spoken_as_vowel = noun[0].lower() in VOWELS and not noun.lower().startswith(NOT_AS_SPOKEN)
    return f"an {noun}" if spoken_as_vowel else f"a {noun}"


def derivation(decision: Decision) -> str | None:
    """Return how the sensitivity that follows from the plain answers was found; None where none follows."""
    release, found = decision.release, derived_fields.sensitivity(decision)
    most = derived_fields.most_counts(decision)
    if found is None or most is None:
        return None
    values = figures(
        found,
        contributions=most,
        low=release.lowest,
        high=release.highest,
        records=release.population,
        dimension=release.dimension,
        touched=1,
    )
    sentences = [format_text("sensitivity", found.rule, values)]
    if found.l1_other is not None:
        key = "other_replace" if release.neighbours != "replace" else "other_add_remove"
        sentences.append(format_text("sensitivity", key, {"other": found.l1_other}))
    return " ".join(sentences)
