"""Forms made from the declarations: each field of a value gets the editor that its type and range call for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from typing import Any, Protocol

from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, hints
from dpwizard.decision import edits
from ui.forms.editor import Editor
from ui.forms.fields import editor_for
from ui.forms.origins import OriginChoice
from ui.session import DocumentSession
from ui.widgets import FieldGrid, Fold, added, plain, theme, tr, within

FOLDED = "…"  # the name under which a form keeps the fields that are folded away


class Inner(Protocol):
    """What stands in a form for a field that holds values."""

    def refresh(self) -> None:
        """Show what the decision holds."""

    def forget_problems(self) -> None:
        """Show what the decision holds, and no problem."""

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is here."""


class PlainForm(QWidget):
    """The editors of some fields of the value at one path of the decision, kept in step with the session.

    Numbers without a slider stand two in a row.
    """

    def __init__(self, session: DocumentSession, where: str, kind: type[Value], names: Iterable[str]) -> None:
        super().__init__()
        self._session = session
        self.where, self.kind = where, kind
        self.editors: dict[str, Editor] = {}
        self._refused: dict[str, Any] = {}  # by field with a problem: the answer that was in force when it was refused
        self._putting = ""  # the field whose answer is being put
        self.nested: dict[str, Inner] = {}  # what `nest` added, by field
        self.origins: list[OriginChoice] = []  # where the numbers come from that one might look up in the data
        self.column = plain(QVBoxLayout(self), theme.NEAR + theme.TIGHT)
        grid: FieldGrid | None = None
        for name in names:
            if self.nest(kind, name, self.column):
                grid = None
                if hints(kind, name).tempting:
                    self._ask_origin(name, phrase("label", kind.model_fields[name].title or name), self.column)
                continue
            editor = editor_for(kind, name)
            if not editor.short:
                grid = None
            elif grid is None:
                grid = added(self.column, FieldGrid())
            self.add(name, editor)
            if hints(kind, name).tempting:
                grid = None
                self.column.addWidget(editor)
                self._ask_origin(name, editor.label.text(), self.column)
            elif grid is None:
                self.column.addWidget(editor)
            else:
                grid.add(editor)
        self.refresh()

    def fold(self, names: tuple[str, ...], title: str) -> FoldedForm:
        """Add the fields NAMES behind a button called TITLE, at the end."""
        folded = added(self.column, FoldedForm(self._session, self.where, self.kind, names, title, type(self)))
        self.nested[FOLDED] = folded
        return folded

    def add(self, name: str, editor: Editor) -> None:
        """Listen to the editor EDITOR for field NAME."""
        path = f"{self.where}.{name}"
        editor.setObjectName(path)
        editor.edited.connect(partial(self._put, name))
        editor.settled.connect(self._session.settle)
        editor.settled.connect(lambda: self._tidy(name))
        self.editors[name] = editor

    def _ask_origin(self, name: str, label: str, column: QVBoxLayout) -> None:
        """Ask, under the field NAME, where its number comes from: never from the data."""
        origin = OriginChoice(self._session, f"{self.where}.{name}", label)
        self.origins.append(origin)
        column.addWidget(origin)

    def nest(self, kind: type[Value], name: str, column: QVBoxLayout) -> bool:
        """Add to COLUMN what stands for field NAME of KIND, and return if it holds values: not in a plain form."""
        return False

    def _put(self, name: str, raw: Any, dragging: bool) -> None:
        editor = self.editors[name]
        path = f"{self.where}.{name}"
        self._putting = name
        try:
            words = editor.objection(raw)
            if not words:
                problem = self._session.put(*self._edit(name, raw), merge=path if dragging else None)
                words = editor.problem_in_words(problem, raw) if problem is not None else ""
            if words:
                self._session.take_back(path)  # "0,7" where that is no number: its 0 is not the answer
        finally:
            self._putting = ""
        now = self._refused[name] = edits.get(self._session.decision, path)
        if words:
            editor.refuse(words, now)
        else:
            editor.show_problem("")
            editor.show_value(now)

    def _edit(self, name: str, raw: Any) -> tuple[str, str, Any]:
        """Return what Undo calls putting RAW into field NAME, where that is put, and what, with all that it changes."""
        editor = self.editors[name]
        called = tr("Set {field}", field=within(editor.label.text()))
        more = editor.together(self._session.decision, self.where)
        if not more:
            return called, f"{self.where}.{name}", raw
        value = edits.get(self._session.decision, self.where)
        whole_value = {field: getattr(value, field) for field in type(value).model_fields}
        return called, self.where, {**whole_value, name: raw, **more}

    def _tidy(self, name: str) -> None:
        """Write the answer in force into a field that was left; one with a problem keeps what was typed, in red."""
        editor = self.editors[name]
        if not editor.problem.text():
            editor.tidy(edits.get(self._session.decision, f"{self.where}.{name}"))

    def refresh(self) -> None:
        """Show what the decision holds; a field with a problem keeps what was typed, until it is answered otherwise."""
        for name, editor in self.editors.items():
            editor.look_around(self._session.decision, self.where)
            if name == self._putting:
                continue  # shown, or refused, as soon as that is known
            now = edits.get(self._session.decision, f"{self.where}.{name}")
            # a button, a handle or Undo has answered it
            if editor.problem.text() and self._refused.get(name, now) != now:
                editor.show_problem("")
                editor.rewrite(now)
            elif not editor.problem.text():
                editor.show_value(now)
        for inner in self.nested.values():
            inner.refresh()
        for origin in self.origins:
            origin.refresh()

    def forget_problems(self) -> None:
        """Take all problems away and show the decision: something else was chosen meanwhile (undo, another file)."""
        for name, editor in self.editors.items():
            editor.show_problem("")
            editor.rewrite(edits.get(self._session.decision, f"{self.where}.{name}"))
        self.refresh()
        for inner in self.nested.values():
            inner.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the editor of the path WHERE, if it is here."""
        for name, editor in self.editors.items():
            if where == f"{self.where}.{name}" or where.startswith((f"{self.where}.{name}.", f"{self.where}.{name}[")):
                editor.reach()
                return True
        for origin in self.origins:
            if where == origin.objectName():
                origin.reach()
                return True
        return any(inner.reach(where) for inner in self.nested.values())


class FoldedForm(Fold):
    """Some fields of the value at one path; their form is made when it is first opened."""

    def __init__(
        self,
        session: DocumentSession,
        where: str,
        kind: type[Value],
        names: tuple[str, ...],
        title: str,
        form: type[PlainForm],
    ) -> None:
        self._session, self.where, self._title = session, where, title
        self._defaults = {name: kind.model_fields[name].default for name in names}
        self._make_form = partial(form, session, where, kind, names)
        self.form: PlainForm | None = None
        super().__init__(title, self._add_form, card=False)
        self.refresh()

    def _add_form(self, column: QVBoxLayout) -> None:
        self.form = added(column, self._make_form())

    def answered(self) -> int:
        """Return how many of the fields are answered."""
        value = edits.get(self._session.decision, self.where)
        return sum(getattr(value, name, default) != default for name, default in self._defaults.items())

    def refresh(self) -> None:
        """Say how many fields are answered, and show them where they are open."""
        title, count = self._title, self.answered()
        self.say(tr("{title} ({count} answered)", title=title, count=count) if count else title)
        if self.form is not None:
            self.form.refresh()

    def forget_problems(self) -> None:
        """Show the fields as they are."""
        self.refresh()
        if self.form is not None:
            self.form.forget_problems()

    def reach(self, where: str) -> bool:
        """Open, and give the keyboard to the field of the path WHERE, if it is here."""
        field = re.split(r"[.\[]", where.removeprefix(f"{self.where}."), maxsplit=1)[0]
        if not where.startswith(f"{self.where}.") or field not in self._defaults:
            return False
        self.open()
        return self.form is not None and self.form.reach(where)
