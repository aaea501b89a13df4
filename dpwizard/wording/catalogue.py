"""The sentences of the wording, by section and key; how one is filled in stands in explain.py."""

from __future__ import annotations

from dpwizard.base.language import keyed, known


def word(section: str, key: str | None, language: str | None = None) -> str:
    """Return the word or sentence KEY of SECTION in LANGUAGE, the one spoken if it is None; nothing for no key."""
    return keyed(section, key, language) if key else ""


def known_word(section: str, key: str, language: str | None = None) -> str:
    """Return the word KEY of SECTION as `word` does; an empty text if there is none."""
    return known(section, key, language)
