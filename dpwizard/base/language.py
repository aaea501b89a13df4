"""The language of texts, and their gettext catalogues in `resources/locale/`, one folder for each language.

The language is a context variable: `speaking("de")` applies to all calls inside its block, on this thread. It never
affects numbers, keys or anything else that is compared between records.

The name of the budget, epsilon or rho, is one too: `counting("rho")` fills the placeholders {budget}, {Budget},
{budgets} and {a_budget} of every text accordingly.

Catalogues look up texts by their English wording. The model and the records use keys instead: the English catalogue
maps each of them, by section and key, to its English text.
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
CATALOGUE = "dpwizard"  # the gettext domain
STRICT = "DPWIZARD_STRICT_WORDS"  # environment variable, set in tests: a missing translation is an error

_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)
_COUNTED: ContextVar[str] = ContextVar("counted", default="epsilon")


def spoken() -> str:
    """Return the current language, one of LANGUAGES."""
    return _SPOKEN.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use LANGUAGE inside the block; English if it is not one of LANGUAGES."""
    before = _SPOKEN.set(language if language in LANGUAGES else ENGLISH)
    try:
        yield
    finally:
        _SPOKEN.reset(before)


def speak(language: str) -> None:
    """Use LANGUAGE from now on; a program calls this when it starts."""
    _SPOKEN.set(language if language in LANGUAGES else ENGLISH)


def counted_in() -> str:
    """Return the current name of the budget: "epsilon" or "rho"."""
    return _COUNTED.get()


@contextmanager
def counting(budget: str) -> Iterator[None]:
    """Call the budget "epsilon" or "rho" inside the block."""
    before = _COUNTED.set(budget)
    try:
        yield
    finally:
        _COUNTED.reset(before)


def count_in(budget: str) -> None:
    """Call the budget "epsilon" or "rho" from now on; the window calls this when it shows another decision."""
    _COUNTED.set(budget)


def understood(named: str | None) -> str | None:
    """Return the language named by a locale such as de, de_DE.UTF-8 or de-AT; None if it is not one of LANGUAGES."""
    short = re.split("[_.@-]", (named or "").strip().lower(), maxsplit=1)[0]
    return short if short in LANGUAGES else None


def system_language() -> str:
    """Return the language set on this computer, else English."""
    named = next(
        (os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG") if os.environ.get(name)), None
    )
    if named is None:
        named = locale.getlocale()[0]
    return understood((named or "").split(":")[0]) or ENGLISH


def named_language(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """Return the language that --language sets in the ARGUMENTS of a program (or None), and the other arguments."""
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
    """Translate an English TEXT (or its PLURAL, by COUNT) to the current language.

    CONTEXT, "window", "label", "message" or "command_line", distinguishes translations of the same English text.
    """
    sentence = translated(context, text, plural, count)
    return _with_budget(sentence or _missing(text, plural if plural and count != 1 else text))


def translated(context: str, text: str, plural: str = "", count: float = 1) -> str:
    """Translate an English text as `phrase` does; return "" if there is no translation."""
    if not text or spoken() == ENGLISH:  # gettext translates "" to the catalogue's header
        return plural if plural and count != 1 else text
    return _translation(spoken(), context, text, plural, count)


def _translation(language: str, context: str, text: str, plural: str, count: float) -> str:
    """Translate an English text to LANGUAGE, preferably for its CONTEXT; return "" if there is no translation."""
    words = _catalogue(language)
    if not plural:
        return words.pgettext(context, text) or words.gettext(text)
    whole = _whole(count)
    return words.npgettext(context, text, plural, whole) or words.ngettext(text, plural, whole)


def _whole(count: float) -> int:
    """Return COUNT as a whole number, as gettext needs it; a fraction takes the plural."""
    return int(count) if count == int(count) else 2


def word(section: str, key: str | None, language: str | None = None, *, plural: str = "", count: float = 1) -> str:
    """Return the text of KEY in SECTION (or of the key PLURAL, by COUNT) in LANGUAGE, by default the current one.

    Return the English text if there is no translation, and "" for an empty key.
    """
    if not key:
        return ""
    text = known_word(section, key, language, plural=plural, count=count)
    english = text or known_word(section, key, ENGLISH, plural=plural, count=count)
    return text or _missing(f"{section}.{key}", english or key)


def known_word(section: str, key: str, language: str | None = None, *, plural: str = "", count: float = 1) -> str:
    """Return the text of KEY in SECTION as `word` does; "" if there is none."""
    asked = language or spoken()
    english = _english(section, key, plural, count)
    if asked != ENGLISH and asked in LANGUAGES and english:
        one, many = _english(section, key, plural, 1), _english(section, key, plural, 2) if plural else ""
        return _with_budget(_translation(asked, f"{section}.{key}", one, many, count), asked)
    return _with_budget(english, asked)


def _english(section: str, key: str, plural: str, count: float) -> str:
    """Return the English text of a key; "" if there is none."""
    table = _catalogue(ENGLISH)
    return table.npgettext(section, key, plural, _whole(count)) if plural else table.pgettext(section, key)


def _with_budget(text: str, language: str | None = None) -> str:
    """Fill the placeholders of TEXT for the name of the budget, in LANGUAGE or the current one."""
    if "udget" not in text or "{" not in text:
        return text
    names = {"budget": "", "Budget": "_begins", "budgets": "_many", "a_budget": "_one"}
    for place, form in names.items():
        if f"{{{place}}}" in text:
            text = text.replace(f"{{{place}}}", known_word("called", counted_in() + form, language))
    return text


def digits(text: str) -> str:
    """Return a number written as 1,234.5 with the separators of the current language: 1\u202f234,5 in German."""
    if spoken() == ENGLISH:
        return text
    thousands, decimal = (word("number", mark) for mark in ("thousands", "decimal"))
    return text.translate({ord(","): thousands, ord("."): decimal})


class _Unknown(gettext.NullTranslations):
    """Returns "" for a text that a catalogue lacks, so that the caller can detect it."""

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
    """Return the catalogue of LANGUAGE (a folder in FOLDER); it returns "" for missing texts."""
    words = gettext.translation(CATALOGUE, str(FOLDER), [language])
    words.add_fallback(_Unknown())
    return words


def _missing(text: str, instead: str) -> str:
    """Return the text INSTEAD of a missing translation of TEXT; raises LookupError if STRICT is set."""
    if os.environ.get(STRICT):
        raise LookupError(f"no words in {spoken()!r} for {text!r} in {CATALOGUE}.po")
    return instead
