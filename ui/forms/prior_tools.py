"""What an attacker believes of a value, as a picture: bars to drag or move by keys, a curve, bars from a file."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import edits
from dpwizard.privacy.priors import MOST_SHARE, Bars, PriorPicture, as_bars, bars_from_file, reshaped
from dpwizard.wording import figures
from ui.controls import ask_file
from ui.forms.origins import origin_of
from ui.session import DocumentSession
from ui.widgets import Problem, button_for, fill, in_a_row, named, plain, theme, tr
from ui.workers import Background, reason

HEIGHT, FOOT, GAP = 132, 18, 2  # pixels: of the picture, of the figures under it, between bars
MOST_MOVED = 60  # bars; more are too narrow to be held
STEP, FINE = 0.05, 0.01  # of a share: with Shift, and without
ROOM = 1.25  # how much higher than the highest bar the picture reaches


class BeliefPicture(QWidget):
    """The picture of a prior. Bars are dragged, or chosen with Left and Right and moved with Up and Down."""

    moved = Signal(int, float)  # a bar, and the share it is to have
    let_go = Signal()  # the drag, or the stretch of keys, has ended

    def __init__(self) -> None:
        super().__init__()
        self.setMinimumHeight(HEIGHT)
        self.setMaximumHeight(HEIGHT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.shown: PriorPicture | None = None
        self.at = 0
        self._held = -1
        self._top = 1.0  # the share at the upper edge; it stays while a bar is held
        self._say()

    def sizeHint(self) -> QSize:
        return QSize(320, HEIGHT)

    def show_picture(self, shown: PriorPicture | None) -> None:
        """Draw SHOWN; nothing while a parameter is missing."""
        if shown == self.shown:
            return
        self.shown = shown
        if shown is not None:
            self.at = min(self.at, len(shown.heights) - 1)
            if self._held < 0:
                self._top = min(1.0, ROOM * max(shown.heights))
        self._say()
        self.update()

    @property
    def movable(self) -> bool:
        """Return whether there are bars that can be moved."""
        return self.shown is not None and self.shown.kind == "bars" and 1 < len(self.shown.heights) <= MOST_MOVED

    def _say(self) -> None:
        self.setAccessibleName(tr("The chances before, as a picture"))
        self.setAccessibleDescription(self.reading())

    def reading(self) -> str:
        """Return the bar that is chosen in words; for a curve, what it spans."""
        if self.shown is None:
            return tr("Not drawn yet: fill in the fields above.")
        low, high = (figures.number(end) for end in self.shown.ends)
        if not self.movable:
            return tr("From {low} to {high}.", low=low, high=high)
        first, last = (figures.number(self.shown.places[self.at + i]) for i in (0, 1))
        share = figures.share(self.shown.heights[self.at])
        place = {"bar": self.at + 1, "all": len(self.shown.heights)}
        return tr("Bar {bar} of {all}: from {low} to {high}, {share}.", **place, low=first, high=last, share=share)

    # ------------------------------------------------------------------------------------ painting

    def _field(self) -> QRectF:
        return QRectF(self.rect()).adjusted(theme.TIGHT, theme.TIGHT, -theme.TIGHT, -FOOT)

    def _x_of(self, value: float) -> float:
        assert self.shown is not None
        (low, high), field = self.shown.ends, self._field()
        share = 0.5 if high == low else (value / 2 - low / 2) / (high / 2 - low / 2)
        return field.left() + field.width() * share

    def bar(self, index: int) -> QRectF:
        """Return where bar INDEX stands."""
        assert self.shown is not None
        field = self._field()
        left, right = (self._x_of(self.shown.places[index + i]) for i in (0, 1))
        height = max(1.0, field.height() * min(1.0, self.shown.heights[index] / self._top))
        narrow = min(GAP, (right - left) / 4)
        return QRectF(left + narrow / 2, field.bottom() - height, max(1.0, right - left - narrow), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            palette, field = self.palette(), self._field()
            accent, line = palette.color(QPalette.ColorRole.Accent), palette.color(QPalette.ColorRole.Mid)
            if self.hasFocus():
                painter.setPen(QPen(accent, 2))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
            painter.setPen(QPen(line, 1))
            painter.drawLine(field.bottomLeft(), field.bottomRight())
            painter.setFont(theme.font(theme.CAPTION))
            painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
            foot = QRectF(field.left(), field.bottom() + 2, field.width(), FOOT - 2)
            if self.shown is None:
                painter.drawText(field, Qt.AlignmentFlag.AlignCenter, self.reading())
            else:
                low, high = (figures.number(end) for end in self.shown.ends)
                painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, low)
                painter.drawText(foot, Qt.AlignmentFlag.AlignRight, high)
                self._paint_belief(painter, self.shown, accent)

    def _paint_belief(self, painter: QPainter, shown: PriorPicture, accent: QColor) -> None:
        field, soft = self._field(), QColor(accent)
        soft.setAlphaF(0.45)
        if shown.kind == "curve":
            top = field.height() / ROOM
            line = [
                QPointF(self._x_of(x), field.bottom() - top * y)
                for x, y in zip(shown.places, shown.heights, strict=True)
            ]
            soft.setAlphaF(0.15)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(soft)
            painter.drawPolygon(
                QPolygonF([QPointF(line[0].x(), field.bottom()), *line, QPointF(line[-1].x(), field.bottom())])
            )
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(accent, 1.5))
            painter.drawPolyline(QPolygonF(line))
            return
        if shown.kind == "points":
            painter.setPen(QPen(accent, 2))
            painter.setBrush(accent)
            for x, share in zip(shown.places, shown.heights, strict=True):
                end = QPointF(self._x_of(x), field.bottom() - field.height() * share / self._top)
                painter.drawLine(QPointF(end.x(), field.bottom()), end)
                painter.drawEllipse(end, 3, 3)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        for index in range(len(shown.heights)):
            in_hand = self.movable and index == self.at and (self.hasFocus() or self._held >= 0)
            painter.setBrush(accent if in_hand else soft)
            painter.drawRect(self.bar(index))

    # ---------------------------------------------------------------------------------- by mouse and keys

    def _bar_at(self, x: float) -> int:
        assert self.shown is not None
        spans = (
            (self._x_of(self.shown.places[i]), self._x_of(self.shown.places[i + 1]))
            for i in range(len(self.shown.heights))
        )
        return next((i for i, (left, right) in enumerate(spans) if left <= x <= right), -1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if not self.movable or event.button() != Qt.MouseButton.LeftButton:
            return
        self._held = self._bar_at(event.position().x())
        if self._held >= 0:
            self._choose(self._held)
            self._drag(event.position().y())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._held >= 0:
            self._drag(event.position().y())
        elif self.movable:
            self.setCursor(
                Qt.CursorShape.SizeVerCursor if self._bar_at(event.position().x()) >= 0 else Qt.CursorShape.ArrowCursor
            )

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._held >= 0:
            self._held = -1
            self._end()

    def _drag(self, y: float) -> None:
        field = self._field()
        self.moved.emit(self._held, min(MOST_SHARE, max(0.0, (field.bottom() - y) / field.height() * self._top)))

    def _choose(self, index: int) -> None:
        self.at = index
        self._say()
        self.update()

    def _end(self) -> None:
        if self.shown is not None:
            self._top = min(1.0, ROOM * max(self.shown.heights))
        self.update()
        self.let_go.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, shown = event.key(), self.shown
        if not self.movable or shown is None:
            super().keyPressEvent(event)
            return
        last = len(shown.heights) - 1
        places = {Qt.Key.Key_Left: self.at - 1, Qt.Key.Key_Right: self.at + 1, Qt.Key.Key_Home: 0, Qt.Key.Key_End: last}
        step = STEP if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else FINE
        if key in places:
            self._choose(min(max(places[Qt.Key(key)], 0), last))
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            by = step if key == Qt.Key.Key_Up else -step
            self.moved.emit(self.at, min(MOST_SHARE, max(0.0, round(shown.heights[self.at] + by, 6))))
        else:
            super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.isAutoRepeat():
            self._end()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


def _problem_words(problem: BaseException) -> str:
    """Return why no bars can be made, and of which line of a file."""
    if not isinstance(problem, DPWizardError):
        return reason(problem)
    values = {"where": problem.where, "problem": problem.text, "remedy": problem.remedy}
    if problem.where.startswith("line "):
        return tr("The file, {where}: {problem}. {remedy}", **values)
    return tr("This {problem}. {remedy}", **values)


class PriorTools(QWidget):
    """Under the fields of a prior: its picture, the bar that is chosen in words, and where bars can come from."""

    def __init__(self, session: DocumentSession, where: str) -> None:
        super().__init__()
        self.session, self.where = session, where
        column = plain(QVBoxLayout(self), theme.TIGHT)
        self.picture = BeliefPicture()
        self.picture.moved.connect(self._move)
        self.picture.let_go.connect(session.settle)
        self.says = named(QLabel(wordWrap=True), "caption")
        self.problem = Problem()
        self.bars = button_for(tr("Shape with bars"), self._to_bars, "small")
        self.bars.setToolTip(tr("Turn these chances into bars that you can drag, or move with the arrow keys."))
        self.file = button_for(tr("Load bars from a CSV file …"), self._ask_file, "small")
        self.file.setToolTip(tr("One bin on each line: lower end, upper end, share. Never the confidential data."))
        fill(column, self.picture, self.says, in_a_row(self.bars, self.file), self.problem)
        self.background = Background(lambda asked, _: asked.picture(), parent=self)
        self.background.done.connect(self._drawn)
        self.reader = Background(lambda path, _: bars_from_file(path), words=_problem_words, parent=self)
        self.reader.done.connect(lambda _, bars: self._put(tr("Load chances before from a file"), bars))
        self.reader.failed.connect(lambda _, words: self.problem.say(words))
        self.hide()  # until it has its place

    def refresh(self) -> None:
        """Draw the prior as it is; what needs heavy libraries is drawn behind the window."""
        prior = edits.get(self.session.decision, self.where)
        self.setVisible(prior is not None)
        if prior is None:
            self.picture.show_picture(None)
        elif prior.quick or prior.missing():
            self.picture.show_picture(prior.picture())
        else:
            self.background.request(prior)
        self.bars.setEnabled(prior is not None and not prior.missing() and not prior.in_bars)
        self._say()

    def _drawn(self, asked: object, picture: PriorPicture | None) -> None:
        if asked == edits.get(self.session.decision, self.where):
            self.picture.show_picture(picture)
            self._say()

    def _say(self) -> None:
        hint = tr("Drag a bar, or use Left and Right, Up and Down.")
        reading = self.picture.reading() if self.picture.shown else ""
        self.says.setText(f"{reading} {hint}" if self.picture.movable else reading)

    def _move(self, index: int, share: float) -> None:
        bars = edits.get(self.session.decision, self.where)
        if bars is not None and bars.in_bars:
            shaped = reshaped(bars, index, share)
            self.session.put(tr("Shape the chances before"), self.where, shaped, merge=f"{self.where}.weights")
            self.refresh()

    def _to_bars(self) -> None:
        prior = edits.get(self.session.decision, self.where)
        if prior is not None:
            try:
                self._put(tr("Shape the chances before with bars"), as_bars(prior))
            except DPWizardError as problem:
                self.problem.say(_problem_words(problem))
            self.picture.setFocus(Qt.FocusReason.OtherFocusReason)

    def _ask_file(self) -> None:
        if origin_of(self.session.decision, self.where) is None:
            self.problem.say(tr("First state below where these numbers come from: public, assumed or test data."))
            return
        endings = tr("CSV files (*.csv *.txt);;All files (*)")
        path = ask_file(self, tr("Load bars from a CSV file"), endings)
        if path:
            self.load(Path(path))

    def load(self, path: Path) -> None:
        """Put the bars of the CSV file at PATH in place of the prior; show what is wrong with the file."""
        self.reader.request(path)

    def _put(self, name: str, bars: Bars) -> None:
        self.problem.say("")
        self.session.put(name, self.where, bars)
