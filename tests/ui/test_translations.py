"""Every text the window shows goes through `tr` or the wording, and has its translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from dpwizard.base.language import LANGUAGES
from tests.samples.source_tree import ROOT, called, nodes, sources, tree
from tests.samples.words import OWN_WORDS, keyed, phrases

UI = ROOT / "ui"
OTHERS = [language for language in LANGUAGES if language != "en"]

TRANSLATING = {"tr", "word", "format_text", "phrase", "recorded", "texts.word", "texts.format_text", "unmnemonic"}
BOXES = {"question", "warning", "information", "critical", "about"}
# What takes words for people, as an argument in any place.
TAKES_WORDS = """
    setText setToolTip setAccessibleName setAccessibleDescription setWindowTitle setPlaceholderText setTitle
    setInformativeText setDetailedText setStatusTip setWhatsThis setLabel set_label addItem insertItem addMenu
    addAction addButton addItems setHorizontalHeaderLabels setVerticalHeaderLabels setSuffix setPrefix setLabelText
    QLabel QPushButton QAction QCheckBox QRadioButton QToolButton QGroupBox QDockWidget QMenu Card Prose Statement
    Notice Folding MenuEntry FileRow TextEditor NumberEditor SliderEditor ChoiceEditor LongTextEditor NamesEditor
    NumbersEditor say complain show_note show_problem explain announce ask_file ask_files ask_place ask_folder
    PairedArrays
"""
SHOWING = BOXES | set(TAKES_WORDS.split())
KEY = re.compile("[a-z_0-9]+")
NAMING = {"edit", "put"}  # of a session: the first argument is the name of a step of the history
WORDS = re.compile(r"[A-Za-z]{2,}")
NO_WORDS = re.compile(
    r"\*\.\w+|<[^>]*>|&\w+;|\b(?:PNG|SVG|CSV|JSON|PDF|SHA-256|UTC|OpenDP|dpwizard|YAML|HTML)\b|\[\*\]"
)
CLASS_TEXTS = {"title", "words", "heading", "why", "label"}


def marked() -> Iterator[tuple[str, ast.Call, ast.expr]]:
    """Yield every text that is marked with `tr`: where, the call, the argument."""
    for path in sources("ui"):
        for node in nodes(path):
            if isinstance(node, ast.Call) and called(node) == "tr":
                for argument in node.args:
                    yield f"{path.relative_to(UI)}:{node.lineno}", node, argument


def texts() -> dict[str, str]:
    return {
        argument.value: where
        for where, _, argument in marked()
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    }


def test_every_text_marked_is_written_out_in_the_source() -> None:
    put_together = [
        where
        for where, _, argument in marked()
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str))
    ]
    assert put_together == []


def test_every_figure_of_a_text_is_given_and_none_besides() -> None:
    wrong = []
    for where, call, argument in marked():
        given = {keyword.arg for keyword in call.keywords} | {"budget", "Budget", "a_budget"}  # said by the language
        if isinstance(argument, ast.Constant) and None not in given and places(str(argument.value)) - given:
            wrong.append(f"{where}: {argument.value}")
    assert wrong == []


def places(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


def needed_places(text: str) -> set[str]:
    """Return the places that every translation of TEXT has."""
    return places(text) - OWN_WORDS


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_window_has_its_translation_with_the_same_figures(language: str) -> None:
    known, found = phrases("window", language), texts()
    assert sorted(f"{where}: {text}" for text, where in found.items() if text not in known) == []
    assert [text for text in found if needed_places(text) != needed_places(known[text])] == []


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_command_line_has_its_translation(language: str) -> None:
    known, found = phrases("command_line", language), set()
    room = UI.parent / "dpwizard"
    files = [*sorted((room / "cli").glob("*.py")), room / "signing" / "findings.py"]
    module = ast.Module([statement for path in files for statement in tree(path).body], [])
    texts = {node.value for node in ast.walk(module) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and called(node) == "said" and node.args:
            if isinstance(node.args[0], ast.Constant):
                found.add(node.args[0].value)
            else:  # a name that runs through a table of texts close by
                found |= texts & known.keys()
    assert sorted(found - set(known)) == []
    assert [text for text in found if places(text) != places(known[text])] == []


def plain_texts(node: ast.expr) -> Iterator[str]:
    """Yield the texts in an expression that do not go through a translation."""
    if isinstance(node, ast.Call):
        if called(node) in TRANSLATING - {"unmnemonic"}:
            return
        for inner in (*node.args, *(keyword.value for keyword in node.keywords)):
            if called(node) in (
                "get",
                "value",
                "setProperty",
                "joinpath",
                "strip",
                "rstrip",
                "removesuffix",
                "removeprefix",
                "replace",
                "join",
            ):
                continue  # a key, or what is taken away
            yield from plain_texts(inner)
    elif isinstance(node, ast.Constant):
        if isinstance(node.value, str):
            yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(part.value if isinstance(part, ast.Constant) else "" for part in node.values)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from plain_texts(part.value)
    elif isinstance(node, ast.IfExp):
        yield from plain_texts(node.body)
        yield from plain_texts(node.orelse)
    elif isinstance(
        node, ast.BinOp | ast.BoolOp | ast.Tuple | ast.List | ast.Starred | ast.GeneratorExp | ast.ListComp
    ):
        for inner in ast.iter_child_nodes(node):
            if isinstance(inner, ast.expr):
                yield from plain_texts(inner)


def speaks(text: str) -> bool:
    return WORDS.search(NO_WORDS.sub("", text)) is not None


def _names_a_section(call: ast.Call) -> bool:
    return bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value in keyed("en")


def unmarked(path: Path) -> Iterator[str]:
    for node in nodes(path):
        where = f"{path.relative_to(UI)}:{getattr(node, 'lineno', 0)}"
        shown: list[ast.expr] = []
        if isinstance(node, ast.Call) and called(node) in SHOWING:
            named = [
                keyword.value
                for keyword in node.keywords
                if keyword.arg in ("text", "title", "words", "label", "help", "parent")
            ]
            shown = [*node.args, *named]
            if called(node) in ("say", "explain") and _names_a_section(node):
                shown = []  # a sentence of the wording, by its key
            if called(node) == "Prose":
                shown = node.args[:1]  # the second is how it looks
            if called(node) in ("addItem", "insertItem", "setLabel"):
                shown = [
                    argument
                    for argument in node.args
                    if not isinstance(argument, ast.Constant) or not KEY.fullmatch(str(argument.value))
                ]
            if called(node) in BOXES and not ast.unparse(node.func).startswith("QMessageBox."):
                shown = []  # a line of the log
            if called(node) == "MenuEntry":
                shown = node.args[1:2]
        elif isinstance(node, ast.Call) and called(node) in NAMING and "session" in ast.unparse(node.func):
            shown = node.args[:1]
        elif isinstance(node, ast.ClassDef):
            for line in node.body:
                target = line.targets[0] if isinstance(line, ast.Assign) else getattr(line, "target", None)
                if (
                    isinstance(line, ast.Assign | ast.AnnAssign)
                    and isinstance(target, ast.Name)
                    and target.id in CLASS_TEXTS
                    and line.value
                ):
                    shown.append(line.value)
        for expression in shown:
            yield from (f"{where}: {text}" for text in plain_texts(expression) if speaks(text))


def test_no_text_reaches_a_widget_without_a_translation() -> None:
    assert [line for path in sources("ui") for line in unmarked(path)] == []
