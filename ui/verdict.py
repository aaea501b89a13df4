"""What verification found, in a window: the verdict in one sentence, who signed, and every check."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QScrollArea, QVBoxLayout, QWidget

from ui import theme

if TYPE_CHECKING:
    from dpwizard.signatures.verification import Verification  # it brings what reads certificates: not at the start

MARKS = {True: "✓ yes", False: "✗ no", None: "– not checked"}


class VerdictDialog(QDialog):
    """Shows one verification; it changes nothing."""

    def __init__(self, found: Verification, path: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Verify: {path.name}")
        self.resize(640, 520)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.EDGE, theme.EDGE, theme.EDGE, theme.GROUP)
        column.setSpacing(theme.GROUP)
        self.sentence = QLabel(found.sentence)
        self.sentence.setObjectName("question")
        self.sentence.setWordWrap(True)
        column.addWidget(self.sentence)
        content = QWidget()
        rows = QVBoxLayout(content)
        rows.setSpacing(theme.NEAR)
        for signer in found.signers:
            said = f"{signer.name}, {signer.role}, {signer.time} ({signer.time_source})\n{signer.why}\n{signer.covers}"
            rows.addWidget(_text(f"Signature {signer.position + 1}", "title"))
            rows.addWidget(_text(said))
        rows.addWidget(_text("What was checked", "title"))
        for finding in found.findings:
            rows.addWidget(_text(f"{MARKS[finding.ok]}: {finding.title}. {finding.why}"))
        rows.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(content)
        column.addWidget(area, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)


def _text(words: str, name: str = "") -> QLabel:
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if name:
        label.setObjectName(name)
    return label
