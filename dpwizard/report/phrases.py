"""The words of the printed record: headings, labels and captions, by section and key, in one language."""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpwizard.errors import FileProblem
from dpwizard.language import ENGLISH
from dpwizard.resource_files import resource
from dpwizard.wording import explain

__all__ = ["Words", "words"]


@dataclass(frozen=True)
class Words:
    """The report's words in one language; what it lacks is said in English."""

    language: str
    _sections: Mapping[str, Mapping[str, str]]

    def __call__(self, section: str, key: str, **texts: Any) -> str:
        """Return the words KEY of SECTION with TEXTS, already written out, in their places."""
        return self._sections[section][key].format(**texts)

    def has(self, section: str, key: str) -> bool:
        """Return whether there are words for KEY in SECTION."""
        return key in self._sections[section]

    def of_model(self, section: str, key: str | None) -> str:
        """Return a word that the whole program shares: a kind, a mechanism, an outcome, a status."""
        return explain.word(section, key, self.language)


@functools.cache
def words(language: str) -> Words:
    """Return the report's words in LANGUAGE, or in English where it has none."""
    if not re.fullmatch(r"[a-z]{2,3}(_[A-Z]{2})?", language):
        return words(ENGLISH)
    try:
        with resource("report", f"{language}.toml").open("rb") as stream:
            found = tomllib.load(stream)
        english = {} if language == ENGLISH else words(ENGLISH)._sections
        sections = {section: {**english.get(section, {}), **texts} for section, texts in found.items()}
        explain.wording(language)
    except (FileProblem, OSError):
        return words(ENGLISH)
    return Words(language, sections)
