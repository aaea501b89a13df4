"""The words of the printed record: headings, labels and captions, by section and key, in one language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpwizard.base.language import ENGLISH, LANGUAGES, known_word, word
from dpwizard.wording import explain, figures

SECTIONS = "report."  # what the names of their sections begin with


@dataclass(frozen=True)
class Words:
    """The report's words in one language; what it lacks is said in English."""

    language: str

    def __call__(self, section: str, key: str, **texts: Any) -> str:
        """Return the words KEY of SECTION with TEXTS, already written out, in their places."""
        return word(SECTIONS + section, key, self.language).format(**texts)

    def each(self, section: str, *keys: str) -> tuple[str, ...]:
        """Return the words of each of KEYS in SECTION."""
        return tuple(self(section, key) for key in keys)

    def counted(self, section: str, one: str, many: str, count: int, **texts: Any) -> str:
        """Return the words ONE or MANY of SECTION as COUNT asks, with the count and TEXTS in their places."""
        text = word(SECTIONS + section, one, self.language, plural=many, count=count)
        return text.format(count=figures.whole(count), **texts)

    def has(self, section: str, key: str) -> bool:
        """Return whether there are words for KEY in SECTION."""
        return bool(known_word(SECTIONS + section, key, self.language))

    def of_model(self, section: str, key: str | None) -> str:
        """Return a word that the whole program shares: a kind, a mechanism, an outcome, a status."""
        return explain.word(section, key, self.language)


def words(language: str) -> Words:
    """Return the report's words in LANGUAGE, or in English where it has none."""
    return Words(language if language in LANGUAGES else ENGLISH)
