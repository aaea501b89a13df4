"""Flesch's reading ease of English text, numbers removed: 206.835 - 1.015 words/sentences - 84.6 syllables/words
(Flesch 1948)."""

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


def amstad(text: str) -> float:
    """Amstad's form of the same for German: 180 - words/sentences - 58.5 * syllables/words (Amstad 1978)."""
    sentences = [
        part for part in re.split(r"[.?!:]+(?:\s|$)", re.sub(r"\d[\d,.\u202f]*\d|\d", "", text)) if german_words(part)
    ]
    found = [word for part in sentences for word in german_words(part)]
    return 180 - len(found) / len(sentences) - 58.5 * sum(map(german_syllables, found)) / len(found)


def german_words(text: str) -> list[str]:
    return re.findall(r"[A-Za-zÄÖÜäöüß]+", text)


def german_syllables(word: str) -> int:
    """Groups of vowels; at least one."""
    return max(1, len(re.findall(r"[aeiouyäöü]+", word.lower())))
