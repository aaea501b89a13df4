"""The words of every language as their translator sees them: read from the .po files, not by the program's own code."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from babel.messages import Catalog
from babel.messages.pofile import read_po

from dpwizard.base.language import FOLDER


@cache
def catalogue(domain: str, language: str) -> Catalog:
    """Return a catalogue as it was written."""
    path = FOLDER / language / "LC_MESSAGES" / f"{domain}.po"
    assert path.exists(), f"write resources/locale/{language}/LC_MESSAGES/{domain}.po"
    with path.open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


@cache
def keyed(domain: str, language: str) -> dict[str, dict[str, str]]:
    """Return the sentences of a DOMAIN of keys, by section and key."""
    found: dict[str, dict[str, str]] = {}
    for entry in catalogue(domain, language):
        if entry.id:
            keys = entry.id if isinstance(entry.id, tuple) else (entry.id,)
            said = entry.string if isinstance(entry.string, tuple) else (entry.string,)
            found.setdefault(str(entry.context), {}).update(zip(map(str, keys), map(str, said), strict=True))
    return found


@cache
def phrases(domain: str, language: str) -> dict[str, str]:
    """Return the sentences of a DOMAIN of English texts, each of the forms of a plural by its own text."""
    found: dict[str, str] = {}
    for entry in catalogue(domain, language):
        if entry.id:
            english = entry.id if isinstance(entry.id, tuple) else (entry.id,)
            said = entry.string if isinstance(entry.string, tuple) else (entry.string,)
            found |= dict(zip(map(str, english), map(str, said), strict=True))
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
