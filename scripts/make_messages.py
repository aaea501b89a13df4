"""Brings the catalogues of words up to date. Run: make messages.

It adds to every language the English texts that it lacks, for a translator to say, and compiles each
resources/locale/*/LC_MESSAGES/dpwizard.po to the .mo beside it, which the program reads."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

import dpwizard
from dpwizard.base.language import CATALOGUE, ENGLISH, FOLDER
from dpwizard.base.values import Value, Variant, hints

ALWAYS = datetime(2026, 1, 1, tzinfo=UTC)  # the day a catalogue says it was made: the same words make the same file
ERRORS = (
    "InvalidInput",
    "Infeasible",
    "SolverFailure",
    "FileProblem",
    "FileChanged",
    "SigningProblem",
    "DPWizardError",
)
MARKS = {"tr": (0, 1), "message": (0, 1), **dict.fromkeys(ERRORS, (0, 2))}  # a text, by its argument
PLURALS = ("tr", "message")  # whose second text is the plural of the first
Text = tuple[str, ...]  # an English text, or the two of a plural


def written(language: str) -> Catalog:
    """Return the catalogue of LANGUAGE as a translator writes it."""
    with (FOLDER / language / "LC_MESSAGES" / f"{CATALOGUE}.po").open("rb") as stream:
        return read_po(stream, locale=language, abort_invalid=True)


def compiled(catalogue: Catalog) -> bytes:
    """Return a catalogue as the program reads it (.mo)."""
    catalogue.creation_date = catalogue.revision_date = ALWAYS
    made = BytesIO()
    write_mo(made, catalogue)
    return made.getvalue()


def forms(text: object) -> Text:
    """Return the one text, or the two of a plural, that an entry states or says."""
    return tuple(map(str, text)) if isinstance(text, tuple | list) else (str(text),)


def marked() -> Iterator[Text]:
    """Yield the texts that are marked in the source of the program."""
    for path in (*sorted((ROOT / "dpwizard").rglob("*.py")), *sorted((ROOT / "ui").rglob("*.py"))):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                given = [node.args[at] for at in MARKS.get(called, ()) if at < len(node.args)]
                texts = tuple(
                    one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)
                )
                yield from [texts] if called in PLURALS else [(text,) for text in texts]


def declared() -> Iterator[str]:
    """Yield the titles, helps and units of every field of the model, and the texts of its kinds."""
    for module in pkgutil.walk_packages(dpwizard.__path__, "dpwizard."):
        importlib.import_module(module.name)
    waiting: list[type[Value]] = [Value]
    while waiting:
        kind = waiting.pop()
        waiting += [one for one in kind.__subclasses__() if one.__module__.startswith("dpwizard.")]
        if issubclass(kind, Variant) and hasattr(kind, "title"):  # a kind itself, not what several share
            yield from filter(None, kind.texts())
        for name, item in kind.model_fields.items():
            extra = item.json_schema_extra if isinstance(item.json_schema_extra, dict) else {}
            texts = (item.title, item.description, extra.get("unit"), hints(kind, name).unset)
            yield from (str(text) for text in texts if text)


def lacking(language: str) -> list[tuple[Text, str]]:
    """Return the English texts that LANGUAGE has no entry for, each with the key that it is found by, if it has one."""
    there = {forms(entry.id) for entry in written(language) if not entry.context}
    there |= {(text,) for said in there for text in said}
    keyed = [(forms(one.string), f"{one.context}.{forms(one.id)[0]}") for one in written(ENGLISH) if one.id]
    own = {entry.context for entry in written(language)}
    texts = [*((text, "") for text in marked()), *(((text,), "") for text in declared())]
    texts += [(text, key) for text, key in keyed if key not in own]
    return [(text, key) for text, key in dict.fromkeys(texts) if any(text) and text not in there]


def entry(text: Text, key: str) -> str:
    """Return the lines of a catalogue that ask for the words of an English text."""
    quoted = [
        f'"{one}"' for one in (part.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n") for part in text)
    ]
    lines = [f"#. {key}"] if key else []
    if len(text) == 1:
        return "\n".join(["", *lines, f"msgid {quoted[0]}", 'msgstr ""', ""])
    return "\n".join(
        ["", *lines, f"msgid {quoted[0]}", f"msgid_plural {quoted[1]}", 'msgstr[0] ""', 'msgstr[1] ""', ""]
    )


def main() -> None:
    """Add what is lacking, and compile all catalogues."""
    for words in sorted(FOLDER.rglob("*.po")):
        language = words.parts[-3]
        if language != ENGLISH:
            with words.open("a", encoding="utf-8", newline="\n") as stream:
                stream.writelines(entry(text, key) for text, key in lacking(language))
        words.with_suffix(".mo").write_bytes(compiled(written(language)))


if __name__ == "__main__":
    main()
