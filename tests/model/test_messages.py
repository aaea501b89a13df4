"""Errors, findings and reasons: templates with figures until they are shown."""

from __future__ import annotations

import ast
import copy
import json
import pickle
import re
import string
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.language import LANGUAGES, phrase, speaking
from dpwizard.base.messages import Quantity, joined, listed, message, sentence, verbatim
from dpwizard.decision import edits, new_decision, read_decision
from dpwizard.privacy.compute import as_plain
from scripts.make_messages import ERRORS
from tests.samples.source_tree import called, nodes, place, sources
from tests.samples.words import phrases

OTHERS = [language for language in LANGUAGES if language != "en"]
NAMES = ("3.10", "1,000", "is missing", "a and b")  # what an officer may call a part: no words or numbers of ours
NARROW = "\u202f"


# ------------------------------------------------------------------------------------ in the source


def choices(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an argument may be: both sides of a condition."""
    if isinstance(node, ast.IfExp):
        yield from (*choices(node.body), *choices(node.orelse))
    else:
        yield node


def templates() -> Iterator[tuple[str, ast.expr]]:
    """Yield every template of a message, with where it stands."""
    for path in sources("dpwizard", "ui"):
        for node in nodes(path):
            if not isinstance(node, ast.Call) or path.stem == "messages":
                continue
            held = called(node) == "partial" and node.args and ast.unparse(node.args[0]) == "message"
            if held or ast.unparse(node.func) == "message":
                for given in node.args[1:] if held else node.args:
                    yield from ((place(path, node), one) for one in choices(given))


def raised(filled: bool = True) -> Iterator[tuple[str, ast.expr]]:
    """Yield what every error says and advises, also of those that are FILLED with figures."""
    for path in sources("dpwizard", "ui"):
        for node in nodes(path):
            if isinstance(node, ast.Call) and called(node) in ERRORS and (filled or not node.keywords):
                for given in (*node.args[:1], *node.args[2:3]):
                    yield from ((place(path, node), one) for one in choices(given))


@cache
def texts() -> dict[str, str]:
    """Return every sentence of the model by where it stands."""
    found = [*templates(), *raised()]
    return {one.value: where for where, one in found if isinstance(one, ast.Constant) and one.value}


def places(template: str) -> set[tuple[str, str]]:
    return {(name, way or "") for _, name, way, _ in string.Formatter().parse(template) if name}


@pytest.mark.slow
def test_every_template_is_written_out_in_the_source() -> None:
    assert [where for where, one in templates() if not isinstance(one, ast.Constant)] == []


def test_no_error_puts_its_sentence_together() -> None:
    assert [where for where, one in raised() if isinstance(one, ast.JoinedStr | ast.BinOp)] == []


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_every_template_has_its_words_with_the_same_places(language: str) -> None:
    known = phrases("message", language)
    assert sorted(f"{where}: {text}" for text, where in texts().items() if text not in known) == []
    wrong = [text for text in texts() if text not in plain() and places(text) != places(known[text])]
    assert wrong == []


@cache
def plain() -> set[str]:
    """Return the sentences with braces that are no places: they are never filled."""
    return {one.value for _, one in raised(filled=False) if isinstance(one, ast.Constant)}


def findings() -> Iterator[tuple[str, str]]:
    """Yield every text that reads like a sentence where what is found is said: titles of checks, reasons, remedies."""
    for path in sources("dpwizard"):
        if (path.parent.name != "signing" and path.stem not in ("files", "json_text")) or path.stem == "exports":
            continue
        passed = {
            inner
            for node in nodes(path)
            if isinstance(node, ast.Expr | ast.JoinedStr)
            or (isinstance(node, ast.Call) and called(node) in ("said", "field", "declared"))
            for inner in (ast.iter_child_nodes(node) if isinstance(node, ast.Expr) else ast.walk(node))
        }
        for node in nodes(path):
            text = node.value if isinstance(node, ast.Constant) and node not in passed else None
            if isinstance(text, str) and re.search("[a-z]{2,} [a-z]", text):
                yield place(path, node), text


@pytest.mark.slow
@pytest.mark.parametrize("language", OTHERS)
def test_everything_a_verification_finds_has_its_words(language: str) -> None:
    known = phrases("message", language)
    plurals = {one.value for _, one in templates() if isinstance(one, ast.Constant)}
    assert [f"{where}: {text}" for where, text in findings() if text not in known and text not in plurals] == []


# ------------------------------------------------------------------------------------ what is said


def test_a_message_is_its_english_text() -> None:
    made = message("must be at least {least}; found {found:g}", least=3, found=0.25)
    assert made == "must be at least 3; found 0.25"
    assert json.dumps(made) == '"must be at least 3; found 0.25"'
    assert copy.deepcopy(made).figures == pickle.loads(pickle.dumps(made)).figures == {"least": 3, "found": 0.25}


def test_figures_are_written_as_the_language_writes_them_and_other_texts_stay() -> None:
    made = message("has more than {most:,} bytes, which no file of a record has", most=1_234_567)
    with speaking("de"):
        assert made.text() == f"hat mehr als 1{NARROW}234{NARROW}567 Bytes, wie keine Datei eines Protokolls"
        assert (
            message('the name "{name}" is given twice', name="1,000.5").text()
            == "der Name „1,000.5“ ist doppelt vergeben"
        )
        assert verbatim("1,000.5").text() == "1,000.5"
    assert made.text() == "has more than 1,234,567 bytes, which no file of a record has"


def test_a_message_in_a_place_is_said_in_its_own_words() -> None:
    inner = message("the PDF is missing"), message("nobody has signed it"), verbatim("is missing")
    made = message("Not determined: {names}.", names=listed(inner))
    assert made == "Not determined: the PDF is missing, nobody has signed it and is missing."
    with speaking("de"):
        assert made.text() == "Nicht feststellbar: das PDF fehlt, niemand hat es signiert und is missing."
        assert joined([verbatim("$.name"), sentence("is missing")]).text() == "$.name fehlt"


def test_a_plural_follows_the_rules_of_the_language() -> None:
    said = "Unchanged since signing by {names}; the "
    forms = (" of {strangers} is", "s of {strangers} are")
    templates = tuple(f"{said}certificate{form} not trusted here." for form in forms)
    one, many = (message(*templates, names="Ben", strangers="Ada", count=count) for count in (1, 2048))
    assert (one, many) == tuple(text.format(names="Ben", strangers="Ada") for text in templates)
    with speaking("de"):
        assert one.text().endswith("; dem Zertifikat von Ada wird hier nicht vertraut.")
        assert many.text().endswith("; den Zertifikaten von Ada wird hier nicht vertraut.")
        assert (
            phrase("window", "{n} entry is left out.", "{n} entries are left out.", 2)
            == "{n} Einträge sind weggelassen."
        )


def test_a_form_shows_quantities_in_its_own_unit() -> None:
    with pytest.raises(InvalidInput) as caught:
        edits.put(read_decision(DECISION), "$.requirements[0].advantage", 1.5)
    problem = caught.value.scaled(100)
    assert caught.value.message == "must be in [0, 1]; found 1.5"
    assert problem.message == "must be in [0, 100]; found 150"
    assert (
        message("holds {found} entries for {count} requirements", found=2, count=Quantity(3))
        .scaled(100)
        .endswith("300 requirements")
    )


DECISION: dict[str, Any] = {
    "format": "dpwizard.decision/1",
    "release": {},
    "requirements": [{"kind": "categorical_advantage"}],
}


# ------------------------------------------------------------------- what an officer typed stays untouched


def problem_with(name: str, *, twice: bool) -> DPWizardError:
    other = name if twice else "other"
    parts = [{"name": name, "disjoint_with": [] if twice else ["nowhere " + name]}, {"name": other}]
    with pytest.raises(DPWizardError) as caught:
        read_decision({"format": "dpwizard.decision/1", "release": {"parts": parts}})
    return caught.value


@pytest.mark.parametrize("name", NAMES)
def test_the_name_of_a_part_stands_untouched_in_an_error(name: str) -> None:
    with speaking("de"):
        assert problem_with(name, twice=True).text == f"der Name „{name}“ ist doppelt vergeben"
        assert problem_with(name, twice=False).text == f"„nowhere {name}“ ist keine andere Tabelle"
        with pytest.raises(DPWizardError) as caught:
            edits.put(new_decision(), "$.release.sensitivity", name)
        assert caught.value.text == f'muss eine Zahl sein; gefunden: "{name}"'
        assert as_plain(caught.value)["message"] == f'must be a number; found "{name}"'
