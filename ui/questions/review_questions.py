"""The plain questions of the last step: who decides, who approves, and which assumptions are confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QDate, QLocale, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QDateEdit, QGridLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.base.language import spoken
from dpwizard.decision import Decision, assumptions, derived_fields, edits
from dpwizard.questions import privacy_words
from dpwizard.wording import whole
from ui.controls import Prose, labelled
from ui.questions.blanks import Blank, detail_blank
from ui.questions.options import Options
from ui.session import DocumentSession
from ui.widgets import Card, FieldGrid, InlineLink, added, chevron, drop, fill, plain, theme, tr

ASKED_IN_STEP_1 = (derived_fields.COUNTS_ONCE, derived_fields.NOTHING_ELSE)
TOTALS, PRINTED = "totals_printed", "$.release.totals_printed"
TRUE, LATER = "✓", "○"
LONGEST = 1_000  # characters of a name


@dataclass(frozen=True)
class VouchedSentence:
    """A sentence that someone vouches for: whether they do already, who else will, and where the answer is changed."""

    words: str
    holds: bool
    hint: str
    where: str
    step: str


def vouched_sentences(decision: Decision) -> Iterator[VouchedSentence]:
    """Yield the sentences of DECISION that someone vouches for."""
    most, counts = derived_fields.most_counts(decision), derived_fields.counted(decision)
    if most is not None and counts is not None:
        where = f"$.acknowledged.{derived_fields.COUNTS_ONCE}"
        words = privacy_words.assumption(decision, derived_fields.COUNTS_ONCE)
        if counts == "up_to":
            own_words = privacy_words.words_of(decision)
            words = tr("Each {person} is in {most} {units} at most.", most=whole(most), **own_words)
        hint = tr("the statistician keeps one entry of each") if counts == "unknown" else ""
        yield VouchedSentence(words, counts != "unknown", hint, where, "release")
    if derived_fields.public(decision) in ("nothing", "unknown"):
        where = f"$.acknowledged.{derived_fields.NOTHING_ELSE}"
        answer = decision.answer_to(derived_fields.NOTHING_ELSE)
        known = derived_fields.public(decision) == "nothing"
        name = answer.vouched_by if answer is not None else None
        before = tr("{name} must confirm it before the figures are published.", name=name) if name else tr("nobody yet")
        words = privacy_words.assumption(decision, derived_fields.NOTHING_ELSE)
        yield VouchedSentence(words, known, "" if known else before, where, "release")
    needed = assumptions(decision)
    for key in needed:
        if key not in ASKED_IN_STEP_1:
            where, step = (PRINTED, "accuracy") if key == TOTALS else ("$.acknowledged", "adversary")
            answer, hint = decision.answer_to(key), ""
            if answer is not None and answer.state == "open" and answer.vouched_by:
                hint = tr("{name} must confirm it. Then answer “True here”.", name=answer.vouched_by)
            yield VouchedSentence(privacy_words.assumption(decision, key), key in decision.accepted, hint, where, step)
    if decision.release.totals_printed and TOTALS not in needed:
        yield VouchedSentence(privacy_words.assumption(decision, TOTALS), True, "", PRINTED, "accuracy")
    words, hint = tr("The noise is added as the annex says."), tr("the statistician vouches for it, later")
    yield VouchedSentence(words, False, hint, "$.details.implementation", "review")


class DayField(QDateEdit):
    """The date of the next review, typed or chosen in a calendar; by default in a year."""

    def __init__(self, session: DocumentSession, title: str) -> None:
        super().__init__()
        self.setCalendarPopup(True)
        self.setAccessibleName(title)
        self.session = session
        self.setLocale(QLocale(spoken()))
        self.setDisplayFormat(tr("d MMMM yyyy"))
        self.userDateChanged.connect(self._put)
        self.editingFinished.connect(session.settle)

    def _put(self, day: QDate) -> None:
        self.session.put(tr("Set the day"), "$.details.review_date", day.toString(Qt.DateFormat.ISODate), "plain.day")

    def refresh(self) -> None:
        """Show the date in the decision; a text that is not a date is shown only in the technical details."""
        date = QDate.fromString(self.session.decision.details.review_date or in_a_year(), Qt.DateFormat.ISODate)
        if date.isValid() and date != self.date():
            with QSignalBlocker(self):
                self.setDate(date)

    forget_problem = refresh

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        chevron(self, self.width() - 18.0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls


class ReviewQuestions(QWidget):
    """Asks who decides, and shows the sentences that someone vouches for."""

    lead = Signal(str, str)  # the path and the step where an answer is changed

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self._fields: dict[str, Blank | DayField] = {}
        fill(plain(QVBoxLayout(self), theme.NEAR + theme.TIGHT), self._who(), self._vouched())

    def _who(self) -> Card:
        card = Card(tr("Who decides"))
        ways = {"propose": tr("I propose, someone else approves"), "alone": tr("I decide alone")}
        self.way = added(card.column, Options(tr("Who decides"), ways))
        self.way.chosen.connect(self._choose_way)
        grid = added(card.column, FieldGrid(shares=(3, 5)))  # a name, and a position with its institution
        self.name = self._field(grid, tr("Your name"), "authors")
        self.position = self._field(grid, tr("Your position and institution"), "controller")
        self.approver = self._field(grid, tr("Who approves"), "approver")
        self.review = DayField(self.session, tr("Look again by"))
        self._place(grid, self.review, "review_date")
        return card

    def _field(self, grid: FieldGrid, title: str, field: str) -> Blank:
        edit = tr("Set {field}", field=title.lower())
        blank = detail_blank(self.session, field, title, edit, LONGEST)
        self._place(grid, blank, field)
        return blank

    def _place(self, grid: FieldGrid, editor: Blank | DayField, field: str) -> None:
        grid.add(labelled(editor.accessibleName(), editor))
        self._fields[f"$.details.{field}"] = editor

    def _choose_way(self, key: str) -> None:
        details = self.session.decision.details
        author = details.authors[0] if details.authors else None
        self.session.put(tr("Set who decides"), "$.details.approver", author if key == "alone" else None)
        if key == "alone" and author is None:
            self.name.reach()

    def _vouched(self) -> Card:
        card = Card(tr("What you vouch for"))
        self._rows = plain(QGridLayout(), theme.TIGHT)
        self._rows.setHorizontalSpacing(theme.NEAR)
        self._rows.setColumnStretch(1, 1)
        card.column.addLayout(self._rows)
        self._lines: list[QWidget] = []
        self.refused: list[InlineLink] = []
        self._shown: tuple[VouchedSentence, ...] | None = None
        return card

    def show_decision(self, decision: Decision) -> None:
        """Show who decides in DECISION, and the sentences that someone vouches for."""
        details = decision.details
        alone = bool(details.authors) and details.approver == details.authors[0]
        self.way.show_key("alone" if alone else "propose")
        self.approver.setEnabled(not alone)
        for field in self._fields.values():
            field.refresh()
        sentences = tuple(vouched_sentences(decision))
        if sentences != self._shown:
            self._shown = sentences
            drop(self._rows, self._lines)
            self._lines, self.refused = [], []
            for row, sentence in enumerate(sentences):
                self._add_row(row, sentence)

    def _add_row(self, row: int, sentence: VouchedSentence) -> None:
        holder = QWidget()
        column = fill(plain(QVBoxLayout(holder), 0), Prose(sentence.words))
        if sentence.hint:
            column.addWidget(Prose(sentence.hint, "caption"))
        link = InlineLink(tr("Not true here?"))
        link.setAccessibleName(tr("Not true here? {sentence}", sentence=sentence.words))
        link.clicked.connect(lambda: self.lead.emit(sentence.where, sentence.step))
        parts = (QLabel(TRUE if sentence.holds else LATER), holder, link)
        for at, part in enumerate(parts):
            self._rows.addWidget(part, row, at, Qt.AlignmentFlag.AlignTop)
        self._lines += parts
        self.refused.append(link)

    def forget_problems(self) -> None:
        """Show the values in the decision."""
        for field in self._fields.values():
            field.forget_problem()

    def field_of(self, where: str) -> QWidget | None:
        """Return the field of the path WHERE, if there is one."""
        return self._fields.get(where)


def in_a_year() -> str:
    """Return the date of this day in a year."""
    return str(QDate.currentDate().addYears(1).toString(Qt.DateFormat.ISODate))


def with_defaults(decision: Decision) -> Decision:
    """Return DECISION with defaults for what is not answered: approved, and reviewed in a year."""
    if decision.outcome is None:
        outcome = "approve_with_conditions" if decision.details.conditions else "approve"
        decision = edits.put(decision, "$.outcome", outcome)
    if decision.details.review_date is None:
        decision = edits.put(decision, "$.details.review_date", in_a_year())
    return decision
