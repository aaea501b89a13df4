"""Flesch's reading ease of English text, numbers removed: 206.835 - 1.015 words/sentences - 84.6 syllables/words (Flesch 1948)."""

from __future__ import annotations

import re


def words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z]+(?:'[a-z]+)?", text)


def syllables(word: str) -> int:
    """Groups of vowels, without a silent e at the end; at least one."""
    plain = word.lower().replace("'", "")
    count = len(re.findall(r"[aeiouy]+", plain))
    if plain.endswith("e") and not plain.endswith(("le", "ee")) and count > 1:
        count -= 1
    if plain.endswith("ed") and not plain.endswith(("ted", "ded")) and count > 1:
        count -= 1
    if plain.endswith("es") and not plain.endswith(("ses", "ces", "ges", "zes", "xes", "ches", "shes")) and count > 1:
        count -= 1
    return max(count, 1)


def flesch(text: str) -> float:
    sentences = [part for part in re.split(r"[.?!:]+(?:\s|$)", re.sub(r"\d[\d,.]*\d|\d", "", text)) if words(part)]
    found = [word for part in sentences for word in words(part)]
    return 206.835 - 1.015 * len(found) / len(sentences) - 84.6 * sum(map(syllables, found)) / len(found)
