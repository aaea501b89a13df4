"""The rows of the accuracy page: a kind of numbers each, with their accuracy or the requirement they must meet."""

from __future__ import annotations

from collections.abc import Sequence
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
from dpwizard.wording import PrintedRange, assessments, need_in_words, plain_sentences, range_of, texts
from ui.controls import Column, Prose, RowsTable, Statement
from ui.questions.sentence import Sentence
from ui.session import DocumentSession
from ui.widgets import Fold, SideBySide, Words, added, drop, in_a_row, named, plain, theme, tr

NAME, NEEDS = 176, 48  # pixels of the name and of the budget
FIELD, LONG_FIELD = 42, 70  # pixels of a field, and of one for an amount, which takes room from the name
BOX = 16 + 2 * (theme.NEAR + theme.TIGHT)  # pixels of the box with its margins
VISIBLE_TABLES = 8
LEAST_COLUMN = 80  # pixels of a column of the list of tables
NO_NEED = "–"
WHERE = "$.requirements"


NumbersKind = TableSum | table_kinds.TableKind | None  # None: the row shows a need of another kind


@dataclass(frozen=True, kw_only=True)
class RowContent:
    """A kind of numbers: its name, a note, the position of its need, if it has one, and its tables, if several."""

    kind: NumbersKind
    name: str
    note: str
    at: int | None
    tables: tuple[str, ...] = ()


class SumRow(QFrame):
    """One kind of numbers: a box to tick, and their accuracy, or the need as a sentence with fields."""

    followed = Signal(object)  # this kind is to be drawn
    ticked = Signal(object)  # this kind has a need from now on
    lead = Signal(str)  # go to a table, in step 1

    def __init__(self, session: DocumentSession, kind: NumbersKind, *, amounts: bool) -> None:
        """Show a row of KIND; AMOUNTS have longer fields."""
        super().__init__()
        self.setObjectName("row")
        self.session, self.kind, self.amounts = session, kind, amounts
        self.tables: tuple[str, ...] = ()
        self._places: list[str] = []  # of the tables in the list
        self.at: int | None = None  # the position of the need
        self._requirement_type: type[BaseRequirement] | None = None  # of the need in the sentence
        self.sentence: Sentence | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(theme.NEAR, theme.TIGHT, theme.NEAR, theme.TIGHT)
        line = plain(QHBoxLayout(), theme.NEAR + theme.TIGHT)
        self._column.addLayout(line)
        self.box = Statement()
        self.box.clicked.connect(self._tick)
        line.addWidget(self.box, alignment=Qt.AlignmentFlag.AlignVCenter)
        self._words = QWidget()
        column = plain(QVBoxLayout(self._words), 0)
        self.name = added(column, named(QLabel(wordWrap=True), "title"))
        self.note = added(column, named(QLabel(wordWrap=True), "caption"))
        both = SideBySide(theme.NEAR + theme.TIGHT, 0)
        both.box.addWidget(self._words)
        middle = QWidget()
        self._middle = plain(QVBoxLayout(middle), 0)
        self.accuracy = added(self._middle, Words("", "caption"))
        both.box.addWidget(middle, 1)
        line.addWidget(both, 1)
        self.needs = named(QLabel(NO_NEED), "title")
        self.needs.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.needs.setMinimumWidth(NEEDS)
        line.addWidget(self.needs)
        self.tables_fold = added(self._column, Fold("", self._make_list, card=False))  # if there are several
        self.tables_fold.head.setToolTip(tr("Show or hide these tables"))
        self.tables_fold.head.toggled.connect(lambda _: self._fill_list())
        if kind is not None:
            self._words.setFixedWidth(NAME - (LONG_FIELD - FIELD if amounts else 0))
            both.box.setAlignment(self._words, Qt.AlignmentFlag.AlignLeft)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Draw this kind of numbers on a click beside the box."""
        self.followed.emit(self.kind)

    def show_content(self, decision: Decision, content: RowContent) -> None:
        """Show CONTENT, with its need in DECISION."""
        at = self.at = content.at
        self.name.setText(content.name)
        self.note.setText(content.note)
        self.tables = content.tables
        self.note.setVisible(len(content.tables) < 2)
        self.tables_fold.setVisible(len(content.tables) > 1)
        count = tr("{n} table", "{n} tables", n=len(content.tables))
        self.tables_fold.say(count)
        self.tables_fold.head.setAccessibleName(f"{count}: {content.name}")
        self._fill_list()
        self.box.setChecked(at is not None)
        self.box.setAccessibleName(tr("Must be met: {what}", what=content.name))
        self.accuracy.setVisible(at is None)
        self._show_need(None if at is None or self.kind is None else decision.requirements[at])
        self.setProperty("chosen", at is not None)
        self.style().polish(self)

    def _make_list(self, fold: QVBoxLayout) -> None:
        columns = (
            Column(title=tr("Table"), words=lambda row: row[0], share=1.0, least=LEAST_COLUMN),
            Column(title=tr("Numbers"), words=lambda row: row[1], numeric=True),
            Column(title=tr("Broken down by"), words=lambda row: row[2], share=1.0, least=LEAST_COLUMN),
        )
        name = tr("Tables: {what}", what=self.name.text())
        self.list = added(fold, RowsTable(name, columns, most=VISIBLE_TABLES))
        # the level decides which row a table belongs to
        self.list.opened.connect(lambda row: self.lead.emit(f"{self._places[row]}.level"))
        fold.addWidget(Prose(tr("Press Enter or double-click to go to a table in step 1."), "caption"))

    def _fill_list(self) -> None:
        if not self.tables_fold.is_open:
            return
        release = self.session.decision.release
        tables = [table for name in self.tables if (table := release.table(name)) is not None]
        self._places = [table.place for table in tables]
        attributes = column("reads")
        self.list.show_rows(
            [(table.name or "", str(table.dimension), attributes.written(table.reads)) for table in tables]
        )

    def _show_need(self, requirement: BaseRequirement | None) -> None:
        """Show the sentence of the need; none if there is no need."""
        if self.sentence is not None and type(requirement) is not self._requirement_type:
            drop(self._middle, (self.sentence,))
            self.sentence = None
        if requirement is None:
            return
        where = f"{WHERE}[{self.at}]"
        if self.sentence is None:
            words = tr("within ± {half_width} in {level} of 100", half_width="{half_width}", level="{level}")
            widths = {"half_width": LONG_FIELD if self.amounts else FIELD, "level": FIELD}
            self._requirement_type = type(requirement)
            self.sentence = added(self._middle, Sentence(self.session, where, type(requirement), words, widths))
        self.sentence.move_to(where)
        self.sentence.refresh()

    def show_answer(self, answer: RequirementResult | None, shown: PrintedRange) -> None:
        """Show the budget of the need with the digits of the range SHOWN; a dash if there is none."""
        if answer is None or self.at is None:
            self.needs.setText(NO_NEED)
        elif answer.epsilon is None or answer.status != "allowed":
            self.needs.setText("…" if answer.status == "unanswered" else NO_NEED)
            self.needs.setToolTip(assessments.why(answer.why, kind=answer.kind))
        else:
            self.needs.setText(shown.at_least(answer.epsilon))
            self.needs.setToolTip("")

    def _tick(self, ticked: bool) -> None:
        decision = self.session.decision
        if not ticked and self.at is not None:
            self.session.edit(tr("Drop: {what}", what=self.name.text()), edits.remove(decision, WHERE, self.at))
        elif ticked and self.kind is not None:
            self.ticked.emit(self.kind)

    def reach(self) -> None:
        """Give the keyboard to the first field of the need, or to the box."""
        if self.sentence is not None:
            self.sentence.editors["half_width"].reach()
        else:
            self.box.setFocus(Qt.FocusReason.OtherFocusReason)


class SumRows(QWidget):
    """The rows of the numbers of a table, and below them those of all other needs."""

    followed = Signal(object)
    ticked = Signal(object)
    lead = Signal(str)

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        column = plain(QVBoxLayout(self), 0)
        head = QHBoxLayout()
        head.setContentsMargins(theme.NEAR, 0, theme.NEAR, theme.TIGHT)
        self._ticked_head = Words(tr("ticked: this must be met"), "caption")
        self._accuracy_head = Words(tr("not ticked: what you get"), "caption")
        budget_head = named(QLabel(tr("needs"), alignment=Qt.AlignmentFlag.AlignRight), "caption")
        head.addWidget(in_a_row(self._ticked_head, self._accuracy_head, spacing=theme.NEAR + theme.TIGHT), 1)
        head.addWidget(budget_head, alignment=Qt.AlignmentFlag.AlignTop)
        column.addLayout(head)
        self._rows = plain(QVBoxLayout(), 0)
        column.addLayout(self._rows)
        self.rows: list[SumRow] = []

    def show_contents(self, decision: Decision, contents: Sequence[RowContent], elsewhere: frozenset[int]) -> None:
        """Show a row for each of CONTENTS, and one for each other need that is not shown ELSEWHERE (positions)."""
        shown = elsewhere | {content.at for content in contents}
        release = decision.release
        others = [
            RowContent(kind=None, name=need_in_words(need, release), note=texts.word("kind", need.key), at=at)
            for at, need in enumerate(decision.requirements)
            if isinstance(need, AccuracyRequirement) and need.enabled and at not in shown
        ]
        amounts = len(release.tables) == 1 and plain_sentences.unit_of(release) != "count"
        self._ticked_head.setFixedWidth(BOX + NAME - (LONG_FIELD - FIELD if amounts else 0))
        self._create_rows([content.kind for content in (*contents, *others)], amounts)
        for row, content in zip(self.rows, (*contents, *others), strict=True):
            row.show_content(decision, content)

    def _create_rows(self, kinds: list[NumbersKind], amounts: bool) -> None:
        if [(row.kind, row.amounts) for row in self.rows] == [(kind, amounts) for kind in kinds]:
            return
        drop(self._rows, self.rows)
        self.rows = []
        for kind in kinds:
            row = added(self._rows, SumRow(self.session, kind, amounts=amounts))
            row.followed.connect(self.followed)
            row.ticked.connect(self.ticked)
            row.lead.connect(self.lead)
            self.rows.append(row)

    def reach(self, kind: NumbersKind) -> None:
        """Give the keyboard to the need of the numbers of KIND."""
        for row in self.rows:
            if row.kind == kind:
                row.reach()

    def show_accuracy(self, half_widths: tuple[float | None, ...]) -> None:
        """Show the accuracy of the numbers in each row, where it is known."""
        for row, half_width in zip(self.rows, half_widths, strict=False):
            row.accuracy.setText("" if half_width is None else sums.gets(half_width))

    def show_answers(self, assessment: Assessment) -> None:
        """Show the budget of each need."""
        answers, shown = assessment.answers, range_of(assessment)
        for row in self.rows:
            row.show_answer(answers[row.at] if row.at is not None and row.at < len(answers) else None, shown)
