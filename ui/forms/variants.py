"""A value that is one of several kinds (shape of a profile, family of a prior), and forms with such values."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, Variant
from dpwizard.decision import AddsUpTo, Total, edits
from dpwizard.privacy.priors import Distribution
from dpwizard.wording import describe
from ui.forms.choice_editors import ChoiceEditor
from ui.forms.fields import OF_VALUES, inner_kinds
from ui.forms.plain_form import PlainForm
from ui.forms.prior_tools import PriorTools
from ui.forms.profile_tables import FORMS
from ui.forms.quarters_form import QuartersForm
from ui.forms.rows import Rows
from ui.session import DocumentSession
from ui.widgets import added, drop, named, plain, theme, tr, within


class Variants(QWidget):
    """The choice of a kind for the value at one path of the decision, and the fields of that kind."""

    def __init__(
        self,
        session: DocumentSession,
        where: str,
        kinds: tuple[type[Value], ...],
        form: type[PlainForm],
        *,
        label: str,
        help: str = "",
    ) -> None:
        """Show a value of most kinds in a FORM."""
        super().__init__()
        self.session, self.where, self.name, self._form = session, where, within(label), form
        self.tag = next(iter(kinds[0].model_fields)) if len(kinds) > 1 else ""
        self.kinds = {kind.model_fields[self.tag].default: kind for kind in kinds} if self.tag else {}
        offered = tuple((key, describe(kind.title)) for key, kind in self.kinds.items() if issubclass(kind, Variant))
        self._column = plain(QVBoxLayout(self), theme.NEAR + theme.TIGHT)
        self.choice = ChoiceEditor(label, help, offered)
        self.choice.explain(help)
        self.choice.setObjectName(f"{where}.{self.tag}")
        self.choice.edited.connect(lambda key, _: self._choose(key))
        self._column.addWidget(self.choice)
        self.form: PlainForm | None = None
        self._shown: type[Value] | None = None
        self.tools = PriorTools(session, where) if issubclass(kinds[0], Distribution) else None
        if self.tools is not None:
            self._column.addWidget(self.tools)
        self.refresh()

    def _choose(self, key: str | None) -> None:
        """Put a value of kind KEY there; what it has in common with the one before is kept."""
        asked = self.form.quartiles() if isinstance(self.form, QuartersForm) else ()
        old = edits.get(self.session.decision, self.where)
        kept: dict[str, Any] = {}
        if key is not None and old is not None:
            names = [name for name in self.kinds[key].model_fields if name != self.tag]
            kept = {name: getattr(old, name) for name in names if getattr(old, name, None) is not None}
        text = tr("Choose {field}", field=self.name)
        problem = self.session.put(text, self.where, None if key is None else {self.tag: key, **kept})
        if problem is not None:  # what has the same name there is another thing: nothing is kept
            problem = self.session.put(text, self.where, {self.tag: key})
        self.choice.show_problem("" if problem is None else self.choice.problem_in_words(problem, key))
        if asked and isinstance(self.form, QuartersForm):
            self.form.ask(asked)

    def refresh(self) -> None:
        """Show the value as it is; the form is made anew only when its kind has changed."""
        value = edits.get(self.session.decision, self.where)
        kind = type(value) if isinstance(value, Value) else None
        if kind is not self._shown:
            self._shown = kind
            if self.form is not None:
                drop(self._column, (self.form,))
                self.form = None
            if kind is not None:
                names = (name for name in kind.model_fields if name != self.tag)
                form = QuartersForm if issubclass(kind, Distribution) and kind.by_quarters else self._form
                self.form = FORMS.get(kind, form)(self.session, self.where, kind, names)
                self._column.insertWidget(1, self.form)
        self.choice.show_value(getattr(value, self.tag, None) if value is not None else None)
        if self.form is not None:
            self.form.refresh()
        if self.tools is not None:
            self.tools.refresh()

    def forget_problems(self) -> None:
        """Show the value as it is, and no problem."""
        if self.tools is not None:
            self.tools.problem.say("")
        self.choice.show_problem("")
        self.refresh()
        if self.form is not None:
            self.form.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is here."""
        if self.form is not None and self.form.reach(where):
            return True
        if where == self.where or where.startswith((f"{self.where}.", f"{self.where}[")):
            self.choice.reach()
            return True
        return False


class Form(PlainForm):
    """The editors of some fields of the value at one path of the decision; a value in it has a form in its turn."""

    def nest(self, kind: type[Value], name: str, column: QVBoxLayout) -> bool:
        kinds, listed = inner_kinds(kind, name)
        if not kinds or kinds[0] in OF_VALUES:
            return False
        field, path = kind.model_fields[name], f"{self.where}.{name}"
        title = phrase("label", field.title or name)
        help = phrase("label", field.description) if field.description else ""
        if listed:
            label = named(QLabel(title), "caption")
            label.setToolTip(help)
            column.addWidget(label)
            called, add_words = _of_a_row(kinds[0], title)
            rows = Rows(self._session, path, kinds[0], Form, title=called, add_words=add_words, framed=False)
            if self.where.endswith("]"):  # a list within a row
                rows.column.setContentsMargins(theme.GROUP, 0, 0, 0)
            column.addWidget(rows)
            self.nested[name] = rows
        else:
            variants = added(column, Variants(self._session, path, kinds, Form, label=title, help=help))
            self.nested[name] = variants
        return True


def _of_a_row(kind: type[Value], title: str) -> tuple[str, str]:
    """Return what one row of a list called TITLE is called, which holds a KIND, and what the button says that adds one.

    Sums and totals stand within one another.
    """
    named = {AddsUpTo: (tr("Sum"), tr("Add a sum")), Total: (tr("Total"), tr("Add a total"))}
    return next((words for each, words in named.items() if each is kind), (title, tr("Add one")))
