"""Requirements that contradict each other: changes of one number that would open the window, one click each."""

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
    """Nothing while the window is open; else a button for each change of what an officer decides."""

    titled = ("chart", "conflicts_title")
    chosen = Signal(str, object)  # what Undo will call it, and what makes of the decision another

    def build(self) -> None:
        self.buttons: list[QPushButton] = []
        self.given_up: list[Prose] = []  # what the offers above them give up, where they loosen a promise far
        holder = QWidget()
        self._rows = plain(QVBoxLayout(holder), theme.TIGHT)
        self.column.addWidget(holder)
        self._asked: Decision | None = None
        self.background = Background(
            lambda asked, stop: influence_chart.offers(asked[0], asked[1], stop), pause=IDLE, parent=self
        )
        self.background.done.connect(self._done)
        self.background.failed.connect(
            lambda _, reason: self.sentence.say(format_text("chart", "failed", {"reason": reason}))
        )

    def draw(self, decision: Decision, picture: Picture) -> str:
        window = picture.assessment.window
        self.setVisible(window.empty)
        if not window.empty:
            self._asked = None
            self.background.forget()
            self._offer(())
            return word("chart", "conflicts_none")
        bare = influence_chart.unchosen(decision)
        if bare != self._asked:
            self._asked = bare
            self._offer(())
            self.background.request((bare, picture.assessment))
            return word("chart", "conflicts_searching")
        return self.sentence.words

    def _done(self, asked: Any, offers: Any) -> None:
        if asked[0] is not self._asked:
            return
        self._offer(offers)
        self.say(word("chart", "conflicts" if offers else "conflicts_nothing"))

    def _offer(self, offers: Any) -> None:
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

    def close_down(self) -> None:
        """End the search; the window is closing."""
        self.background.close()
