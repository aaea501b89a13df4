"""The fields of a programme of tables: which tables add up, how many periods a person is in, and the public lists."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QWidget

from dpwizard.base import json_text
from dpwizard.base.csv_text import decoded
from dpwizard.base.errors import DPWizardError
from dpwizard.base.files import read_bytes
from dpwizard.base.values import declared
from dpwizard.decision import (
    DataDescription,
    Decision,
    InPeriods,
    attribute_names,
    edits,
    longest_uncut,
    with_code_list,
)
from dpwizard.wording import word
from ui.controls import Choice, Column, Line, NumberLine, Prose, RowsTable, ask_file
from ui.forms.editor import Editor, rewritten
from ui.forms.name_choices import PartChoice
from ui.forms.numbers import parsed, written
from ui.forms.text_editors import ReadEditor
from ui.widgets import Words, added, button_for, in_a_row, tr
from ui.workers import Background, refusal

FIELD = 48  # pixels of a number in a sentence
FIELDS = ("of", "rule")  # of the sentence about periods that are chosen from a list
SHOWN, FIRST = 8, 3  # attributes seen at once, and classes of one that are named
LEAST = 96  # pixels of a public list in little room


class SummedTableChoice(PartChoice):
    """A table, a total or an exact figure to which others add up."""

    def look_around(self, decision: Decision, where: str) -> None:
        release, row = decision.release, where.split(".adds_up_to[")[0]
        rows = [(table.place, table.name) for table in release.tables]
        rows += [(f"$.release.totals[{at}]", total.name) for at, total in enumerate(release.totals)]
        rows += [("", figure.name) for figure in release.exact_figures]
        self.offer([name for place, name in rows if name and place != row], edits.get(decision, self.objectName()))


class CountsEditor(ReadEditor):
    """How many numbers make each sum: one count for all sums, or one for each with spaces between."""

    def build(self) -> None:
        super().build()
        self.line.setPlaceholderText("")  # the meaning is too long for it

    def raw(self, text: str) -> Any:
        """Return the counts that TEXT says: one alone as it is, none of no text; what is no count stays a text."""
        words = filter(None, re.split(r"[;\s]+", text.strip("; ")))
        counts = tuple(int(word) if word.isdecimal() else word for word in words)
        return counts[0] if len(counts) == 1 else counts or None

    def in_words(self, value: Any) -> str:
        return " ".join(map(str, value)) if isinstance(value, tuple) else "" if value is None else str(value)


class PeriodsEditor(Editor):
    """In how many of the periods a person can be: a sentence that is used only when it is complete."""

    def build(self) -> None:
        self.count, self.within = NumberLine(), NumberLine()
        periods, rules = ([(key, word(name, key)) for key in declared(InPeriods, name)["enum"]] for name in FIELDS)
        self.of, self.rule = Choice(((None, tr("Not stated")), *periods)), Choice(rules)
        for line, name in (
            (self.count, tr("In at most this many periods")),
            (self.within, tr("Length of the stretch of time")),
        ):
            line.setFixedWidth(FIELD)
            line.textEdited.connect(lambda _: self._tell(True))
            line.editingFinished.connect(self.settled)
            line.setAccessibleName(name)
        for box in (self.of, self.rule):
            box.activated.connect(lambda _: self._tell(False))
        self.column.addWidget(in_a_row(Words(tr("In at most")), self.count, self.of))
        self._which = added(self.column, in_a_row(Words(tr("which periods")), self.rule, self.within))
        self._half = False  # whether some of the sentence is still to be said
        self._offered: str | None = None  # the kind of period that the tables have

    def look_around(self, decision: Decision, where: str) -> None:
        """Begin the sentence with the kind of period that the tables have, so that it need not be chosen."""
        kind = longest_uncut(part.period for part in decision.release.parts if part.period)
        if kind != self._offered:
            untouched = self.of.currentData() in (None, self._offered) and not self.count.text()
            self._offered = kind
            if untouched:
                self.of.show_key(kind)
                self._show()

    def controls(self) -> tuple[QWidget, ...]:
        return (self.count, self.of, self.rule, self.within)

    def _raw(self) -> dict[str, Any] | None:
        """Return what the sentence says; None where some of it is open."""
        values = {"at_most": _number(self.count.text()), "of": self.of.currentData(), "rule": self.rule.currentData()}
        values |= {"within": _number(self.within.text())} if values["rule"] == "rolling" else {}
        return None if None in values.values() else values

    def _tell(self, dragging: bool) -> None:
        raw = self._raw()
        self._half = raw is None and bool(self.count.text() or self.of.currentData() not in (None, self._offered))
        self.edited.emit(raw, dragging)
        if not dragging:
            self.settled.emit()
        self._show()

    def _show(self) -> None:
        self._which.setVisible(self.of.currentData() is not None)
        self.within.setVisible(self.rule.currentData() == "rolling")
        self.show_note(tr("Not used until the sentence is complete.") if self._half else "")

    def show_value(self, value: Any) -> None:
        stated = None if value is None else value.model_dump(mode="json", exclude_none=True)
        if stated != self._raw():
            self.rewrite(value)
        self._show()

    def rewrite(self, value: Any) -> None:
        self._half = False
        for line, name in ((self.count, "at_most"), (self.within, "within")):
            number = getattr(value, name, None)
            rewritten(line, "" if number is None else written(number))
        self.of.show_key(getattr(value, "of", self._offered))
        self.rule.show_key(getattr(value, "rule", "any"))
        self._show()

    def tidy(self, value: Any) -> None:
        """Leave a sentence that is not complete as it is: what is missing is named below it."""
        self.show_value(value)

    def in_words(self, value: Any) -> str:
        return "" if value is None else f"{written(value.at_most)} {self.of.itemText(self.of.findData(value.of))}"


def _number(text: str) -> int | float | str | None:
    """Return the number that TEXT says, TEXT where it says none, and None where it is empty."""
    number = parsed(text.strip())
    if number is None:
        return text.strip() or None
    return int(number) if number.is_integer() else number


class DataEditor(Editor):
    """The public lists of a release script: imported from a file, or code list by code list, and listed."""

    def build(self) -> None:
        self.sentences = added(self.column, Prose())
        self.described: DataDescription | None = None
        self.unit_line = self._heading("unit_column", tr("Heading of the person or thing in the file"))
        self.period_line = self._heading("period_column", tr("Heading of the period in the file"))
        columns = (
            Column(title=tr("Attribute"), words=lambda row: row[0]),
            Column(title=tr("Derived from"), words=lambda row: row[1]),
            Column(title=tr("Public list"), words=lambda row: row[2], share=1.0, least=LEAST),
        )
        self.table = added(self.column, RowsTable(tr("Attributes of the data description"), columns, most=SHOWN))
        self.load_button = button_for(tr("Import a data description …"), self._ask)
        self.remove_button = button_for(tr("Remove"), lambda: self._put(None), "small")
        self.column.addWidget(in_a_row(self.load_button, self.remove_button))
        self.reader = Background(lambda asked, _: _described(*asked), words=refusal, parent=self)
        self.reader.done.connect(lambda _, raw: self._put(raw))
        self.reader.failed.connect(lambda _, words: self.show_problem(words))

    def controls(self) -> tuple[QWidget, ...]:
        return (self.load_button,)

    def _ask(self) -> None:
        endings = f"{tr('Data descriptions, code lists')} (*.json *.csv);;{tr('All files')} (*)"
        path = ask_file(self, tr("Import a data description"), endings)
        if path:
            self.load(Path(path))

    def load(self, path: Path) -> None:
        """Put what the file at PATH says in the place of what there is, or add the code list that it is."""
        self.reader.request((path, self.described))

    def _heading(self, key: str, meaning: str) -> Line:
        """Return a line for the heading of a column of the file, which stands in the description under KEY."""
        line = Line()
        line.setPlaceholderText(meaning)
        line.setAccessibleName(meaning)
        line.textEdited.connect(lambda text: self._name(key, text))
        line.editingFinished.connect(self.settled)
        self.column.addWidget(line)
        return line

    def _name(self, key: str, heading: str) -> None:
        if self.described is not None:
            stated = self.described.model_dump(mode="json", exclude_none=True)
            self.edited.emit({**stated, key: heading.strip() or None}, True)

    def _put(self, raw: Any) -> None:
        self.edited.emit(raw, False)
        self.settled.emit()

    def problem_in_words(self, problem: DPWizardError, raw: Any) -> str:
        place = problem.where.removeprefix("$.release.data").strip(".")
        text = super().problem_in_words(problem, raw)
        return f"{place}: {text}" if place else text

    def look_around(self, decision: Decision, where: str) -> None:
        """Say which attributes of the tables have no public list yet."""
        described = decision.release.data
        timed = any(part.period for part in decision.release.parts)
        self.period_line.setVisible(described is not None and (timed or described.period_column is not None))
        names = [] if described is None else attribute_names(decision.release)
        missing = [name for name in names if described is not None and described.column(name) is None]
        self.show_note(tr("No public list yet: {names}.", names=", ".join(missing)) if missing else "")

    def show_value(self, value: Any) -> None:
        self.described = value
        self.sentences.say(_headings(value))
        self.unit_line.setVisible(value is not None)
        for line, key in ((self.unit_line, "unit_column"), (self.period_line, "period_column")):
            heading = getattr(value, key, None)
            if heading != (line.text().strip() or None):
                line.setText(heading or "")
        self.table.setVisible(value is not None)
        self.remove_button.setVisible(value is not None)
        if value is not None:
            self.table.show_rows(_listed(value))

    def in_words(self, value: Any) -> str:
        return "" if value is None else tr("{n} attribute", "{n} attributes", n=len(value.columns or ()))


def _described(path: Path, before: DataDescription | None) -> Any:
    """Return what the file at PATH states; a code list (CSV) is added to what was described BEFORE."""
    data = read_bytes(path)
    return with_code_list(before, decoded(data)) if path.suffix.casefold() == ".csv" else json_text.parse(data)


def _headings(described: DataDescription | None) -> str:
    """Return whose rows the file holds, and when they were; or what is to be imported, where nothing is."""
    if described is None:
        return tr(
            "A script can make the tables from the microdata once the record is signed. It needs the public list of "
            "each attribute: one file (JSON) for all, or code lists (CSV) one by one, as the guide shows. Never import "
            "the microdata themselves."
        )
    sentences = [tr("Each row belongs to the person or thing under “{heading}”.", heading=described.unit_column or "…")]
    if described.period_column:
        sentences.append(tr("Its period is under “{heading}”.", heading=described.period_column))
    return " ".join(sentences)


def _listed(described: DataDescription) -> list[tuple[str, str, str]]:
    """Return name, source and classes of each attribute that is DESCRIBED."""
    rows = []
    for name, column in described.columns or ():
        labels = column.labels
        if labels is None:
            listed = tr(
                "numbers from {low} to {high}", low=written(column.low or 0.0), high=written(column.high or 0.0)
            )
        else:
            some = ", ".join((*labels[:FIRST], *(("…",) if len(labels) > FIRST else ())))
            listed = tr("{n} class: {names}", "{n} classes: {names}", n=len(labels), names=some)
        rows.append((name, column.of or name, listed))
    return rows
