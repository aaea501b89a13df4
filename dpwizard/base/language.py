"""The language a text is said in, and where its words lie: `resources/locale/`, one folder for each language.

The language is context, as the precision is for decimal numbers: `speaking("de")` holds for what is called inside it,
on this thread. Numbers, keys and everything a record is compared by are free of it.

What a budget is called is context as well: epsilon, or rho of a release that is counted in it. `counting("rho")` says
so, and every text then has that name in its places {budget}, {Budget}, {budgets} and {a_budget}.

The words are gettext catalogues, one for each language, in which a text is found by what it says in English. The model
and the records keep keys: the catalogue of English is the table that says each of them, by its section and key.
"""

from __future__ import annotations

import functools
import gettext
import locale
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from dpwizard.base.program_folder import PROGRAM

FOLDER = PROGRAM / "resources" / "locale"
ENGLISH = "en"
LANGUAGES = (ENGLISH, *sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != ENGLISH))
CATALOGUE = "dpwizard"  # the name of the file of words
STRICT = "DPWIZARD_STRICT_WORDS"  # set in the environment, a text without its words is an error: so the tests run

_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)
_COUNTED: ContextVar[str] = ContextVar("counted", default="epsilon")


def spoken() -> str:
    """Return the language texts are said in here: one of LANGUAGES."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Say texts in LANGUAGE inside the block; in English if it is none of LANGUAGES."""
    before = _SPOKEN.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def speak(language: str) -> None:
    """Say texts in LANGUAGE from here on: what a program does once, when it starts."""
    _SPOKEN.set(language if language in LANGUAGES else ENGLISH)


def counted_in() -> str:
    """Return what a budget is called here: "epsilon" or "rho"."""
    return _COUNTED.get()


@contextmanager
def counting(budget: str) -> Iterator[None]:
    """Call the budget "epsilon" or "rho" in every text said inside the block."""
    before = _COUNTED.set(budget)
    try:
        yield
    finally:
        _COUNTED.reset(before)


def count_in(budget: str) -> None:
    """Call the budget "epsilon" or "rho" from here on: what a window does when it shows another decision."""
    _COUNTED.set(budget)


def understood(named: str | None) -> str | None:
    """Return the language that a name such as de, de_DE.UTF-8 or de-AT means; None if it is none of LANGUAGES."""
    short = re.split("[_.@-]", (named or "").strip().lower(), maxsplit=1)[0]
    return short if short in LANGUAGES else None


def system_language() -> str:
    """Return the language this computer speaks with its user, or English."""
    named = next(
        (os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG") if os.environ.get(name)), None
    )
    if named is None:
        named = locale.getlocale()[0]
    return understood((named or "").split(":")[0]) or ENGLISH


def named_language(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the language that --language names in the ARGUMENTS of a program, None if it names none, and the
    others."""
    rest, named = [], None
    given = iter(arguments)
    for argument in given:
        if argument == "--language":
            named = next(given, "")
        elif argument.startswith("--language="):
            named = argument.removeprefix("--language=")
        else:
            rest.append(argument)
    return named if named is None else understood(named) or named, rest


# ------------------------------------------------------------------------------------------- words


def phrase(context: str, text: str, plural: str = "", count: float = 1) -> str:
    """Return an English TEXT (its PLURAL, for a COUNT that asks for it) in the language spoken.

    CONTEXT says where it is shown: "window", "label", "message" or "command_line". A catalogue states it where a
    language has different words for the same English ones.
    """
    sentence = translated(context, text, plural, count)
    return _with_budget(sentence or _missing(text, plural if plural and count != 1 else text))


def translated(context: str, text: str, plural: str = "", count: float = 1) -> str:
    """Return an English text in the language spoken, as `phrase` does; an empty text where it has no words for it."""
    if not text or spoken() == ENGLISH:  # of an empty text gettext says what the catalogue is
        return plural if plural and count != 1 else text
    return _translation(spoken(), context, text, plural, count)


def _translation(language: str, context: str, text: str, plural: str, count: float) -> str:
    """Return an English text in LANGUAGE: what stands under its context, else what stands under none."""
    words = _catalogue(language)
    if not plural:
        return words.pgettext(context, text) or words.gettext(text)
    whole = _whole(count)
    return words.npgettext(context, text, plural, whole) or words.ngettext(text, plural, whole)


def _whole(count: float) -> int:
    """Return COUNT for gettext, whose rules are for whole numbers: a fraction takes the form of many."""
    return int(count) if count == int(count) else 2


def word(section: str, key: str | None, language: str | None = None, *, plural: str = "", count: float = 1) -> str:
    """Return the words KEY of SECTION (PLURAL, for a COUNT that asks for it) in LANGUAGE, the one spoken if it is None;
    in English where it lacks them, and nothing for no key."""
    if not key:
        return ""
    text = known_word(section, key, language, plural=plural, count=count)
    english = text or known_word(section, key, ENGLISH, plural=plural, count=count)
    return text or _missing(f"{section}.{key}", english or key)


def known_word(section: str, key: str, language: str | None = None, *, plural: str = "", count: float = 1) -> str:
    """Return the words KEY of SECTION, as `word` does; an empty text if there are none."""
    asked = language or spoken()
    english = _english(section, key, plural, count)
    if asked != ENGLISH and asked in LANGUAGES and english:
        one, many = _english(section, key, plural, 1), _english(section, key, plural, 2) if plural else ""
        return _with_budget(_translation(asked, f"{section}.{key}", one, many, count), asked)
    return _with_budget(english, asked)


def _english(section: str, key: str, plural: str, count: float) -> str:
    """Return the English text of a key; an empty one if there is none."""
    table = _catalogue(ENGLISH)
    return table.npgettext(section, key, plural, _whole(count)) if plural else table.pgettext(section, key)


def _with_budget(text: str, language: str | None = None) -> str:
    """Return what is TEXT with what a budget is called, in LANGUAGE or the one spoken, in its places."""
    if "udget" not in text or "{" not in text:
        return text
    names = {"budget": "", "Budget": "_begins", "budgets": "_many", "a_budget": "_one"}
    for place, form in names.items():
        if f"{{{place}}}" in text:
            text = text.replace(f"{{{place}}}", known_word("called", counted_in() + form, language))
    return text


def digits(text: str) -> str:
    """Return a number written as 1,234.5 with the marks of the language spoken: 1\u202f234,5 in German."""
    if spoken() == ENGLISH:
        return text
    thousands, decimal = (word("number", mark) for mark in ("thousands", "decimal"))
    return text.translate({ord(","): thousands, ord("."): decimal})


class _Unknown(gettext.NullTranslations):
    """Says nothing of a text that a catalogue lacks, so that whoever asked can tell."""

    def gettext(self, message: str) -> str:
        return ""

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return ""

    def pgettext(self, context: str, message: str) -> str:
        return ""

    def npgettext(self, context: str, msgid1: str, msgid2: str, n: int) -> str:
        return ""


@functools.cache
def _catalogue(language: str) -> gettext.NullTranslations:
    """Return the words of LANGUAGE (a folder in FOLDER); empty for what it lacks."""
    words = gettext.translation(CATALOGUE, str(FOLDER), [language])
    words.add_fallback(_Unknown())
    return words


def _missing(text: str, instead: str) -> str:
    """Return what is said INSTEAD of a TEXT without words; raises LookupError where words are asked for strictly."""
    if os.environ.get(STRICT):
        raise LookupError(f"no words in {spoken()!r} for {text!r} in {CATALOGUE}.po")
    return instead
