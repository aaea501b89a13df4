"""The texts of `resources/wording/`, a file for each language, by section and key; how a sentence is filled in stands
in explain.py."""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Mapping

from dpwizard.language import ENGLISH, LANGUAGES, spoken
from dpwizard.resource_files import resource


def wording(language: str | None = None) -> Mapping[str, Mapping[str, str]]:
    """Return all sentences of LANGUAGE (the one spoken if it is None) by section and key."""
    asked = language or spoken()
    return _wording(asked if asked in LANGUAGES else ENGLISH)


@functools.cache
def _wording(language: str) -> Mapping[str, Mapping[str, str]]:
    with resource("wording", f"{language}.toml").open("rb") as stream:
        found = tomllib.load(stream)
    if language == ENGLISH:
        return found
    return {section: {**texts, **found.get(section, {})} for section, texts in _wording(ENGLISH).items()}


def word(section: str, key: str | None, language: str | None = None) -> str:
    """Return the word or sentence KEY of SECTION; the key itself if there is none (a test forbids that)."""
    return wording(language)[section].get(key or "", key or "")
