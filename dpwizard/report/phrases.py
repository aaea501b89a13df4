"""The texts of the printed record: headings, labels and captions, by section and key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dpwizard.base.language import ENGLISH, LANGUAGES, known_word, word
from dpwizard.wording import figures, texts

SECTIONS = "report."  # prefix of the sections


@dataclass(frozen=True)
class Words:
    """The texts of the report in one language; missing translations are in English."""

    language: str

    def __call__(self, section: str, key: str, **texts: Any) -> str:
        """Return the text of KEY in SECTION, with TEXTS in its placeholders."""
        return word(SECTIONS + section, key, self.language).format(**texts)

    def each(self, section: str, *keys: str) -> tuple[str, ...]:
        """Return the texts of KEYS in SECTION."""
        return tuple(self(section, key) for key in keys)

    def counted(self, section: str, one: str, many: str, count: int, **texts: Any) -> str:
        """Return the text of ONE or MANY in SECTION, by COUNT, with the count and TEXTS in its placeholders."""
        text = word(SECTIONS + section, one, self.language, plural=many, count=count)
        return text.format(count=figures.whole(count), **texts)

    def has(self, section: str, key: str) -> bool:
        """Return whether there is a text for KEY in SECTION."""
        return bool(known_word(SECTIONS + section, key, self.language))

    def of_model(self, section: str, key: str | None) -> str:
        """Return a text of the whole program: a kind, a mechanism, an outcome, a status."""
        return texts.word(section, key, self.language)


def words(language: str) -> Words:
    """Return the report's texts in LANGUAGE, if it is supported, else in English."""
    return Words(language if language in LANGUAGES else ENGLISH)
