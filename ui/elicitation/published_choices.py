"""What others have chosen: a dated table, offered only with one's own result, and opened only when it is asked for."""

from __future__ import annotations

from dpwizard.elicitation import read_published_choices
from ui.controls import Prose
from ui.elicitation.screen import button, row_of
from ui.elicitation.table import ReadTable
from ui.widgets import Card, added, tr

HEIGHT = 280  # pixels of the table
WIDTHS = (112, 0, 104, 116, 100, 52, 152)  # of its columns


class PublishedChoicesCard(Card):
    """A table of published choices, each with its unit and time window."""

    def __init__(self) -> None:
        super().__init__(tr("What others have chosen"))
        about = tr(
            "You have your own answer now. "
            "A value of others says little without its unit and its time, and does not make yours right."
        )
        self.says = added(self.column, Prose(about, "caption"))
        self.open_button = button(tr("Show what others have chosen"))
        self.open_button.clicked.connect(self.open)
        self.column.addLayout(row_of(self.open_button))
        titles = (tr("Who"), tr("What"), tr("Epsilon"), tr("Unit"), tr("Time"), tr("Year"), tr("Source"))
        self.table = ReadTable(tr("What others have chosen"), titles, WIDTHS)
        self.table.setFixedHeight(HEIGHT)
        self.table.hide()
        self.column.addWidget(self.table)

    def open(self) -> None:
        """Show the table."""
        found = read_published_choices()
        rows = ((c.who, c.what, c.epsilon, c.unit, c.window, str(c.year), c.source) for c in found.chosen)
        self.table.show_rows(list(rows))
        words = tr(
            "As published, put together on {day}. Units and times differ: values cannot be compared as they stand.",
            day=found.as_of,
        )
        self.says.say(words)
        self.table.show()
        self.open_button.hide()
