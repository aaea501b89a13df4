"""A sentence with fields of the decision in it; problems are shown below."""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from dpwizard.base.language import phrase
from dpwizard.base.values import Value, declared, hints
from dpwizard.wording import ChanceField
from ui.forms import Editor, NumberEditor, PlainForm, editor_for
from ui.session import DocumentSession
from ui.widgets import Words, fill, in_a_row, theme

PLACE = re.compile(r"\{(\w+)\}")


class Sentence(PlainForm):
    """Words with fields in their places: "within ± {half_width} in {level} of 100"."""

    def __init__(
        self, session: DocumentSession, where: str, kind: type[Value], words: str, widths: Mapping[str, int]
    ) -> None:
        """Show WORDS with a field for each name in braces, of KIND at the path WHERE; WIDTHS in pixels."""
        super().__init__(session, where, kind, ())
        self.column.setSpacing(theme.TIGHT)
        self._labels: list[Words] = []
        parts: list[QWidget] = []
        for at, piece in enumerate(PLACE.split(words)):
            if at % 2:
                parts.append(self._field(piece, widths[piece]))
            elif piece.strip():
                self._labels.append(Words(piece.strip()))
                parts.append(self._labels[-1])
        self.column.addWidget(in_a_row(*parts, spacing=theme.TIGHT))
        fill(self.column, *(editor.problem for editor in self.editors.values()))
        self.refresh()

    def _field(self, name: str, width: int) -> Editor:
        """Return an editor for the field NAME without its label, help and line for problems."""
        if hints(self.kind, name).editor == "chance":  # without slider and unit
            is_certain_allowed = "maximum" in declared(self.kind, name)
            label = phrase("label", declared(self.kind, name)["title"])
            editor: Editor = NumberEditor(label, chance=ChanceField(certainty=is_certain_allowed))
        else:
            editor = editor_for(self.kind, name)
        editor.label.hide()
        editor.ask.hide()
        editor.setFixedWidth(width)
        for control in editor.controls():
            control.setMinimumWidth(0)
            control.setMaximumWidth(width)
        editor.column.removeWidget(editor.problem)
        self.add(name, editor)
        return editor

    def say(self, words: str) -> None:
        """Change the WORDS around the fields."""
        sentences = [piece.strip() for piece in PLACE.split(words)[::2] if piece.strip()]
        for label, piece in zip(self._labels, sentences, strict=True):
            label.setText(piece)

    def move_to(self, where: str) -> None:
        """Edit the value at the path WHERE from now on."""
        if where != self.where:
            self.where = where
            for name, editor in self.editors.items():
                editor.setObjectName(f"{where}.{name}")
            self.forget_problems()
