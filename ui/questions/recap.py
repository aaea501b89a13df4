"""What was answered, said back in sentences: each clause is a link that leads to its question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFocusEvent,
    QFont,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.widgets import theme

SIZE = 11.25  # points
LINE_HEIGHT = 135.0  # in percent
STRONG = "**"  # on either side of what stands out


@dataclass(frozen=True)
class Clause:
    """Some words, and the question they answer; WRONG where what was entered there is not used."""

    question: str
    words: str  # what stands out is between two pairs of asterisks
    wrong: bool = False

    @property
    def plain(self) -> str:
        """Return the words without marks."""
        return self.words.replace(STRONG, "")


class SaidBack(QWidget):
    """Sentences whose clauses lead to their questions: by a click, or with Tab and Return."""

    asked = Signal(str)  # the question whose clause was chosen

    def __init__(self, colours: theme.Colours, name: str) -> None:
        super().__init__()
        self.colours = colours
        self.clauses: tuple[Clause, ...] = ()
        self._at = -1  # the clause that the keyboard is on; -1: none
        self._document = QTextDocument(self, documentMargin=0)
        self.setAccessibleName(name)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMaximumWidth(theme.MEASURE)

    @property
    def words(self) -> str:
        """Return what is said, without marks."""
        return "".join(clause.plain for clause in self.clauses)

    def say(self, clauses: Sequence[Clause]) -> None:
        """Show CLAUSES one behind the other."""
        if tuple(clauses) == self.clauses:
            return
        self.clauses = tuple(clauses)
        self._stand(self._at)  # nowhere, where there are fewer now
        self._document.clear()
        cursor = QTextCursor(self._document)
        block = QTextBlockFormat()
        block.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        for clause in clauses:
            self._insert(cursor, clause)
        self.setAccessibleDescription(self.words)
        self.updateGeometry()
        self.update()

    def _insert(self, cursor: QTextCursor, clause: Clause) -> None:
        for index, words in enumerate(clause.words.split(STRONG)):
            stands_out = index % 2 == 1
            style = QTextCharFormat()
            style.setFont(theme.font(SIZE, QFont.Weight.Bold if stands_out else QFont.Weight.Normal))
            style.setForeground(QColor(self.colours.problem if clause.wrong and stands_out else self.colours.text))
            style.setAnchor(True)
            style.setAnchorHref(clause.question)
            style.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
            cursor.insertText(words, style)

    # -------------------------------------------------------------------------------------- the mouse

    def _question_at(self, place: QPointF) -> str:
        return self._document.documentLayout().anchorAt(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        on_clause = bool(self._question_at(event.position()))
        self.setCursor(Qt.CursorShape.PointingHandCursor if on_clause else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if question := self._question_at(event.position()):
            self.asked.emit(question)

    # ----------------------------------------------------------------------------------- the keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Stand on the first clause, or on the last where somebody comes from below."""
        super().focusInEvent(event)
        self._stand(len(self.clauses) - 1 if event.reason() == Qt.FocusReason.BacktabFocusReason else 0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._stand(-1)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Go to the next clause, or the one before, and from the last on to what follows."""
        at = self._at + (1 if next else -1)
        if 0 <= at < len(self.clauses):
            self._stand(at)
            return True
        return super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Follow the clause that the keyboard is on."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at >= 0:
            self.asked.emit(self.clauses[self._at].question)
        else:
            super().keyPressEvent(event)

    def _stand(self, at: int) -> None:
        self._at = at if at < len(self.clauses) else -1
        self.update()

    # ------------------------------------------------------------------------------------------ drawn

    def paintEvent(self, event: QPaintEvent) -> None:
        self._break_at(self.width())
        context = QAbstractTextDocumentLayout.PaintContext()
        if self._at >= 0:
            context.selections = [self._marked()]
        with QPainter(self) as painter:
            self._document.documentLayout().draw(painter, context)

    def _marked(self) -> QAbstractTextDocumentLayout.Selection:
        """Return the clause that the keyboard is on, as it is marked."""
        start = sum(len(clause.plain) for clause in self.clauses[: self._at])
        marked = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(start)
        cursor.setPosition(start + len(self.clauses[self._at].plain), QTextCursor.MoveMode.KeepAnchor)
        style = QTextCharFormat()
        style.setBackground(self.palette().color(QPalette.ColorRole.Highlight))
        style.setForeground(self.palette().color(QPalette.ColorRole.HighlightedText))
        marked.cursor, marked.format = cursor, style
        return marked

    def _break_at(self, width: int) -> None:
        if self._document.textWidth() != width:
            self._document.setTextWidth(width)

    def heightForWidth(self, width: int) -> int:
        self._break_at(max(1, min(width, self.maximumWidth())))
        return math.ceil(self._document.size().height())

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(max(self.width(), 400)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 0)
