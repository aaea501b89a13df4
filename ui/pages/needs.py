"""The sentences in which one says what must still be usable, to be chosen from; what they begin with can be changed."""

from __future__ import annotations

from functools import partial
from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.decision import About, AccuracyRequirement, Decision
from dpwizard.decision.requirements import kinds
from dpwizard.wording import need_in_words, word
from ui.controls import MenuButton
from ui.widgets import Card, Link, added, named, plain, theme, tr

OFFERED = tuple((kind, made) for kind, made in kinds().items() if issubclass(made, AccuracyRequirement))


class Needs(QWidget):
    """Every need as a sentence, by what it speaks of. Open while there is none yet; then behind a button below them."""

    chosen = Signal(str)  # the kind

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.GROUP)
        self.open_button = MenuButton(tr("Add an accuracy requirement"))
        self.open_button.setCheckable(True)
        self.open_button.toggled.connect(self._open)
        column.addWidget(self.open_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.card = added(column, Card(tr("Choose a sentence to begin with")))
        self.sentences: dict[str, Link] = {}
        for about in get_args(About):
            self.card.column.addWidget(named(QLabel(word("need_about", about)), "caption"))
            for kind, made in OFFERED:
                if made.about == about:
                    link = self.sentences[kind] = added(self.card.column, Link(word("kind", kind)))
                    link.clicked.connect(partial(self._choose, kind))
        self._decision: Decision | None = None

    def show_decision(self, decision: Decision, *, some: bool) -> None:
        """Say each sentence of the figures of DECISION; SOME, whether there is a need already."""
        self._decision = decision
        self.open_button.setVisible(some)
        self._open(self.open_button.isChecked())

    def fold(self) -> None:
        """Go back behind the button."""
        self.open_button.setChecked(False)

    def _choose(self, kind: str, _checked: bool = False) -> None:
        self.chosen.emit(kind)

    def _open(self, opened: bool) -> None:
        shown = opened or self.open_button.isHidden()
        if shown and self._decision is not None:
            for kind, made in OFFERED:
                self.sentences[kind].say(need_in_words(made(**made.begins), self._decision.release))
        self.card.setVisible(shown)
