"""The rows of the accuracy page: numbers that are read alike, each with what one gets, or with what one must have."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.decision import (
    AccuracyRequirement,
    Assessment,
    BaseRequirement,
    Decision,
    RequirementResult,
    TableSum,
    edits,
)
from dpwizard.questions import sums, table_kinds
from dpwizard.sheets import column
from dpwizard.wording import PrintedRange, explain, need_in_words, plain_sentences, range_of
from ui.controls import Column, Prose, RowsTable, Statement
from ui.questions.sentence import Sentence
from ui.session import DocumentSession
from ui.widgets import InlineLink, SideBySide, Words, added, in_a_row, named, plain, theme, tr

NAME, NEEDS = 176, 48  # pixels of what a row is about, and of what it needs
FIELD, LONG_FIELD = 42, 70  # pixels of a field in a row, and of one that holds an amount, at the expense of the name
BEFORE = 16 + 2 * (theme.NEAR + theme.TIGHT)  # pixels of the box and of the room behind it
LISTED = 8  # tables seen at once
LEAST = 80  # pixels of a column of them in little room
NO_NEED = "–"
WHERE = "$.requirements"


@dataclass(frozen=True, kw_only=True)
class Numbers:
    """Numbers that are read alike, what they are called, and the position of the need that they have, if they do.

    covers: the tables that they stand in, where there are several.
    """

    of: TableSum | table_kinds.TableKind | None  # None: the row is that of a need alone
    name: str
    note: str
    at: int | None
    covers: tuple[str, ...] = ()


class SumRow(QFrame):
    """One kind of numbers: a box to tick, what one gets, or the need as a sentence with its fields."""

    followed = Signal(object)  # the numbers of this row are to be drawn
    ticked = Signal(object)  # they must be kept from now on
    lead = Signal(str)  # somebody is to be led to a table, in step 1

    def __init__(
        self, session: DocumentSession, numbers: TableSum | table_kinds.TableKind | None, *, amounts: bool = False
    ) -> None:
        """Show a row of NUMBERS; of AMOUNTS their fields are longer."""
        super().__init__()
        self.setObjectName("row")
        self.session, self.numbers, self.amounts = session, numbers, amounts
        self.covers: tuple[str, ...] = ()
        self._places: list[str] = []  # of the tables that are listed
        self.at: int | None = None  # the position of its need
        self._kind: type[BaseRequirement] | None = None  # of the need that the sentence is of
        self.sentence: Sentence | None = None
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(theme.NEAR, theme.TIGHT, theme.NEAR, theme.TIGHT)
        line = plain(QHBoxLayout(), theme.NEAR + theme.TIGHT)
        self._whole.addLayout(line)
        self.box = Statement()
        self.box.clicked.connect(self._tick)
        line.addWidget(self.box, alignment=Qt.AlignmentFlag.AlignVCenter)
        self._words = QWidget()
        column = plain(QVBoxLayout(self._words), 0)
        self.name = added(column, named(QLabel(wordWrap=True), "title"))
        self.note = added(column, named(QLabel(wordWrap=True), "caption"))
        self.list_button = added(column, InlineLink(""))  # in the place of the note, where it names several tables
        self.list_button.setCheckable(True)
        self.list_button.toggled.connect(self._turn_list)
        self.table: RowsTable | None = None  # of the tables that the numbers stand in, once somebody wants to see them
        both = SideBySide(theme.NEAR + theme.TIGHT, 0)
        both.box.addWidget(self._words)
        asks = QWidget()
        self._middle = plain(QVBoxLayout(asks), 0)
        self.gets = added(self._middle, Words("", "caption"))
        both.box.addWidget(asks, 1)
        line.addWidget(both, 1)
        self.needs = named(QLabel(NO_NEED), "title")
        self.needs.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.needs.setMinimumWidth(NEEDS)
        line.addWidget(self.needs)
        if numbers is not None:
            self._words.setFixedWidth(NAME - (LONG_FIELD - FIELD if amounts else 0))
            both.box.setAlignment(self._words, Qt.AlignmentFlag.AlignLeft)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Draw these numbers: somebody has clicked beside the box."""
        self.followed.emit(self.numbers)

    def show_numbers(self, decision: Decision, shown: Numbers) -> None:
        """Show what DECISION asks of the numbers SHOWN."""
        at = self.at = shown.at
        asked = None if at is None else decision.requirements[at]
        self.name.setText(shown.name)
        self.note.setText(shown.note)
        self.covers = shown.covers
        self.note.setVisible(len(shown.covers) < 2)
        self.list_button.setVisible(len(shown.covers) > 1)
        self.list_button.say(tr("{n} table", "{n} tables", n=len(shown.covers)))
        self.list_button.setToolTip(tr("Show or hide these tables"))
        self.list_button.setAccessibleName(f"{self.list_button.text()}: {shown.name}")
        self._list()
        self.box.setChecked(at is not None)
        self.box.setAccessibleName(tr("Must keep this: {what}", what=shown.name))
        self.gets.setVisible(at is None)
        self._say_need(asked if self.numbers is not None else None, at)
        self.setProperty("chosen", at is not None)
        self.style().polish(self)

    def _turn_list(self, shown: bool) -> None:
        if self.table is None:
            columns = (
                Column(title=tr("Table"), words=lambda row: row[0], share=1.0, least=LEAST),
                Column(title=tr("Numbers"), words=lambda row: row[1], numeric=True),
                Column(title=tr("Broken down by"), words=lambda row: row[2], share=1.0, least=LEAST),
            )
            name = tr("Tables: {what}", what=self.name.text())
            self.table = added(self._whole, RowsTable(name, columns, most=LISTED))
            self.table.opened.connect(self._open)
            self._how = added(self._whole, Prose(tr("Enter or a double click leads to a table in step 1."), "caption"))
        self.table.setVisible(shown)
        self._how.setVisible(shown)
        self._list()

    def _list(self) -> None:
        if self.table is None or self.table.isHidden():
            return
        release = self.session.decision.release
        tables = [table for name in self.covers if (table := release.table(name)) is not None]
        self._places = [table.place for table in tables]
        reads = column("reads")
        rows = [(table.name or "", str(table.dimension), reads.written(table.reads)) for table in tables]
        self.table.show_rows(rows)

    def _open(self, row: int) -> None:
        """Lead to the level of the table in ROW: with it the table leaves this sentence, or comes into another."""
        self.lead.emit(f"{self._places[row]}.level")

    def _say_need(self, asked: BaseRequirement | None, at: int | None) -> None:
        """Show the sentence of the need ASKED at the position AT; none where nothing is asked."""
        if self.sentence is not None and (asked is None or type(asked) is not self._kind):
            self._middle.removeWidget(self.sentence)
            self.sentence.hide()
            self.sentence.deleteLater()
            self.sentence = None
        if asked is None:
            return
        where = f"{WHERE}[{at}]"
        if self.sentence is None:
            words = tr("within ± {half_width} in {level} of 100", half_width="{half_width}", level="{level}")
            widths = {"half_width": LONG_FIELD if self.amounts else FIELD, "level": FIELD}
            self._kind = type(asked)
            self.sentence = added(self._middle, Sentence(self.session, where, type(asked), words, widths))
        self.sentence.move_to(where)
        self.sentence.refresh()

    def say_gets(self, words: str) -> None:
        """Say what one gets without a need."""
        self.gets.setText(words)

    def say_answer(self, answer: RequirementResult | None, shown: PrintedRange) -> None:
        """Say the budget that the need takes, beside the range SHOWN; nothing without a need, or without an answer."""
        if answer is None or self.at is None:
            self.needs.setText(NO_NEED)
        elif answer.epsilon is None or answer.status != "allowed":
            self.needs.setText("…" if answer.status == "unanswered" else NO_NEED)
            self.needs.setToolTip(explain.why(answer.why, kind=answer.kind))
        else:
            self.needs.setText(shown.at_least(answer.epsilon))
            self.needs.setToolTip("")

    def _tick(self, ticked: bool) -> None:
        """Add the need of these numbers, or take it away."""
        decision = self.session.decision
        if not ticked and self.at is not None:
            self.session.edit(tr("Do without: {what}", what=self.name.text()), edits.remove(decision, WHERE, self.at))
        elif ticked and self.numbers is not None:
            self.ticked.emit(self.numbers)

    def reach(self) -> None:
        """Give the keyboard to the first field of the need, or to the box."""
        if self.sentence is not None:
            self.sentence.editors["half_width"].reach()
        else:
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)


class SumRows(QWidget):
    """The rows of the numbers of a table, and below them those of all other needs."""

    followed = Signal(object)
    ticked = Signal(object)  # numbers that must be kept from now on
    lead = Signal(str)

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        column = plain(QVBoxLayout(self), 0)
        head = QHBoxLayout()
        head.setContentsMargins(theme.NEAR, 0, theme.NEAR, theme.TIGHT)
        first = self._first = Words(tr("ticked: must keep this"), "caption")
        self._gets = Words(tr("not ticked: what you get then"), "caption")
        row = in_a_row(first, self._gets, spacing=theme.NEAR + theme.TIGHT)
        last = named(QLabel(tr("needs"), alignment=Qt.AlignmentFlag.AlignRight), "caption")
        head.addWidget(row, 1)
        head.addWidget(last, alignment=Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        self._rows = plain(QVBoxLayout(), 0)
        column.addLayout(self._rows)
        self.rows: list[SumRow] = []

    def show_numbers(self, decision: Decision, numbers: tuple[Numbers, ...], besides: frozenset[int]) -> None:
        """Show a row for each of NUMBERS, and one for each other need but those BESIDE, shown elsewhere."""
        elsewhere = besides | {one.at for one in numbers}
        others = tuple(
            Numbers(of=None, name=need_in_words(one, decision.release), note=explain.word("kind", one.key), at=at)
            for at, one in enumerate(decision.requirements)
            if isinstance(one, AccuracyRequirement) and one.enabled and at not in elsewhere
        )
        amounts = len(decision.release.tables) == 1 and plain_sentences.unit_of(decision.release) != "count"
        self._first.setFixedWidth(BEFORE + NAME - (LONG_FIELD - FIELD if amounts else 0))
        self._make([one.of for one in (*numbers, *others)], amounts)
        for row, one in zip(self.rows, (*numbers, *others), strict=True):
            row.show_numbers(decision, one)

    def _make(self, kinds: list[TableSum | table_kinds.TableKind | None], amounts: bool) -> None:
        if [(row.numbers, row.amounts) for row in self.rows] == [(one, amounts) for one in kinds]:
            return
        for row in self.rows:
            self._rows.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = []
        for one in kinds:
            row = added(self._rows, SumRow(self.session, one, amounts=amounts))
            row.followed.connect(self.followed)
            row.ticked.connect(self.ticked)
            row.lead.connect(self.lead)
            self.rows.append(row)

    def reach(self, numbers: TableSum | table_kinds.TableKind) -> None:
        """Give the keyboard to the need of NUMBERS."""
        for row in self.rows:
            if row.numbers == numbers:
                row.reach()

    def say_gets(self, half_widths: tuple[float | None, ...]) -> None:
        """Say what one gets of each of the numbers without a need; nothing where it is not known."""
        for row, half in zip(self.rows, half_widths, strict=False):
            row.say_gets("" if half is None else sums.gets(half))

    def say_answers(self, assessment: Assessment) -> None:
        """Say the budget that each need takes."""
        answers, shown = assessment.answers, range_of(assessment)
        for row in self.rows:
            row.say_answer(answers[row.at] if row.at is not None and row.at < len(answers) else None, shown)
