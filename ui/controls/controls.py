"""Small controls that Qt's style does not draw well in both themes, and text with the program's line spacing."""

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
    QVBoxLayout,
    QWidget,
)

from dpwizard.base.language import digits
from ui.widgets import chevron, fill, named, plain, restyle, theme, unmnemonic

BOX = HELP = 16  # pixels of the box or ring before words, and of the "?" beside a label
MOST_ENTRIES, ENTRY_EDGES = 30, 40  # entries of an open list, and pixels beside their words
MOST_PAINTED = 400  # characters of a number that are measured: no field is so wide
LINE_EDGE = 2  # pixels that Qt leaves free at both ends of a line
NUMBER_WRITTEN = re.compile(r"(-?)(\d+)([.,]?)(\d*)(e[+-]?\d+)?")
WRAPPED = int(
    Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextShowMnemonic | Qt.TextFlag.TextWordWrap
)
LEAST_LETTERS = 14  # of a choice below its label that are seen
DOTS_WIDTH = 34  # pixels of a button that shows three dots alone
MOVING = frozenset(
    {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
)


class Prose(QLabel):
    """Sentences with room between the lines; text of the officer is shown as it is, never as markup.

    It paints the text itself: a plain QLabel would lay out the page again for each change of words during a drag; here
    only a change of height does. To screen readers it is a label with these words.
    """

    def __init__(
        self, words: str = "", kind: str = "", *, hides: bool = False, height: int = 135, most: int = theme.MEASURE
    ) -> None:
        """KIND is the name of its style; HIDES: hide it while it has no words; HEIGHT: of a line, in per cent; MOST:
        pixels that it may be wide."""
        super().__init__()
        self._hides_when_empty, self._height = hides, height
        if hides and not words:
            self.hide()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setMaximumWidth(most)
        self.setObjectName(kind)
        self.words = ""
        self._strong: tuple[str, ...] = ()
        self._document = QTextDocument(self, documentMargin=0)
        self._heights: dict[int, int] = {}  # of the words, by the width of their lines
        self.say(words)

    def say(self, words: str, strong: Iterable[str] = ()) -> None:
        """Show WORDS, with each of STRONG in bold where it is a whole word; an empty line parts paragraphs."""
        figures = tuple(strong)
        if (words, figures) == (self.words, self._strong):
            return
        before = self.heightForWidth(self.width()) if self.words else 0
        self.words, self._strong = words, figures
        body = html.escape(words)
        for figure in figures:
            alone = rf"(?<![\d.,]){re.escape(html.escape(figure))}(?![\d]|[.,]\d)"
            body = re.sub(alone, lambda hit: f"<b>{hit.group()}</b>", body)
        # pre-wrap: else Qt turns the narrow spaces inside numbers into plain ones
        style = f"line-height:{self._height}%; margin:0; white-space:pre-wrap"
        following = f'</p><p style="{style}; margin-top:{theme.NEAR}px">'
        body = body.replace("\n\n", following).replace("\n", "<br>")
        self._document.setHtml(f'<p style="{style}">{body}</p>' if words else "")
        self._heights.clear()
        self.setAccessibleName(words)
        if self._hides_when_empty:
            self.setVisible(bool(words))
        if self.heightForWidth(self.width()) != before:
            self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Ask for room again if the layout has cached the height of other words for this width."""
        super().resizeEvent(event)
        if self.heightForWidth(event.size().width()) > event.size().height():
            # after this layout, which must not be changed while it runs
            QTimer.singleShot(0, self, self.updateGeometry)

    def heightForWidth(self, width: int) -> int:
        if not self.words:
            return 0
        # beyond its maximum width it does not become wider
        line_width = min(max(width, 1), self.maximumWidth())
        if line_width not in self._heights:
            self._document.setTextWidth(line_width)
            self._heights[line_width] = math.ceil(self._document.size().height())
        return self._heights[line_width]

    def sizeHint(self) -> QSize:
        current = self.width() if self.testAttribute(Qt.WidgetAttribute.WA_WState_Created) else 320
        width = min(current, self.maximumWidth())
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(120, self.maximumWidth()), 0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        changed = event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange)
        if changed and self._document.defaultFont() != self.font():
            self._document.setDefaultFont(self.font())
            self._heights.clear()
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self.words:
            return
        with QPainter(self) as painter:
            if self._document.textWidth() != self.width():  # Qt would lay out all lines again even for the same width
                self._document.setTextWidth(self.width())
            context = QAbstractTextDocumentLayout.PaintContext()
            context.palette = self.palette()
            context.palette.setColor(QPalette.ColorRole.Text, self.palette().color(self.foregroundRole()))
            self._document.documentLayout().draw(painter, context)


def mark_wrong(control: QWidget, wrong: bool) -> None:
    """Show CONTROL in red if WRONG."""
    restyle(control, "wrong", wrong)


class Line(QLineEdit):
    """One line of text. Its Undo and Redo are those of the decision."""

    def event(self, event: QEvent) -> bool:
        return False if asks_to_undo(event) else super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show the beginning of a long text once the focus is elsewhere; a menu keeps the selection."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.MenuBarFocusReason):
            self.setCursorPosition(0)


class NumberLine(Line):
    """One line for a number. A long one is shown shortened, but whole in the tool tip and with the focus."""

    def painted_text(self) -> str:
        """Return the number, or as many of its digits as there is room for."""
        if self.hasFocus():
            return self.text()
        room, advance = self._text_rect().width(), self.fontMetrics().horizontalAdvance
        return shortened(self.text(), lambda text: advance(text) <= room)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """After Tab, select from the end to the beginning, so that the first digits are visible."""
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self.setSelection(len(self.text()), -len(self.text()))

    def _text_rect(self) -> QRect:
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
            painter.drawText(self._text_rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """Return a number with fewer digits and a mark if it does not fit: 41.666…, 1.23…e+15. Its size stays clear."""

    def is_narrow(line: str) -> bool:
        return len(line) <= MOST_PAINTED and fits(line)  # a pasted page is not measured

    if is_narrow(text):
        return text
    match = NUMBER_WRITTEN.fullmatch(text)
    if match is None:  # not a number, as the field says below
        return _keep_digits(text, "", 0, is_narrow)
    sign, whole, mark, decimals, power = match.groups("")
    without_power = _keep_digits(f"{sign}{whole}{mark}{decimals}", power, len(sign + whole + mark), is_narrow)
    if is_narrow(without_power) or power:
        return without_power
    mantissa = f"{sign}{whole[0]}{digits('.')}{whole[1:]}{decimals}"
    return _keep_digits(mantissa, f"e+{len(whole) - 1}", len(sign) + 2, is_narrow)


def _keep_digits(digits: str, power: str, least: int, fits: Callable[[str], bool]) -> str:
    """Return as many DIGITS as fit, but at least LEAST, with a mark and the POWER of ten after them."""
    shortest = min(max(least, 1), len(digits))
    longer = range(shortest + 1, len(digits) + 1)
    more = bisect_left(longer, True, key=lambda count: not fits(f"{digits[:count]}…{power}"))
    return f"{digits[: shortest + more]}…{power}"


def asks_to_undo(event: QEvent) -> bool:
    """Return whether EVENT asks if a field uses the keys of Undo or Redo; if not, the window does."""
    if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
        return False
    return event.matches(QKeySequence.StandardKey.Undo) or event.matches(QKeySequence.StandardKey.Redo)


class Choice(QComboBox):
    """A box of choices with an arrow drawn in the colour of the text; the wheel scrolls the page, not the answer."""

    def __init__(self, entries: Iterable[tuple[Any, str]] = (), name: str = "") -> None:
        """Offer ENTRIES, each a key and its words; NAME is for screen readers."""
        super().__init__()
        self.setMaxVisibleItems(MOST_ENTRIES)
        self.setAccessibleName(name)
        self.offer(entries)

    def offer(self, entries: Iterable[tuple[Any, str]]) -> None:
        """Offer these ENTRIES instead of those there are."""
        self.clear()
        for key, words in entries:
            self.addItem(words, key)

    @property
    def entries(self) -> list[tuple[Any, str]]:
        """Return what is offered."""
        return [(self.itemData(at), self.itemText(at)) for at in range(self.count())]

    def show_key(self, key: Any) -> None:
        """Show the entry KEY as chosen, or none if it is not offered."""
        self.setCurrentIndex(self.findData(key))

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(hint.width() + 2 * LINE_EDGE, hint.height())  # else the last letter of the longest is cut

    def showPopup(self) -> None:
        """Open the list with all its entries in full width, as far as the screen allows."""
        entries = (self.itemText(index) for index in range(self.count()))
        longest = max(map(self.fontMetrics().horizontalAdvance, entries), default=0)
        screen = self.screen().availableGeometry()
        self.view().setMinimumWidth(min(longest + ENTRY_EDGES, screen.width()))
        super().showPopup()
        popup = self.view().window()
        needed = sum(self.view().sizeHintForRow(row) for row in range(self.count()))
        missing = max(0, needed - self.view().viewport().height())
        height = min(popup.height() + missing, screen.height())
        if height > popup.height():  # no room above or below the box: the list may cover it
            top = min(popup.y(), screen.y() + screen.height() - height)
            popup.setGeometry(popup.x(), top, popup.width(), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the box, with words that are too wide elided."""
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


class DotsButton(QPushButton):
    """A quiet button of three dots that opens a menu; the tool tip and screen readers have its name."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.setObjectName("dots")
        self.setAccessibleName(words)
        self.setToolTip(words)

    def sizeHint(self) -> QSize:
        return QSize(DOTS_WIDTH, self.fontMetrics().height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self.palette().color(QPalette.ColorRole.Text))
            middle = QPointF(self.width() / 2, self.height() / 2)
            for offset in (-6.0, 0.0, 6.0):
                painter.drawEllipse(middle + QPointF(offset, 0.0), 1.6, 1.6)


class Slider(QSlider):
    """A slider that signals the end of a drag or of a key press; the wheel scrolls the page instead."""

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
    """Several lines of text; Tab leaves it, which ends an edit."""

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
    """A small "?" beside a label that shows and hides the help of a field, as F1 does in the field."""

    def __init__(self) -> None:
        super().__init__()
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # F1 does the same: no second Tab stop at every field
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
    """A mixin, before Qt's class, for buttons with a mark before words of several lines, visible in both themes."""

    least = 240  # pixels: longer words may take several lines

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
    """A statement with a check box."""

    def paint_mark(self, painter: QPainter, tick: QColor) -> None:
        """Paint the box, with a tick of colour TICK if it is checked."""
        box = QRectF(1.5, (self.height() - BOX) / 2 + 0.5, BOX - 1, BOX - 1)
        painter.drawRoundedRect(box, 3, 3)
        if self.isChecked():
            painter.setPen(QPen(tick, 2))
            x, y = box.x(), box.y()
            corners = (QPointF(x + 3.5, y + 8), QPointF(x + 6.5, y + 11), QPointF(x + 11.5, y + 4.5))
            painter.drawPolyline(QPolygonF(corners))


def labelled(label: str, control: QWidget, help: str = "") -> QWidget:
    """Return CONTROL below its LABEL, with a line of HELP below it."""
    caption = named(QLabel(label, wordWrap=True), "caption")
    caption.setBuddy(control)
    if isinstance(control, Choice):
        control.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        control.setMinimumContentsLength(LEAST_LETTERS)
    control.setAccessibleName(label)
    control.setAccessibleDescription(help)
    holder = QWidget()
    column = fill(plain(QVBoxLayout(holder), theme.TIGHT), caption, control)
    if help:
        column.addWidget(Prose(help, "caption"))
    return holder
