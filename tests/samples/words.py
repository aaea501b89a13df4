"""The words of every language as their translator sees them: read from the .po files, not by the program's own code."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from babel.messages import Catalog

from scripts.make_messages import forms, written

OWN_WORDS = frozenset({"person", "people", "a_person"})  # of the officer: a German sentence says "Person" instead


@cache
def catalogue(language: str) -> Catalog:
    """Return a catalogue as it was written."""
    return written(language)


@cache
def keyed(language: str) -> dict[str, dict[str, str]]:
    """Return the sentences that have keys, by section and key."""
    found: dict[str, dict[str, str]] = {}
    said = {(entry.context, forms(entry.id)): forms(entry.string) for entry in catalogue(language) if entry.id}
    for entry in catalogue("en"):
        if entry.id:
            keys, english = forms(entry.id), forms(entry.string)
            own = said.get((f"{entry.context}.{keys[0]}", english)) or said.get((None, english))
            texts = english if language == "en" else own or ()
            found.setdefault(str(entry.context), {}).update(zip(keys, texts, strict=False))
    return found


@cache
def phrases(context: str, language: str) -> dict[str, str]:
    """Return what each English text, each of the forms of a plural by its own, is called where it is shown."""
    found: dict[str, str] = {}
    for asked in (None, context):
        for entry in catalogue(language):
            if entry.id and entry.context == asked:
                found |= dict(zip(forms(entry.id), forms(entry.string), strict=True))
    return found


def repeated(lines: Iterable[str]) -> list[str]:
    """Return what the LINES of a catalogue state twice: an entry, or the translation of one.

    gettext and Babel keep the last of each and say nothing.
    """
    found: list[str] = []
    stated: set[tuple[str, str]] = set()
    entry: dict[str, str] = {}
    field = ""
    for line in (*lines, 'msgid ""'):
        text = line.strip()
        if text.startswith('"'):
            entry[field] += text[1:-1]
        elif text.startswith("msg"):
            keyword, text = text.split(" ", 1)
            if keyword in ("msgctxt", "msgid") and any(name.startswith("msgstr") for name in entry):
                key = (entry.get("msgctxt", ""), entry["msgid"])
                found += [entry["msgid"]] if key in stated else []
                stated.add(key)
                entry = {}
            elif keyword in entry:
                found.append(f"{keyword} of {entry['msgid']}")
            field = keyword
            entry[field] = text[1:-1]
    return found
