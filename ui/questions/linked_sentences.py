"""Sentences that repeat the answers; each clause is a link to its question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFont, QPalette, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QTextEdit

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


class LinkedSentences(QTextBrowser):
    """Sentences whose clauses are links: followed by a click, or with Tab and Return."""

    question_chosen = Signal(str)  # the question of the clause that was chosen

    def __init__(self, colours: theme.Colours, name: str) -> None:
        super().__init__()
        self.colours = colours
        self.clauses: tuple[LinkedClause, ...] = ()
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        links = Qt.TextInteractionFlag.LinksAccessibleByMouse | Qt.TextInteractionFlag.LinksAccessibleByKeyboard
        self.setTextInteractionFlags(links)
        self.setOpenLinks(False)
        self.document().setDocumentMargin(0)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMaximumWidth(theme.MEASURE)
        self.anchorClicked.connect(lambda link: self.question_chosen.emit(link.toString()))

    @property
    def words(self) -> str:
        """Return the sentences, without marks."""
        return "".join(clause.plain for clause in self.clauses)

    def say(self, clauses: Sequence[LinkedClause]) -> None:
        """Show CLAUSES one after the other."""
        if tuple(clauses) == self.clauses:
            return
        self.clauses = tuple(clauses)
        self.document().clear()
        cursor = QTextCursor(self.document())
        block = QTextBlockFormat()
        block.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        for clause in clauses:
            self._insert(cursor, clause)
        self.setAccessibleDescription(self.words)
        self.updateGeometry()

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

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Focus the first clause, or with Shift+Tab the last."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.focusNextPrevChild(event.reason() == Qt.FocusReason.TabFocusReason)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        nowhere = self.textCursor()
        nowhere.clearSelection()
        self.setTextCursor(nowhere)
        self._highlight_focused()

    def focusNextPrevChild(self, next: bool) -> bool:
        """Go to the next clause, or to the previous one; at the end, to the next widget."""
        now = self.textCursor()
        if not next and now.hasSelection() and now.selectionStart() == 0:  # Qt would stop at a part of the first clause
            return QTextEdit.focusNextPrevChild(self, next)
        moved = super().focusNextPrevChild(next)
        self._highlight_focused()
        return moved

    def _highlight_focused(self) -> None:
        """Show the clause with the keyboard focus in the colours of a selection."""
        focused, style = QTextEdit.ExtraSelection(), QTextCharFormat()
        style.setBackground(self.palette().color(QPalette.ColorRole.Highlight))
        style.setForeground(self.palette().color(QPalette.ColorRole.HighlightedText))
        focused.cursor, focused.format = self.textCursor(), style
        self.setExtraSelections([focused] if focused.cursor.hasSelection() else [])

    def heightForWidth(self, width: int) -> int:
        text, shown = self.document(), self.document().textWidth()
        text.setTextWidth(max(1, min(width, self.maximumWidth())))
        height = math.ceil(text.size().height())
        text.setTextWidth(shown)
        return height

    def sizeHint(self) -> QSize:
        return QSize(400, self.heightForWidth(max(self.width(), 400)))

    def minimumSizeHint(self) -> QSize:
        return QSize(200, 0)
