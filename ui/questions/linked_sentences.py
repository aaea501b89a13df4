"""Sentences that repeat the answers; each clause is a link to its question."""

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
STRONG = "**"  # before and after words in bold


@dataclass(frozen=True)
class LinkedClause:
    """Some words, and the question they answer; WRONG if the typed answer is refused."""

    question: str
    words: str  # bold words are between two pairs of asterisks
    wrong: bool = False

    @property
    def plain(self) -> str:
        """Return the words without marks."""
        return self.words.replace(STRONG, "")


class LinkedSentences(QWidget):
    """Sentences whose clauses are links: followed by a click, or with Tab and Return."""

    question_chosen = Signal(str)  # the question of the clause that was chosen

    def __init__(self, colours: theme.Colours, name: str) -> None:
        super().__init__()
        self.colours = colours
        self.clauses: tuple[LinkedClause, ...] = ()
        self._focused = -1  # the position of the clause with the keyboard focus; -1: none
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
        """Return the sentences, without marks."""
        return "".join(clause.plain for clause in self.clauses)

    def say(self, clauses: Sequence[LinkedClause]) -> None:
        """Show CLAUSES one after the other."""
        if tuple(clauses) == self.clauses:
            return
        self.clauses = tuple(clauses)
        self._focus(self._focused)  # none, if there are fewer clauses now
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

    def _insert(self, cursor: QTextCursor, clause: LinkedClause) -> None:
        for index, words in enumerate(clause.words.split(STRONG)):
            bold = index % 2 == 1
            style = QTextCharFormat()
            style.setFont(theme.font(SIZE, QFont.Weight.Bold if bold else QFont.Weight.Normal))
            style.setForeground(QColor(self.colours.problem if clause.wrong and bold else self.colours.text))
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
            self.question_chosen.emit(question)

    # ----------------------------------------------------------------------------------- the keyboard

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Focus the first clause, or with Shift+Tab the last."""
        super().focusInEvent(event)
        self._focus(len(self.clauses) - 1 if event.reason() == Qt.FocusReason.BacktabFocusReason else 0)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._focus(-1)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Go to the next clause, or to the previous one; at the end, to the next widget."""
        at = self._focused + (1 if next else -1)
        if 0 <= at < len(self.clauses):
            self._focus(at)
            return True
        return super().focusNextPrevChild(next)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._focused >= 0:
            self.question_chosen.emit(self.clauses[self._focused].question)
        else:
            super().keyPressEvent(event)

    def _focus(self, at: int) -> None:
        self._focused = at if at < len(self.clauses) else -1
        self.update()

    # --------------------------------------------------------------------------------------- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        self._set_text_width(self.width())
        context = QAbstractTextDocumentLayout.PaintContext()
        if self._focused >= 0:
            context.selections = [self._selection()]
        with QPainter(self) as painter:
            self._document.documentLayout().draw(painter, context)

    def _selection(self) -> QAbstractTextDocumentLayout.Selection:
        start = sum(len(clause.plain) for clause in self.clauses[: self._focused])
        selection = QAbstractTextDocumentLayout.Selection()
        cursor = QTextCursor(self._document)
        cursor.setPosition(start)
        cursor.setPosition(start + len(self.clauses[self._focused].plain), QTextCursor.MoveMode.KeepAnchor)
        style = QTextCharFormat()
        style.setBackground(self.palette().color(QPalette.ColorRole.Highlight))
        style.setForeground(self.palette().color(QPalette.ColorRole.HighlightedText))
        selection.cursor, selection.format = cursor, style
        return selection

    def _set_text_width(self, width: int) -> None:
        if self._document.textWidth() != width:
            self._document.setTextWidth(width)

    def heightForWidth(self, width: int) -> int:
        self._set_text_width(max(1, min(width, self.maximumWidth())))
        return math.ceil(self._document.size().height())

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(max(self.width(), 400)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 0)
