"""The form of a prior given by three numbers: a quarter, half and three quarters of all values are below them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtWidgets import QLabel, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import Value
from dpwizard.decision import edits
from dpwizard.privacy.priors import Distribution, Fitted, fitted, quarters_of
from ui.controls import mark_wrong
from ui.forms.number_editors import NumberEditor
from ui.forms.numbers import not_a_number, written
from ui.forms.plain_form import FOLDED, FoldedForm, PlainForm
from ui.session import DocumentSession
from ui.widgets import FieldGrid, Problem, added, named, tr

DIGITS = 6  # of a quarter that is shown


class QuartersForm(PlainForm):
    """The ends of a prior, if it has any, and its three quartiles; its parameters are behind a button.

    The belief is fitted as soon as all three numbers stand there; where it cannot have them exactly, those it has are
    said below.
    """

    def __init__(self, session: DocumentSession, where: str, kind: type[Value], names: Iterable[str]) -> None:
        assert issubclass(kind, Distribution)
        self.quarters: tuple[NumberEditor, ...] = ()
        self._fitted: Distribution | None = None  # the belief that what is typed here led to
        fields = tuple(names)
        super().__init__(session, where, kind, [name for name in fields if name in kind.ends])
        self.setObjectName(where)
        for end in self.editors.values():
            end.settled.connect(self._fit_again)
        asks = added(self.column, named(QLabel(tr("Share of all values that are smaller"), wordWrap=True), "caption"))
        self.grid = added(self.column, FieldGrid(3))
        self.quarters = tuple(map(NumberEditor, (tr("A quarter"), tr("Half"), tr("Three quarters"))))
        for number, quarter in enumerate(self.quarters):
            quarter.setObjectName(f"{where}.quarters[{number}]")
            quarter.line.setAccessibleName(tr("{group}: {what}", group=asks.text(), what=quarter.label.text()))
            quarter.explain(
                tr(
                    "What the adversary thinks possible, in the unit of the attribute: if half of all values are "
                    "below 38,000, enter 38000. Take it from public sources or assume it. Never take it from the "
                    "data."
                )
            )
            quarter.edited.connect(lambda _raw, _dragging, quarter=quarter: self._typed(quarter))
            quarter.settled.connect(lambda quarter=quarter: self._leave(quarter))
            self.grid.add(quarter)
        self.says = added(self.column, named(QLabel(wordWrap=True), "caption"))
        self.problem = added(self.column, Problem())
        rest = tuple(name for name in fields if name not in kind.ends)
        self.parameters = FoldedForm(session, where, kind, rest, tr("More: parameters of the distribution"), PlainForm)
        self.nested[FOLDED] = added(self.column, self.parameters)
        self.refresh()

    @property
    def prior(self) -> Distribution:
        """Return the prior as the decision has it."""
        prior: Distribution = edits.get(self._session.decision, self.where)
        return prior

    def quartiles(self) -> tuple[float, ...]:
        """Return the three numbers that stand in the fields; nothing while one is missing."""
        numbers = [quarter.read(quarter.line.text()) for quarter in self.quarters]
        return tuple(number for number in numbers if number is not None) if None not in numbers else ()

    def ask(self, numbers: Iterable[float]) -> None:
        """Type three NUMBERS, which another kind of prior was asked for, into the fields."""
        for quarter, number in zip(self.quarters, numbers, strict=True):
            quarter.rewrite(number)
        self._fit()

    def _typed(self, quarter: NumberEditor) -> None:
        """Fit the prior to the numbers in the fields after one was typed into."""
        text = quarter.line.text().strip()
        if text and quarter.read(text) is None:
            self._refuse((quarter,), not_a_number(text))
            return
        self._fit(quarter)

    def _leave(self, quarter: NumberEditor) -> None:
        """Write a number as it is read; what is refused stays as it was typed."""
        number = quarter.read(quarter.line.text())
        if number is not None and not self.problem.text():
            quarter.rewrite(number)
        self._session.settle()

    def _fit(self, last: NumberEditor | None = None) -> None:
        asked = self.quartiles()
        if not asked:
            self._show_problem((), "")
            self._say()
            return
        try:
            fit = fitted(self.prior, asked)
        except DPWizardError as problem:
            if problem.where in self.prior.ends:  # an end is still to come: then all is fitted
                self._say()
                return
            wrong = (last,) if last is not None and problem.where != "quarters" else self.quarters
            self._refuse(wrong, f"{problem.text[0].upper()}{problem.text[1:]}. {problem.remedy}")
            return
        self._fitted = fit.prior
        self._show_problem((), "")
        self._session.put(tr("Set the quarters"), self.where, fit.prior, merge=f"{self.where}.quarters")
        self._say(fit)

    def _fit_again(self) -> None:
        """Fit the prior within its ends, which have changed."""
        if self.quartiles() and self.prior != self._fitted:
            self._fit()

    def _refuse(self, wrong: Iterable[NumberEditor], words: str) -> None:
        """Say in WORDS why the numbers are not used, and which prior is used."""
        self._session.take_back(f"{self.where}.quarters")
        prior = self.prior
        force = (
            tr("Not used: this is not answered yet.")
            if prior.missing()
            else tr("Not used. The value is still {value}.", value=self._quarters_in_words(quarters_of(prior)))
        )
        self._show_problem(wrong, f"{words} {force}")

    def _show_problem(self, wrong: Iterable[NumberEditor], words: str) -> None:
        marked = tuple(wrong)
        for quarter in self.quarters:
            mark_wrong(quarter.line, quarter in marked)
            quarter.line.setAccessibleDescription(words if quarter in marked else quarter.explanation.words)
        self.problem.say(words)
        self.says.setVisible(not words)

    def _quarters_in_words(self, numbers: Iterable[float]) -> str:
        low, half, high = (written(float(f"{number:.{DIGITS}g}")) for number in numbers)
        return tr(
            "a quarter below {low}, half below {half}, three quarters below {high}", low=low, half=half, high=high
        )

    def _say(self, fit: Fitted | None = None) -> None:
        """Say whether the prior has the quarters in the fields, or which it has."""
        if fit is None:
            self.says.setText(tr("These three numbers are enough.") if self.prior.missing() else "")
        elif fit.exact:
            self.says.setText(tr("The distribution has exactly these quarters."))
        else:
            near = self._quarters_in_words(fit.quarters)
            self.says.setText(tr("No distribution has exactly these quarters. The nearest is used: {near}.", near=near))

    def refresh(self) -> None:
        super().refresh()
        if not self.quarters:
            return
        prior = edits.get(self._session.decision, self.where)
        if not isinstance(prior, self.kind) or self._same(prior) or self.problem.text():
            return
        assert isinstance(prior, Distribution)
        if prior.missing():
            if self._fitted is not None:  # taken back
                self._rewrite(None)
            return
        self._fitted = prior
        self._rewrite(prior)

    def _same(self, prior: Value) -> bool:
        """Return whether PRIOR is what is shown, or within other ends, and to be fitted once these are typed."""
        others = set(self.kind.model_fields) - set(self.editors)
        return self._fitted is not None and all(getattr(prior, name) == getattr(self._fitted, name) for name in others)

    def _rewrite(self, prior: Distribution | None) -> None:
        """Show where the quarters of PRIOR lie; without it, empty fields."""
        self._fitted = prior
        known: tuple[Any, ...] = (None,) * len(self.quarters)
        if prior is not None:
            known = tuple(float(f"{number:.{DIGITS}g}") for number in quarters_of(prior))
        for quarter, number in zip(self.quarters, known, strict=True):
            quarter.rewrite(number)
        self._show_problem((), "")
        self._say()

    def forget_problems(self) -> None:
        if self.quarters:
            prior = self.prior
            self._rewrite(None if prior.missing() else prior)
        super().forget_problems()

    def reach(self, where: str) -> bool:
        inside = where.startswith(f"{self.where}.") and where.removeprefix(f"{self.where}.") not in self.editors
        if inside and self.prior.missing() and self.parameters.form is None:
            first: QWidget = next(
                (quarter.line for quarter in self.quarters if not quarter.line.text()), self.quarters[0].line
            )
            first.setFocus()
            return True
        return super().reach(where)
