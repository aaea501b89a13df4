"""The start screen: new, open, recent, bundled examples, verify a record. Text only, so that it is there at once."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSettings, Qt, Signal, SignalInstance
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from dpwizard.base import files
from dpwizard.base.resource_files import FOLDER
from ui.app import examples
from ui.widgets import Caption, Link, added, drop, named, plain, theme, tr

MOST_RECENT = 8  # files that are offered to be opened again
LONGEST = 40  # characters of a name on a button
LEFT, RIGHT = 420, 520  # pixels of the two columns
WIDE = 880  # pixels from which the columns are side by side


def recent_files(settings: QSettings) -> tuple[str, ...]:
    """Return the files opened last that still exist, the newest first."""
    stored = settings.value("recent", [])
    names = stored if isinstance(stored, list) else [stored]  # one alone comes back as it is
    return tuple(name for name in names if isinstance(name, str) and files.is_file(Path(name)))[:MOST_RECENT]


class Content(QWidget):
    """The content of the start screen, which signals its first paint."""

    painted = Signal()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self.signalsBlocked():
            self.painted.emit()
            self.blockSignals(True)


class StartScreen(QScrollArea):
    """The start screen: actions on the left; recent decisions and examples on the right."""

    new = Signal()
    open = Signal()
    open_path = Signal(str)
    example = Signal(str)
    verify = Signal()
    recover = Signal(str)  # the place of a journal
    back = Signal()
    painted = Signal()  # the first paint: slow work may begin

    def __init__(self, recent: tuple[str, ...], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = Content()
        content.painted.connect(self.painted)
        self._row = row = QBoxLayout(QBoxLayout.Direction.LeftToRight, content)
        self._place_columns(True)
        row.addStretch(1)
        left, right = QVBoxLayout(), QVBoxLayout()
        for column, width in ((left, LEFT), (right, RIGHT)):
            holder = QWidget(maximumWidth=width)
            holder.setLayout(plain(column, theme.GROUP))
            row.addWidget(holder, width)
        row.addStretch(1)
        self._fill_left(left)
        self._fill_right(right)
        self.recent_buttons: list[QPushButton] = []
        self.show_recent(recent)
        self.setWidget(content)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place_columns(event.size().width() >= WIDE)
        super().resizeEvent(event)

    def _place_columns(self, wide: bool) -> None:
        """Put the two columns side by side if WIDE, else one below the other."""
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        sides, above = (2 * theme.EDGE, 4 * theme.EDGE) if wide else (theme.GROUP, theme.GROUP)
        self._row.setContentsMargins(sides, above, sides, theme.EDGE)
        self._row.setSpacing(3 * theme.EDGE if wide else theme.EDGE)

    def _fill_left(self, column: QVBoxLayout) -> None:
        column.addWidget(named(QLabel(tr("Choose a privacy budget, give reasons, and sign"), wordWrap=True), "number"))
        reason = tr(
            "What could someone learn about a person from the figures you publish? Answer seven "
            "questions to choose the noise and sign a record of your reasons. Nothing leaves this "
            "computer."
        )
        column.addWidget(named(QLabel(f'<p style="line-height:135%">{reason}</p>', wordWrap=True), "quiet"))
        column.addSpacing(theme.NEAR)
        self.back_button = self._add_button(column, tr("Back to the decision"), self.back)
        self.back_button.hide()
        self.new_button = self._add_button(column, tr("New decision"), self.new, "primary")
        self.open_button = self._add_button(column, tr("Open a decision …"), self.open)
        self.verify_button = self._add_button(column, tr("Verify a record …"), self.verify)
        column.addWidget(named(QLabel(tr("Or drop a file here."), wordWrap=True), "caption"))
        column.addStretch(1)

    def _fill_right(self, column: QVBoxLayout) -> None:
        self._left_card, self._left_rows = self._add_card(column, tr("Not saved when the program stopped"))
        self.left_buttons: list[QPushButton] = []
        self._left_card.hide()
        self._recent_card, self._recent_rows = self._add_card(column, tr("Recent"))
        self.example_buttons: dict[str, QPushButton] = {}
        self._list_examples(column, tr("Worked examples"), examples.known())
        self._list_examples(column, tr("Examples from the papers"), examples.from_papers())
        column.addStretch(1)

    def _list_examples(self, column: QVBoxLayout, title: str, shown: dict[str, tuple[str, str]]) -> None:
        _, rows = self._add_card(column, title)
        for name, (words, note) in shown.items():
            path = FOLDER / "examples" / f"{name}.json"
            button = added(rows, Link(words))
            button.setAccessibleDescription(note)
            button.clicked.connect(lambda _, path=path: self.example.emit(str(path)))
            rows.addWidget(Caption(note))
            self.example_buttons[name] = button

    def show_recent(self, recent: tuple[str, ...]) -> None:
        """List the files opened last."""
        drop(self._recent_rows, self.recent_buttons)
        self.recent_buttons = []
        for name in recent:
            button = added(self._recent_rows, Link(Path(name).name))
            button.setToolTip(name)
            button.setAccessibleDescription(name)
            button.clicked.connect(lambda _, name=name: self.open_path.emit(name))
            self.recent_buttons.append(button)
        self._recent_card.setVisible(bool(recent))

    def show_left(self, left: tuple[tuple[str, str, str], ...]) -> None:
        """List what a crash left: place, name and time of the last change of each journal."""
        drop(self._left_rows, self.left_buttons)
        self.left_buttons = []
        for place, name, time in left:
            words = tr(
                "Recover “{name}”, changed {time} …",
                name=name if len(name) < LONGEST else f"{name[:LONGEST]}…",
                time=time,
            )
            button = added(self._left_rows, Link(words))
            button.clicked.connect(lambda _, place=place: self.recover.emit(place))
            self.left_buttons.append(button)
        self._left_card.setVisible(bool(left))

    def offer_return(self, possible: bool) -> None:
        """Show the button back to the open decision if POSSIBLE."""
        self.back_button.setVisible(possible)

    def _add_button(self, column: QVBoxLayout, words: str, signal: SignalInstance, kind: str = "") -> QPushButton:
        button = named(QPushButton(words), kind)
        button.setFixedWidth(240)
        button.clicked.connect(lambda: signal.emit())
        column.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
        return button

    @staticmethod
    def _add_card(column: QVBoxLayout, title: str) -> tuple[QFrame, QVBoxLayout]:
        """Add a card with a TITLE to COLUMN; return it and its rows."""
        card = added(column, named(QFrame(), "card"))
        rows = QVBoxLayout(card)
        rows.setContentsMargins(theme.NEAR, theme.GROUP, theme.NEAR, theme.NEAR)
        rows.setSpacing(0)
        label = added(rows, named(QLabel(title), "title"))
        label.setContentsMargins(theme.NEAR, 0, 0, theme.TIGHT)
        return card, rows
