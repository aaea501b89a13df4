"""Keeps what a label was called on the pages of earlier versions, when it is called otherwise from now on.

Run: python scripts/keep_label.py "The new label" "The old label". The catalogues in resources/report/released then hold
the old words under the new label, in each language (docs/decisions, note 93).
"""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import read_mo, write_mo

RELEASED = Path(__file__).resolve().parent.parent / "resources" / "report" / "released"


def keep(catalogue: Path, label: str, words: str) -> None:
    """Put WORDS for LABEL into the compiled CATALOGUE, which is made where it is not there."""
    found = Catalog()
    if catalogue.is_file():
        with catalogue.open("rb") as stream:
            found = read_mo(stream)
    found.add(label, words)
    made = BytesIO()
    write_mo(made, found)
    catalogue.write_bytes(made.getvalue())


def main(label: str, before: str) -> None:
    """Keep what LABEL was called BEFORE, in every language of every released version."""
    for folder in sorted(RELEASED.glob("*/locale/*/LC_MESSAGES")):
        language, place, words = folder.parent.name, folder / "label.mo", before
        if language != "en":
            with place.open("rb") as stream:
                known = read_mo(stream).get(before)
            if known is None:
                continue  # that version had no such label
            words = str(known.string)
        keep(place, label, words)


if __name__ == "__main__":
    main(*sys.argv[1:])
