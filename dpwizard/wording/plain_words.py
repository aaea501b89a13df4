"""The plural of the officer's own words, and their article."""

from __future__ import annotations

import re

from dpwizard.base.language import ENGLISH, spoken

IRREGULAR_PLURALS = {"person": "people", "child": "children", "man": "men", "woman": "women"}
VOWELS, SPOKEN_AS_CONSONANT = "aeiou", ("user", "uni", "euro", "one", "use")  # these begin as if with another letter
WITH_ES = re.compile(r"(s|x|z|ch|sh)$")
WITH_IES = re.compile(r"([^aeiou])y$")
AFTER_NOUN = re.compile(r" (?:at|by|for|from|in|of|on|or|under|who|with|without) ")  # the noun ends here
PLURAL_VERBS = {"is": "are", "was": "were", "has": "have", "does": "do"}


def plural(name: str) -> str:
    """Return NAME for several: "patients". English alone forms it; in other languages the name stays as it is."""
    if spoken() != ENGLISH or not name:
        return name
    following = AFTER_NOUN.search(name)
    if following is not None:
        return f"{plural(name[: following.start()])}{name[following.start() :]}"
    first, space, last = name.rpartition(" ")
    lower = last.lower()
    for one, several in IRREGULAR_PLURALS.items():
        if lower.endswith(one) and (lower == one or one in ("man", "woman", "person")):
            return f"{first}{space}{last[: len(last) - len(one)]}{several}"
    if WITH_IES.search(lower):
        return f"{first}{space}{last[:-1]}ies"
    return f"{name}es" if WITH_ES.search(lower) else f"{name}s"


def plural_verb(reveals: str) -> str:
    """Return what is true of one person, as it is said of several: "were ill". English alone changes the verb."""
    verb, space, rest = reveals.partition(" ")
    return f"{PLURAL_VERBS.get(verb, verb)}{space}{rest}" if spoken() == ENGLISH else reveals


def with_article(noun: str | None) -> str:
    """Return NOUN with its indefinite article, in a language where that does not depend on gender."""
    if spoken() != ENGLISH or not noun:
        return noun or ""
    spoken_as_vowel = noun[0].lower() in VOWELS and not noun.lower().startswith(SPOKEN_AS_CONSONANT)
    return f"an {noun}" if spoken_as_vowel else f"a {noun}"
