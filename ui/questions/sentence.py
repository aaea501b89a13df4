"""A sentence that is the form: fields of the decision stand inside it, and what is wrong with one stands below."""

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
        """Show WORDS with a field for each name in braces, of KIND at the path WHERE, as many pixels wide as WIDTHS."""
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
        fill(self.column, *(made.problem for made in self.editors.values()))
        self.refresh()

    def _field(self, name: str, width: int) -> Editor:
        """Return the field NAME without a label of its own, and without the line that says what is wrong with it."""
        made = _bare(self.kind, name)
        made.label.hide()
        made.ask.hide()
        made.setFixedWidth(width)
        for control in made.controls():
            control.setMinimumWidth(0)
            control.setMaximumWidth(width)
        made.column.removeWidget(made.problem)
        self.add(name, made)
        return made

    def say(self, words: str) -> None:
        """Say other WORDS around the same fields."""
        sentences = [piece.strip() for piece in PLACE.split(words)[::2] if piece.strip()]
        for label, piece in zip(self._labels, sentences, strict=True):
            label.setText(piece)

    def move_to(self, where: str) -> None:
        """Speak of the value at the path WHERE from now on."""
        if where != self.where:
            self.where = where
            for name, made in self.editors.items():
                made.setObjectName(f"{where}.{name}")
            self.forget_problems()


def _bare(kind: type[Value], name: str) -> Editor:
    """Return the editor of field NAME of KIND; that of a chance without the slider and the unit that a form has."""
    if hints(kind, name).editor != "chance":
        return editor_for(kind, name)
    label = phrase("label", declared(kind, name)["title"])
    return NumberEditor(label, chance=ChanceField(certainty="maximum" in declared(kind, name)))
