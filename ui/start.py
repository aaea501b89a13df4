"""The start screen: new, open, recent, the bundled examples, verify a record. Text only, so that it is there at once."""

from __future__ import annotations

import json
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from dpwizard.resource_files import FOLDER
from ui import theme


class StartScreen(QScrollArea):
    """Where to begin."""

    new = Signal()
    open = Signal()
    open_path = Signal(str)
    example = Signal(str)
    verify = Signal()

    def __init__(self, recent: tuple[str, ...]) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(3 * theme.EDGE, 2 * theme.EDGE, 3 * theme.EDGE, theme.EDGE)
        column.setSpacing(theme.GROUP)
        heading = QLabel("Choose, justify and sign a privacy budget")
        heading.setObjectName("question")
        why = QLabel("Seven questions about one release lead to an epsilon and to a signed record of why. Nothing leaves this computer.")
        why.setObjectName("quiet")
        why.setWordWrap(True)
        column.addWidget(heading)
        column.addWidget(why)
        self.new_button = self._action(column, "New decision", self.new, primary=True)
        self.open_button = self._action(column, "Open a decision …", self.open)
        self.verify_button = self._action(column, "Verify a record …", self.verify)
        drop = QLabel("Or drop a decision or a record on this window.")
        drop.setObjectName("caption")
        column.addWidget(drop)
        self.recent_buttons: list[QPushButton] = []
        if recent:
            self._section(column, "Recent")
            for path in recent:
                button = self._link(column, f"{Path(path).name}   {Path(path).parent}")
                button.clicked.connect(lambda _, path=path: self.open_path.emit(path))
                self.recent_buttons.append(button)
        self._section(column, "Examples, filled in")
        grid = QGridLayout()
        grid.setSpacing(theme.TIGHT)
        self.example_buttons: dict[str, QPushButton] = {}
        for index, path in enumerate(sorted((FOLDER / "examples").glob("*.json"))):
            button = QPushButton(_title(path))
            button.setObjectName("step")
            button.clicked.connect(lambda _, path=path: self.example.emit(str(path)))
            self.example_buttons[path.stem] = button
            grid.addWidget(button, index // 2, index % 2)
        column.addLayout(grid)
        column.addStretch(1)
        self.setWidget(content)

    def _action(self, column: QVBoxLayout, words: str, signal: Signal, *, primary: bool = False) -> QPushButton:
        button = QPushButton(words)
        button.setMinimumWidth(220)
        if primary:
            button.setObjectName("primary")
        button.clicked.connect(lambda: signal.emit())  # type: ignore[attr-defined]
        column.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
        return button

    @staticmethod
    def _section(column: QVBoxLayout, words: str) -> None:
        column.addSpacing(theme.NEAR)
        label = QLabel(words)
        label.setObjectName("title")
        column.addWidget(label)

    @staticmethod
    def _link(column: QVBoxLayout, words: str) -> QPushButton:
        button = QPushButton(words)
        button.setObjectName("step")
        column.addWidget(button)
        return button


def _title(path: Path) -> str:
    """Return the title an example gives itself, or its file name."""
    try:
        title = json.loads(path.read_text("utf-8")).get("title")
    except (OSError, ValueError):
        title = None
    return title or path.stem
