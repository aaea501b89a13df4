"""The small controls that Qt's own style does not draw well in both themes, and text set as this program sets it."""

from __future__ import annotations

import html
import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAbstractTextDocumentLayout,
    QColor,
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPolygonF,
    QResizeEvent,
    QTextDocument,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QCheckBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionFrame,
    QToolTip,
    QWidget,
)

from dpwizard.base.language import digits
from ui.widgets import theme, unmnemonic

BOX = HELP = 16  # pixels of the box or ring before words, and of the "?" beside a label
MOST_ENTRIES, ENTRY_EDGES = 30, 40  # of a list that opens: entries seen at once, and pixels beside their words
MOST_PAINTED = 400  # characters of a number that are looked at: no field is so wide
LINE_EDGE = 2  # pixels that Qt leaves free at both ends of a line of text
NUMBER_WRITTEN = re.compile(r"(-?)(\d+)([.,]?)(\d*)(e[+-]?\d+)?")
STATEMENT = 240  # pixels: a longer statement may take several lines
WRAPPED = int(
    Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic | Qt.TextFlag.TextWordWrap
)
ROOM = "\u2003\u2002"  # a space as wide as the arrow of a button that opens a menu
DOTS = 34  # pixels of a button that shows three dots alone
MOVING = frozenset(
    {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
)


class Prose(QLabel):
    """Text in sentences, with room between the lines; what an officer typed is shown as it is, never as markup.

    It is set here and not by the label, which would have every page laid out anew for each word that changes while
    somebody drags: only a change of its height is told to the page. To screen readers it is a label with these words.
    """

    def __init__(self, words: str = "", kind: str = "", *, hides: bool = False) -> None:
        """KIND is the name of its style; HIDES, whether it takes no place while it says nothing."""
        super().__init__()
        self._hides = hides
        if hides and not words:
            self.hide()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMaximumWidth(theme.MEASURE)
        if kind:
            self.setObjectName(kind)
        self.words = ""
        self._strong: tuple[str, ...] = ()
        self._document = QTextDocument(self, documentMargin=0)
        self.say(words)

    def say(self, words: str, strong: Iterable[str] = ()) -> None:
        """Show WORDS; each of STRONG stands out where it is a word of its own."""
        found = tuple(strong)
        if (words, found) == (self.words, self._strong):
            return
        before = self.heightForWidth(self.width()) if self.words else 0
        self.words, self._strong = words, found
        body = html.escape(words).replace("\n", "<br>")
        for figure in found:
            alone = rf"(?<![\d.,]){re.escape(html.escape(figure))}(?![\d]|[.,]\d)"
            body = re.sub(alone, lambda hit: f"<b>{hit.group()}</b>", body)
        # pre-wrap: Qt would make plain spaces of the narrow ones that hold the digits of a number together
        paragraph = f'<p style="line-height:135%; margin:0; white-space:pre-wrap">{body}</p>'
        self._document.setHtml(paragraph if words else "")
        self.setAccessibleName(words)
        if self._hides:
            self.setVisible(bool(words))
        if self.heightForWidth(self.width()) != before:
            self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for room again where a layout remembers, for this width, the height of other words."""
        super().resizeEvent(event)
        if self.heightForWidth(event.size().width()) > event.size().height():
            # after this layout, which would go astray if asked in its midst
            QTimer.singleShot(0, self, self.updateGeometry)

    def heightForWidth(self, width: int) -> int:
        if not self.words:
            return 0
        # it never becomes wider, so it needs the more height
        self._break_at(min(max(width, 1), self.maximumWidth()))
        return math.ceil(self._document.size().height())

    def _break_at(self, width: int) -> None:
        if self._document.textWidth() != width:  # Qt would set all lines anew, be the width as it was or not
            self._document.setTextWidth(width)

    def sizeHint(self) -> QSize:
        known = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_WState_Created) else 320
        width = min(known, self.maximumWidth())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(120, self.maximumWidth()), 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        changed = event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if changed and self._document.defaultFont() != self.font():
            self._document.setDefaultFont(self.font())
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.words:
            return
        with QPainter(self) as painter:
            self._break_at(self.width())
            context = QAbstractTextDocumentLayout.PaintContext()
            context.palette = self.palette()
            context.palette.setColor(QPalette.ColorRole.Text, self.palette().color(self.foregroundRole()))
            self._document.documentLayout().draw(painter, context)


def mark_wrong(control: QWidget, wrong: bool) -> None:
    """Show CONTROL in red, or as usual."""
    control.setProperty("wrong", wrong)
    control.style().unpolish(control)
    control.style().polish(control)


class Line(QLineEdit):
    """One line of text. Undo and Redo are those of the decision: they reach every page, and every step has a name."""

    def event(self, event: QEvent) -> bool:
        return False if asks_to_undo(event) else super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show how a long text begins once the keyboard is elsewhere; a menu leaves what is selected."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason):
            self.setCursorPosition(0)


class NumberLine(Line):
    """One line for a number. One too wide is shown shortened, with a mark; whole as a tip and with the keyboard."""

    def painted_text(self) -> str:
        """Return what is painted: the number, or as many of its digits as there is room for."""
        return self.text() if self.hasFocus() else shortened(self.text(), self._fits)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Select from the end to the beginning where Tab leads here: the first digits are seen, not the last."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.setSelection(len(self.text()), -len(self.text()))

    def _fits(self, text: str) -> bool:
        return self.fontMetrics().horizontalAdvance(text) <= self._room().width()

    def _room(self) -> QRect:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inside = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        return inside.adjusted(LINE_EDGE, 0, -LINE_EDGE, 0)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and self.painted_text() != self.text():
            QToolTip.showText(event.globalPos(), self.text(), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.painted_text()
        if shown == self.text():
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        with QPainter(self) as painter:
            self.style().drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            painter.drawText(self._room(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """Return a number with fewer digits and a mark where it does not fit: 41.666…, 1.23…e+15. Its size stays true."""

    def narrow(line: str) -> bool:
        return len(line) <= MOST_PAINTED and fits(line)  # a pasted page is not measured

    if narrow(text):
        return text
    found = NUMBER_WRITTEN.fullmatch(text)
    if found is None:  # no number, and said so below the field
        return _cut(text, "", 0, narrow)
    sign, whole, mark, decimals, power = found.groups("")
    short = _cut(f"{sign}{whole}{mark}{decimals}", power, len(sign + whole + mark), narrow)
    if narrow(short) or power:
        return short
    point = digits(".")
    return _cut(f"{sign}{whole[0]}{point}{whole[1:]}{decimals}", f"e+{len(whole) - 1}", len(sign) + 2, narrow)


def _cut(digits: str, power: str, least: int, fits: Callable[[str], bool]) -> str:
    """Return DIGITS, so many that they fit with a mark and the POWER of ten behind them; the first LEAST stay."""
    shortest = min(max(least, 1), len(digits))
    longer = range(shortest + 1, len(digits) + 1)
    more = bisect_left(longer, True, key=lambda kept: not fits(f"{digits[:kept]}…{power}"))
    return f"{digits[: shortest + more]}…{power}"


def asks_to_undo(event: QEvent) -> bool:
    """Return whether EVENT offers a field the keys of Undo or Redo; refused, they go to the window."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


class Choice(QComboBox):
    """A box of choices with an arrow drawn in the colour of the text; the wheel scrolls the page, not the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.setMaxVisibleItems(MOST_ENTRIES)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + 2 * LINE_EDGE, hint.height())  # else the last letter of the longest is cut

    def showPopup(self) -> None:
        """Open the list: with all its entries, and as wide as the longest of them, as far as the screen goes."""
        entries = (self.itemText(index) for index in range(self.count()))
        longest = max(map(self.fontMetrics().horizontalAdvance, entries), default=0)
        screen = self.screen().availableGeometry()
        self.view().setMinimumWidth(min(longest + ENTRY_EDGES, screen.width()))
        super().showPopup()
        popup = self.view().window()
        needed = sum(self.view().sizeHintForRow(row) for row in range(self.count()))
        missing = max(0, needed - self.view().viewport().height())
        height = min(popup.height() + missing, screen.height())
        if height > popup.height():  # neither above nor below the box is there room for all: beside it there may be
            top = min(popup.y(), screen.y() + screen.height() - height)
            popup.setGeometry(popup.x(), top, popup.width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box; words wider than it end in a mark that says so."""
        option, style, box = QStyleOptionComboBox(), self.style(), QStyle.ComplexControl.CC_ComboBox
        self.initStyleOption(option)
        room = style.subControlRect(box, option, QStyle.SubControl.SC_ComboBoxEditField, self).width()
        option.currentText = self.fontMetrics().elidedText(option.currentText, Qt.TextElideMode.ElideRight, room - 2)
        with QPainter(self) as painter:
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            style.drawComplexControl(box, option, painter, self)
            style.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option, painter, self)
        chevron(self, self.width() - 18.0)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()


class MenuButton(QPushButton):
    """A button that opens a menu; its arrow as that of a box of choices."""

    def __init__(self, words: str = "") -> None:
        super().__init__()
        self.say(words)

    def say(self, words: str) -> None:
        """Say WORDS on the button."""
        if words != self.accessibleName() or not self.text():
            self.setText(f"{unmnemonic(words)}{ROOM}")
            self.setAccessibleName(words)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        chevron(self, self.width() - 17.0)


class DotsButton(QPushButton):
    """A quiet button of three dots that opens a menu; what it is for is said to screen readers and in its tool tip."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.setObjectName("dots")
        self.setAccessibleName(words)
        self.setToolTip(words)

    def sizeHint(self) -> QSize:
        return QSize(DOTS, self.fontMetrics().height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().color(QPalette.ColorRole.Text))
            middle = QPointF(self.width() / 2, self.height() / 2)
            for beside in (-6.0, 0.0, 6.0):
                painter.drawEllipse(middle + QPointF(beside, 0.0), 1.6, 1.6)


def chevron(widget: QWidget, x: float) -> None:
    """Draw a small arrow downwards on WIDGET, centred at X."""
    with QPainter(widget) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        enabled = QPalette.ColorGroup.Active if widget.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(QPen(widget.palette().color(enabled, QPalette.ColorRole.Text), 1.5))
        y = widget.height() / 2
        painter.drawPolyline(QPolygonF([QPointF(x - 4, y - 2), QPointF(x, y + 2), QPointF(x + 4, y - 2)]))


class Slider(QSlider):
    """A slider that says when a drag, or a stretch of arrow keys, has ended; the wheel scrolls the page instead."""

    ended = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.sliderReleased.connect(self.ended)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if event.key() in MOVING and not event.isAutoRepeat():
            self.ended.emit()


class LongText(QPlainTextEdit):
    """Several lines of text; Tab moves on, and leaving it ends a stretch of typing."""

    left = Signal()

    def __init__(self, height: int) -> None:
        super().__init__()
        self.setTabChangesFocus(True)
        self.setFixedHeight(height)
        self.setUndoRedoEnabled(False)

    def event(self, event: QEvent) -> bool:
        return False if asks_to_undo(event) else super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()


class HelpButton(QAbstractButton):
    """A small "?" beside a label that shows and hides what is said about a field. In the field itself, F1 does."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F1 does the same: no second stop at every field
        self.setFixedSize(HELP, HELP)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            lit = self.isChecked() or self.underMouse()
            colour = self.palette().color(QPalette.ColorRole.Accent if lit else QPalette.ColorRole.Mid)
            painter.setPen(QPen(colour, 1.0))
            painter.drawEllipse(QRectF(1.5, 1.5, HELP - 3, HELP - 3))
            painter.setFont(theme.font(theme.CAPTION - 1.0))
            role = QPalette.ColorRole.Accent if lit else QPalette.ColorRole.PlaceholderText
            painter.setPen(self.palette().color(role))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, "?")


class MarkedWords:
    """What a button with a mark before its words is: as high as the lines they take, drawn so that the mark is seen in
    both themes. A class of buttons inherits it before Qt's own."""

    least = STATEMENT  # pixels: longer words may take several lines

    def __init__(self: Any, words: str = "") -> None:
        super().__init__()
        self.setText(unmnemonic(words))
        policy = QSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def sizeHint(self: Any) -> QSize:
        size = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text())
        return QSize(size.width() + BOX + theme.NEAR + theme.TIGHT, max(size.height(), BOX) + theme.TIGHT)

    def minimumSizeHint(self: Any) -> QSize:
        size = self.sizeHint()
        return QSize(min(size.width(), self.least), size.height())

    def heightForWidth(self: Any, width: int) -> int:
        room = QRect(0, 0, max(1, width - BOX - theme.NEAR), 10_000)
        return int(max(self.fontMetrics().boundingRect(room, WRAPPED, self.text()).height(), BOX)) + theme.TIGHT

    def hitButton(self: Any, pos: QPoint) -> bool:
        return bool(self.rect().contains(pos))

    def paintEvent(self: Any, event: QPaintEvent) -> None:
        palette, focused, accent = self.palette(), self.hasFocus(), self.palette().color(QPalette.ColorRole.Accent)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            edge = accent if focused or self.isChecked() else palette.color(QPalette.ColorRole.Mid)
            painter.setPen(QPen(edge, 2 if focused else 1))
            painter.setBrush(accent if self.isChecked() else palette.color(QPalette.ColorRole.Base))
            self.paint_mark(painter, palette.color(QPalette.ColorRole.HighlightedText))
            painter.setPen(palette.color(QPalette.ColorRole.Text))
            painter.drawText(self.rect().adjusted(BOX + theme.NEAR, 0, 0, 0), WRAPPED, self.text())


class Statement(MarkedWords, QCheckBox):
    """A statement with a box that is checked or not."""

    def paint_mark(self, painter: QPainter, tick: QColor) -> None:
        """Paint the box, with a TICK of that colour in it if it is checked."""
        box = QRectF(1.5, (self.height() - BOX) / 2 + 0.5, BOX - 1, BOX - 1)
        painter.drawRoundedRect(box, 3, 3)
        if self.isChecked():
            painter.setPen(QPen(tick, 2))
            x, y = box.x(), box.y()
            corners = (QPointF(x + 3.5, y + 8), QPointF(x + 6.5, y + 11), QPointF(x + 11.5, y + 4.5))
            painter.drawPolyline(QPolygonF(corners))
