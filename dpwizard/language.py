"""The language a text is said in: English in the source, other languages from `resources/translations/`.

The language is context, as the precision is for decimal numbers: `speaking("de")` holds for what is called inside it,
on this thread. Numbers, keys and everything a record is compared by are free of it.
"""

from __future__ import annotations

import functools
import locale
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "NAMES",
    "named_language",
    "phrase",
    "retold",
    "speak",
    "speaking",
    "spoken",
    "system_language",
    "translations",
    "understood",
]

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")  # complete ones: a test finds what is missing
NAMES = {"en": "English", "de": "Deutsch"}  # each in its own language
FOLDER = Path(__file__).resolve().parent.parent / "resources" / "translations"
LONGEST = 4_000  # characters of a sentence that is told in another language; longer ones are nobody's sentence
FOUND = "; found "  # before the value found, at the end of an error
AWAITED = "Not complete:"  # what follows is a list of sentences, each told by itself
NUMBER = re.compile(r"-?(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?(?:e[+-]?\d+)?")

_SPOKEN: ContextVar[str] = ContextVar("language", default=ENGLISH)


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


@functools.cache
def translations(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of LANGUAGE by file and English text; nothing for English itself."""
    import tomllib

    return {path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted((FOLDER / language).glob("*.toml"))}


def phrase(section: str, text: str) -> str:
    """Return TEXT in the language spoken; TEXT itself where that has no such phrase (a test forbids it)."""
    language = spoken()
    return text if language == ENGLISH else translations(language).get(section, {}).get(text, text)


# ------------------------------------------------------------------------------- sentences of the model


def retold(text: str) -> str:
    """Return a sentence of the model (an error, a finding, a source), which it says in English, in the language spoken.

    Machines read such sentences too, so the model itself says them in one language. Their templates with what stands
    in each place are found in `message.toml`; a sentence of no template stays as it is.
    """
    language = spoken()
    if language == ENGLISH or len(text) > LONGEST:
        return text
    known = translations(language).get("message", {}).get(text)
    if known is not None:
        return known
    for pattern, said in _templates(language):
        found = pattern.fullmatch(text)
        if found:
            return said.format(**{name: _figure(name, value) for name, value in found.groupdict().items()})
    return text


@functools.cache
def _templates(language: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the sentences with places, as patterns: those that say what was found first, then those with most words of
    their own."""
    made = []
    for english, said in translations(language).get("message", {}).items():
        pieces = re.split(r"\{(\w+)\}", english)
        if len(pieces) > 1:
            literal = "".join(pieces[::2])
            pattern = "".join(
                re.escape(piece) if index % 2 == 0 else f"(?P<{piece}>.+?)" for index, piece in enumerate(pieces)
            )
            order = (FOUND not in english, AWAITED not in english, -len(literal), -len(pieces))
            made.append((order, re.compile(pattern, re.DOTALL), said))
    return tuple((pattern, said) for _, pattern, said in sorted(made, key=lambda one: one[0]))


def _figure(name: str, value: str) -> str:
    """Return what stands in a place: a number with the marks of the language, a sentence told in it, names one after
    another."""
    if NUMBER.fullmatch(value):
        marks = translations(spoken())["number"]
        return value.translate({ord(","): marks["thousands"], ord("."): marks["decimal"]})
    if name == "names" and "; " in value:
        return "; ".join(retold(part) for part in value.split("; "))
    if name == "names":
        said = [retold(part) for part in re.split(r", (?![^(]*\))| and ", value)]
        return ", ".join(said[:-1]) + f" {phrase('number', 'and')} {said[-1]}" if len(said) > 1 else said[0]
    return retold(value)
