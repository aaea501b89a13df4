"""The language a text is said in, and where its words lie: `resources/locale/`, one folder for each language.

The language is context, as the precision is for decimal numbers: `speaking("de")` holds for what is called inside it,
on this thread. Numbers, keys and everything a record is compared by are free of it.

What a budget is called is context as well: epsilon, or rho of a release that is counted in it. `counting("rho")` says
so, and every text then has that name in its places {budget}, {Budget}, {budgets} and {a_budget}.

The words are gettext catalogues. A text of the window, of a field, of the model or of the command line is found by
what it says in English; a sentence of the wording or the report by its section (the context) and key, in English too.
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
from pathlib import Path

from dpwizard.base.program_folder import PROGRAM

FOLDER = PROGRAM / "resources" / "locale"
ENGLISH = "en"
LANGUAGES = (ENGLISH, *sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name != ENGLISH))
STRICT = "DPWIZARD_STRICT_WORDS"  # set in the environment, a text without its words is an error: so the tests run

_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)
_COUNTED: ContextVar[str] = ContextVar("counted", default="epsilon")
_FROM: ContextVar[Path] = ContextVar("words", default=FOLDER)


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


@contextmanager
def words_from(folder: Path) -> Iterator[None]:
    """Take the words inside the block from FOLDER, where those of an earlier time are kept."""
    before = _FROM.set(folder)
    try:
        yield
    finally:
        _FROM.reset(before)


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


def phrase(domain: str, text: str, plural: str = "", count: float = 1) -> str:
    """Return an English TEXT (its PLURAL, for a COUNT that asks for it) in the language spoken."""
    said = translated(domain, text, plural, count)
    if not said and "{budget}" in text:  # the words of an earlier time knew epsilon alone
        said = translated(domain, text.replace("{budget}", "epsilon"))
    return _with_budget(said or _missing(domain, text, plural if plural and count != 1 else text))


def translated(domain: str, text: str, plural: str = "", count: float = 1) -> str:
    """Return an English text in the language spoken, as `phrase` does; an empty text where it has no words for it."""
    plain = plural if plural and count != 1 else text
    if not text:  # of an empty text gettext says what the catalogue is
        return plain
    if spoken() == ENGLISH:
        return _before(domain, text) or plain
    words = _catalogue(domain, spoken(), _FROM.get())
    return words.ngettext(text, plural, _whole(count)) if plural else words.gettext(text)


def _before(domain: str, text: str) -> str:
    """Return what an English text was called at the time whose words are taken; empty where it is called the same."""
    place = _FROM.get()
    if place == FOLDER or gettext.find(domain, str(place), [ENGLISH]) is None:
        return ""
    return _catalogue(domain, ENGLISH, place).gettext(text)


def _whole(count: float) -> int:
    """Return COUNT for gettext, whose rules are for whole numbers: a fraction takes the form of many."""
    return int(count) if count == int(count) else 2


def keyed(
    domain: str, section: str, key: str, language: str | None = None, *, plural: str = "", count: float = 1
) -> str:
    """Return the words KEY of SECTION (PLURAL, for a COUNT that asks for it) in LANGUAGE, the one spoken if it is None;
    in English where it lacks them."""
    said = known(domain, section, key, language, plural=plural, count=count)
    return said or _missing(
        domain, f"{section}.{key}", known(domain, section, key, ENGLISH, plural=plural, count=count) or key
    )


def known(
    domain: str, section: str, key: str, language: str | None = None, *, plural: str = "", count: float = 1
) -> str:
    """Return the words KEY of SECTION, as `keyed` does; an empty text if there are none."""
    asked = language or spoken()
    words = _catalogue(domain, asked if asked in LANGUAGES else ENGLISH, _FROM.get())
    said = words.npgettext(section, key, plural, _whole(count)) if plural else words.pgettext(section, key)
    return _with_budget(said, asked)


def _with_budget(said: str, language: str | None = None) -> str:
    """Return what is SAID with what a budget is called, in LANGUAGE or the one spoken, in its places."""
    if "udget" not in said or "{" not in said:
        return said
    names = {"budget": "", "Budget": "_begins", "budgets": "_many", "a_budget": "_one"}
    for place, form in names.items():
        if f"{{{place}}}" in said:
            said = said.replace(f"{{{place}}}", known("wording", "called", counted_in() + form, language))
    return said


def digits(text: str) -> str:
    """Return a number written as 1,234.5 with the marks of the language spoken: 1\u202f234,5 in German."""
    if spoken() == ENGLISH:
        return text
    thousands, decimal = (keyed("wording", "number", mark) for mark in ("thousands", "decimal"))
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
def _catalogue(domain: str, language: str, folder: Path) -> gettext.NullTranslations:
    """Return the texts of DOMAIN (a file) in LANGUAGE (a folder in FOLDER); empty for what it lacks."""
    words = gettext.translation(domain, str(folder), [language])
    words.add_fallback(_Unknown())
    return words


def _missing(domain: str, text: str, instead: str) -> str:
    """Return what is said INSTEAD of a TEXT without words; raises LookupError where words are asked for strictly.

    The words of an earlier time lack what they lacked then: its pages say the same today.
    """
    if os.environ.get(STRICT) and _FROM.get() == FOLDER:
        raise LookupError(f"no words in {spoken()!r} for {text!r} in {domain}.po")
    return instead
