"""The language a text is said in: English in the source, other languages from `resources/translations/`.

The language is context, as the precision is for decimal numbers: `speaking("de")` holds for what is called inside it,
on this thread. Numbers, keys and everything a record is compared by are free of it.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from dpwizard.resource_files import resource

__all__ = ["ENGLISH", "LANGUAGES", "phrase", "speak", "speaking", "spoken", "translations"]

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")  # complete ones: a test finds what is missing

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


@functools.cache
def translations(language: str) -> Mapping[str, Mapping[str, str]]:
    """Return the texts of LANGUAGE by section and English text; nothing for English itself."""
    if language == ENGLISH:
        return {}
    with resource("translations", f"{language}.toml").open("rb") as stream:
        return tomllib.load(stream)


def phrase(section: str, text: str) -> str:
    """Return TEXT in the language spoken; TEXT itself where that has no such phrase (a test forbids it)."""
    language = spoken()
    return text if language == ENGLISH else translations(language).get(section, {}).get(text, text)
