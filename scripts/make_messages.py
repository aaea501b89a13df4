"""Compiles the words of every language, resources/locale/*/LC_MESSAGES/*.po, to the *.mo beside them that the program
reads. Run: make messages."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)  # the day a catalogue says it was made: the same words make the same file
LOCALE = Path(__file__).resolve().parent.parent / "resources" / "locale"


def compiled(words: Path) -> bytes:
    """Return a catalogue (.po) as the program reads it (.mo)."""
    with words.open("rb") as stream:
        catalogue = read_po(stream, abort_invalid=True)
    catalogue.creation_date = catalogue.revision_date = ALWAYS
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def main() -> None:
    """Compile all catalogues."""
    for words in sorted(LOCALE.rglob("*.po")):
        words.with_suffix(".mo").write_bytes(compiled(words))


if __name__ == "__main__":
    main()
