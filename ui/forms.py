"""Forms made from the declarations: each field of a value gets the editor that its type and range call for.

A new kind of requirement, profile or prior thus has its form without a line here. Labels, help and units
are those of the declaration; what is wrong with an answer is said by the model, beside the field.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard import edits
from dpwizard.explain import word
from dpwizard.fields import Value
from ui import theme
from ui.editors import BeliefEditor, ChoiceEditor, Editor, LongTextEditor, NumberEditor, SliderEditor, TextEditor, YesNoEditor
from ui.session import Session

LONG = 1_000  # characters; a text that may be longer gets several lines
SECTIONS = ("outcome", "mechanism", "neighbours", "adversary", "shape", "choice")  # where the words for choices stand
RATIOS = frozenset({"ratio", "factor"})


@functools.cache
def declared(kind: type[Value]) -> Mapping[str, Mapping[str, Any]]:
    """Return the declaration of every field of KIND: its schema with title, description and unit, "not answered" left out."""
    schema = kind.model_json_schema()
    found = {}
    for name, field in schema["properties"].items():
        options = [option for option in field.get("anyOf", [field]) if option.get("type") != "null"]
        core = options[0] if len(options) == 1 else {"anyOf": options}
        optional = len(options) < len(field.get("anyOf", [field]))
        found[name] = {
            **core,
            "title": field.get("title", name),
            "description": field.get("description", ""),
            "unit": field.get("unit", ""),
            "optional": optional,
        }
    return found


def choices(name: str, keys: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the words for the KEYS that field NAME can take."""
    return tuple((key, _words(name, key)) for key in keys)


def _words(name: str, key: str) -> str:
    for section in (name, *SECTIONS):
        try:
            said = word(section, key)
        except KeyError:
            continue
        if said != key:
            return said[0].upper() + said[1:]
    return key.replace("_", " ").capitalize()


def editor(kind: type[Value], name: str) -> Editor:
    """Return the editor for field NAME of KIND."""
    field = declared(kind)[name]
    label, help, unit = field["title"], field["description"], field["unit"]
    if "enum" in field:
        return ChoiceEditor(label, help, choices(name, field["enum"]), optional=field["optional"])
    if "oneOf" in field and any("prefixItems" in option for option in field["oneOf"]):
        return BeliefEditor(label, help)
    types = {option.get("type") for option in field.get("anyOf", [field])}
    if "number" in types:
        return _number(name, field, label, help, unit)
    if "integer" in types:
        return NumberEditor(label, help, unit, whole=True)
    if "boolean" in types:
        return YesNoEditor(label, help)
    return LongTextEditor(label, help) if field.get("maxLength", 0) > LONG else TextEditor(label, help)


def _number(name: str, field: Mapping[str, Any], label: str, help: str, unit: str) -> Editor:
    low = field.get("minimum", field.get("exclusiveMinimum"))
    high = field.get("maximum", field.get("exclusiveMaximum"))
    if (low, high) == (0, 1):
        return SliderEditor(label, help, unit or "in 100", low=0.0, high=1.0, ends=("0 in 100", "100 in 100"), factor=100.0)
    if name in RATIOS:
        return SliderEditor(label, help, unit or "times", low=1.0, high=1000.0, log=True, ends=("1 time: nothing learned", "1,000 times"))
    return NumberEditor(label, help, unit)


class Form(QWidget):
    """The editors of some fields of the value at one path of the decision, kept in step with the session."""

    def __init__(self, session: Session, where: str, kind: type[Value], names: Iterable[str]) -> None:
        super().__init__()
        self._session = session
        self.where = where
        self.editors: dict[str, Editor] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.NEAR)
        for name in names:
            self.add(name, editor(kind, name), column)
        self.refresh()

    def add(self, name: str, made: Editor, column: QVBoxLayout) -> None:
        """Put the editor MADE for field NAME into COLUMN and listen to it."""
        path = f"{self.where}.{name}"
        made.setObjectName(path)
        made.edited.connect(lambda raw, dragging: self._put(name, raw, dragging))
        made.settled.connect(self._session.settle)
        self.editors[name] = made
        column.addWidget(made)

    def _put(self, name: str, raw: Any, dragging: bool) -> None:
        made = self.editors[name]
        path = f"{self.where}.{name}"
        problem = self._session.put(f"Set {made.label.text().lower()}", path, raw, merge=path if dragging else None)
        made.show_problem("" if problem is None else f"{problem.message[0].upper()}{problem.message[1:]}. {problem.hint}")

    def refresh(self) -> None:
        """Show what the decision holds; a field with a problem keeps what was typed."""
        for name, made in self.editors.items():
            if not made.problem.text():
                made.show_value(edits.get(self._session.decision, f"{self.where}.{name}"))

    def forget_problems(self) -> None:
        """Take all problems away and show the decision: something else was chosen meanwhile (undo, another file)."""
        for made in self.editors.values():
            made.show_problem("")
        self.refresh()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the editor of the path WHERE, if it is here."""
        for name, made in self.editors.items():
            if where == f"{self.where}.{name}" or where.startswith((f"{self.where}.{name}.", f"{self.where}.{name}[")):
                made.reach()
                return True
        return False
