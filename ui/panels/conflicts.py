"""The panel that offers ways to resolve a conflict between requirements: changes of one number, one click each."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpwizard.charts import Picture, influence_chart
from dpwizard.decision import Decision
from dpwizard.wording import format_text, word
from ui.controls import Prose
from ui.panels.panel import Panel
from ui.widgets import added, drop, named, plain, theme, unmnemonic
from ui.workers import Background

IDLE = 60  # milliseconds without an edit before the search begins
MOST = 6  # offers shown


class ConflictsPanel(Panel):
    """A button for each change that gives an allowed range again; hidden while there is one."""

    titled = ("chart", "conflicts_title")
    chosen = Signal(str, object)  # the name of the edit, and the function that changes the decision

    def build(self) -> None:
        self.buttons: list[QPushButton] = []
        self.given_up: list[Prose] = []  # below an offer that weakens a requirement a lot: what it gives up
        holder = QWidget()
        self._rows = plain(QVBoxLayout(holder), theme.TIGHT)
        self.column.addWidget(holder)
        self._requested: Decision | None = None
        self.background = Background(
            lambda request, stop: influence_chart.offers(request[0], request[1], stop), pause=IDLE, parent=self
        )
        self.background.done.connect(self._receive_offers)
        self.background.failed.connect(
            lambda _, reason: self.sentence.say(format_text("chart", "failed", {"reason": reason}))
        )

    def draw(self, decision: Decision, picture: Picture) -> str:
        window = picture.assessment.window
        self.setVisible(window.empty)
        if not window.empty:
            self._requested = None
            self.background.forget()
            self._show_offers(())
            return word("chart", "conflicts_none")
        bare = influence_chart.unchosen(decision)
        if bare != self._requested:
            self._requested = bare
            self._show_offers(())
            self.background.request((bare, picture.assessment))
            return word("chart", "conflicts_searching")
        return self.sentence.words

    def _receive_offers(self, request: Any, offers: Any) -> None:
        if request[0] is not self._requested:
            return
        self._show_offers(offers)
        self.say(word("chart", "conflicts" if offers else "conflicts_nothing"))

    def _show_offers(self, offers: Any) -> None:
        drop(self._rows, [*self.buttons, *self.given_up])
        self.buttons, self.given_up = [], []
        for offer in tuple(offers)[:MOST]:
            button = named(QPushButton(unmnemonic(offer.words)), "small")
            button.setAccessibleName(offer.words)
            button.setToolTip(offer.words)
            button.setAccessibleDescription(offer.gives_up)
            button.clicked.connect(lambda _=False, offer=offer: self.chosen.emit(offer.name, offer.make))
            self._rows.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
            self.buttons.append(button)
            if offer.gives_up:
                self.given_up.append(added(self._rows, Prose(offer.gives_up, "caption")))
