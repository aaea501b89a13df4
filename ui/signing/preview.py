"""The record as it will be printed, page by page: typeset behind the window, to be read before signing."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TypeAlias

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter, QPalette, QPen, QPixmap, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard import records
from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from dpwizard.records import PolicyFile, Record, redaction
from dpwizard.records import policy as policies
from dpwizard.report import document as report
from dpwizard.report import notice
from dpwizard.signing import signing
from ui.controls import Choice, Prose
from ui.task_dialog import TaskDialog
from ui.widgets import InlineLink, added, button_for, fill, plain, scrolled, theme, tr
from ui.workers import Worker

LETTERS = 6  # of a size that are seen at least
SCREEN = 96.0  # dots per inch of a page at 100 %
ZOOMS = (75, 100, 125, 150, 200)
WIDTH, HEIGHT = 880, 720
PAPER = (8.27, 11.69)  # inches of an A4 page
TO_SIGN = 2  # pages for those who sign; the others are the annex
LEGIBLE = 540  # pixels of the width of a page below which its letters are too small
Make: TypeAlias = Callable[[float], tuple[bytes, ...]]


def typeset(
    decision: Decision,
    moment: datetime,
    dots_per_inch: float,
    *,
    policy: PolicyFile | None = None,
    lying: Record | None = None,
) -> tuple[bytes, ...]:
    """Return the pages of the record LYING, without its signatures, else of the record of DECISION as it stands at
    MOMENT, under POLICY, as PNG pictures."""
    record = lying if lying is not None else _typeset(decision, moment, policy)
    return report.pictures(record, dots_per_inch=dots_per_inch)


def typeset_with_notice(
    decision: Decision, moment: datetime, lying: Record | None, dots_per_inch: float
) -> tuple[bytes, ...]:
    """Return the same, and after them the page of the public notice."""
    record = public = lying if lying is not None else _typeset(decision, moment, None)
    if decision.withheld:
        public = _typeset(redaction.public_decision(decision, decision.withheld), moment, None)
    page, *_ = notice.notice_pictures(public, dots_per_inch=dots_per_inch)
    return (*report.pictures(record, dots_per_inch=dots_per_inch), page)


def _typeset(decision: Decision, moment: datetime, policy: PolicyFile | None) -> Record:
    stated = records.AssertedTime(time=moment, source="computer")
    return records.make(decision, stated, name="record", policy=policies.named(policy) if policy else None)


def typeset_public(
    internal: Record, withheld: tuple[str, ...], moment: datetime, dots_per_inch: float
) -> tuple[bytes, ...]:
    """Return the pages of the public version, as of MOMENT and without what is WITHHELD, of the record INTERNAL, as
    PNG pictures."""
    stated = records.AssertedTime(time=moment, source="computer")
    record = signing.public_edition(internal, stated, "record", records.write(internal), withheld)
    return report.pictures(record, dots_per_inch=dots_per_inch)


class Pages(QWidget):
    """Pages of one record: leafed through, enlarged, and set anew in the background when the size changes."""

    rendered = Signal()  # pages have arrived
    turned = Signal(int)  # to which page

    def __init__(self, *, sizes: bool = True) -> None:
        """Offer SIZES to choose from, or show each page whole where its letters stay legible."""
        super().__init__()
        self._make: Make | None = None
        self._words = ""
        self.pages: tuple[bytes, ...] = ()
        self.index = 0
        self._notice = False  # whether the last page is the public notice
        self._dense = 0.0  # dots per inch of the pages at hand
        self._asked = 0.0
        self.worker = Worker(self)
        self.worker.waited_for = False  # it only draws
        column = plain(QVBoxLayout(self), theme.NEAR)
        self.tools = self._tools()
        self.page = QLabel(alignment=Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.area = scrolled(self.page, tr("The record as it will be printed"))
        fill(column, self.tools, self.area)
        column.setStretch(1, 1)
        if not sizes:
            column.addWidget(self.tools)  # below the page: what stands above it says which pages there are
            self.zoom.hide()
        self._sizes = sizes
        self.says = added(column, Prose("", "caption"))
        for keys, act in (
            (QKeySequence.StandardKey.ZoomIn, lambda: self._step_zoom(1)),
            (QKeySequence.StandardKey.ZoomOut, lambda: self._step_zoom(-1)),
            (QKeySequence(Qt.Key.Key_PageDown), lambda: self.turn(1)),
            (QKeySequence(Qt.Key.Key_PageUp), lambda: self.turn(-1)),
        ):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WindowShortcut)
            shortcut.activated.connect(act)

    def set_pages(self, make: Make, words: str, *, notice: bool = False) -> None:
        """Show the pages that MAKE gives for so many dots per inch, and say WORDS of them below.

        NOTICE: whether the last of them is no page of the record but the public notice.
        """
        self.clear()
        self._make, self._words, self._notice = make, words, notice
        self.page.setText(tr("Drawing the pages …"))  # until the first of them is there
        self._set()

    def clear(self) -> None:
        """Show no pages."""
        self._make = None
        self.pages, self.index, self._dense = (), 0, 0.0
        self.page.clear()
        self.says.say("")
        self._show()

    def _tools(self) -> QWidget:
        tools = QWidget()
        row = plain(QHBoxLayout(tools), theme.NEAR)
        self.back_button = button_for("‹", lambda: self.turn(-1), "small")
        self.next_button = button_for("›", lambda: self.turn(1), "small")
        self.annex_link = InlineLink(tr("Technical annex"))
        self.annex_link.clicked.connect(lambda: self.turn(TO_SIGN - self.index))
        for button, name in ((self.back_button, tr("Previous page")), (self.next_button, tr("Next page"))):
            button.setAccessibleName(name)
            button.setToolTip(name)
        self.where = QLabel()
        theme.tabular(self.where)
        sizes = ((percent, tr("{percent} %", percent=percent)) for percent in ZOOMS)
        self.zoom = Choice(((0, tr("Fit width")), *sizes), tr("Size"))
        self.zoom.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
        self.zoom.setMinimumContentsLength(LETTERS)
        self.zoom.currentIndexChanged.connect(lambda _: self._set())
        fill(row, self.back_button, self.where, self.next_button, self.annex_link)
        row.addStretch(1)
        row.addWidget(self.zoom)
        return tools

    # -------------------------------------------------------------------------------- turning

    def turn(self, by: int) -> None:
        """Show the page BY places further, if there is one."""
        wanted = self.index + by
        if 0 <= wanted < len(self.pages):
            self.index = wanted
            self._show()
            self.turned.emit(wanted)
            self.area.verticalScrollBar().setValue(0)

    def _step_zoom(self, by: int) -> None:
        self.zoom.setCurrentIndex(min(max(self.zoom.currentIndex() + by, 1), len(ZOOMS)))

    def _ratio(self) -> float:
        return float(self.devicePixelRatioF())

    def _resolution(self) -> float:
        """Return the dots per inch that show a page sharp at the size chosen."""
        percent = self.zoom.currentData()
        if percent:
            return SCREEN * self._ratio() * float(percent) / 100
        beside = self.area.verticalScrollBar().sizeHint().width() + theme.TIGHT  # it comes with the first page
        room: float = max(self.area.width() - beside, 200) if self.isVisible() else WIDTH - 3 * theme.EDGE
        if self.zoom.isHidden():
            whole = (self.area.height() - theme.EDGE) * PAPER[0] / PAPER[1]  # pages not set anew are a little larger
            room = min(room, max(whole, LEGIBLE))
        return min(self._ratio() * room / PAPER[0], 300.0)

    # -------------------------------------------------------------------------------- setting

    def _set(self) -> None:
        self._asked = self._resolution()
        self._show()
        if self._make is None or self.worker.busy or abs(self._asked - self._dense) < 1:
            return
        make, dense = self._make, self._asked
        self.worker.start(lambda _: make(dense), partial(self._arrived, make, dense), partial(self._failed, make))

    def _arrived(self, make: Make, dense: float, pages: tuple[bytes, ...]) -> None:
        if make is self._make:  # else they are those of what was shown before
            self._dense, self.pages = dense, pages
        self.index = max(0, min(self.index, len(self.pages) - 1))
        self.says.say(self._words)
        self._show()
        self.rendered.emit()
        if abs(self._asked - self._dense) >= 1:
            self._set()

    def _failed(self, make: Make, problem: DPWizardError) -> None:
        if make is not self._make:  # what is shown now has not been set yet
            self._set()
            return
        self.page.clear()
        self._show()  # the page that is there, if one is
        self.says.say(tr("The record cannot be typeset: {why}", why=str(problem)))

    def _show(self) -> None:
        count = len(self.pages)
        self.back_button.setEnabled(self.index > 0)
        self.next_button.setEnabled(self.index + 1 < count)
        self.annex_link.setVisible(self._sizes and self.index < TO_SIGN < count)
        text = self._called() if count else ""
        self.where.setText(text)
        self.page.setAccessibleName(text)
        if not count:
            return
        picture = QPixmap()
        picture.loadFromData(self.pages[self.index])
        factor = self._asked / self._dense
        if abs(factor - 1) > 0.02:  # until the sharp ones arrive
            size = picture.size() * factor
            keep, smooth = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
            picture = picture.scaled(size, keep, smooth)
        with QPainter(picture) as painter:
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Mid), 1))  # white paper ends where it ends
            painter.drawRect(picture.rect().adjusted(0, 0, -1, -1))
        picture.setDevicePixelRatio(self._ratio())
        self.page.setPixmap(picture)

    def _called(self) -> str:
        """Return what the page shown is called."""
        of_record = len(self.pages) - self._notice
        if self.index == of_record:
            return tr("Public notice")
        if self.index < TO_SIGN:
            return tr("page {page} of {pages}", page=self.index + 1, pages=min(TO_SIGN, of_record))
        annex = {"page": self.index + 1 - TO_SIGN, "pages": of_record - TO_SIGN}
        return tr("annex, page {page} of {pages}", **annex)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self.zoom.currentData():
            self._set()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.zoom.currentData():
            self._set()  # now that the room is known


class PreviewDialog(TaskDialog):
    """The pages of the record of DECISION as it stands at MOMENT, in a window."""

    def __init__(self, decision: Decision, moment: datetime, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("The record as it will be printed"), (WIDTH, HEIGHT))
        self.view = added(self.column, Pages())
        self.view.set_pages(partial(typeset, decision, moment), about(signed=False))

    def done(self, result: int) -> None:
        self.view.clear()  # whoever opened this still knows it
        super().done(result)


def about(*, signed: bool) -> str:
    """Return the text about pages that nobody has signed, or that somebody has SIGNED."""
    if signed:
        return tr("The record as it is now. Its pages never change once it is signed. The PDF shows who signed.")
    return tr("Not signed yet. The number at the foot of the page changes with the time of signing.")
