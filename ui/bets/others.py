"""What others have chosen: a dated table, offered only with one's own result, and opened only when it is asked for."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableWidget, QTableWidgetItem

from dpwizard.others_chosen import others_chosen
from ui.bets.screen import button, row_of
from ui.controls import Prose
from ui.pages.page import Card
from ui.words import tr

HEIGHT = 280  # pixels of the table


class OthersCard(Card):
    """A table of published choices, each with its unit and time window."""

    def __init__(self) -> None:
        super().__init__(tr("What others have chosen"))
        self.says = Prose(
            tr("You have your own answer now. A value of others says little without its unit and its time, and does not make yours right."),
            "caption",
        )
        self.column.addWidget(self.says)
        self.open_button = button(tr("Show what others have chosen"))
        self.open_button.clicked.connect(self.open)
        self.column.addLayout(row_of(self.open_button))
        self.table = QTableWidget()
        self.table.setAccessibleName(tr("What others have chosen"))
        self.table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.table.setTabKeyNavigation(False)
        self.table.setShowGrid(False)
        self.table.verticalHeader().hide()
        self.table.setFixedHeight(HEIGHT)
        self.table.hide()
        self.column.addWidget(self.table)

    def open(self) -> None:
        """Show the table."""
        found = others_chosen()
        titles = (tr("Who"), tr("What"), tr("Epsilon"), tr("Unit"), tr("Time"), tr("Year"), tr("Source"))
        self.table.setColumnCount(len(titles))
        self.table.setHorizontalHeaderLabels(list(titles))
        self.table.setRowCount(len(found.chosen))
        for row, one in enumerate(found.chosen):
            for column, words in enumerate((one.who, one.what, one.epsilon, one.unit, one.window, str(one.year), one.source)):
                self.table.setItem(row, column, QTableWidgetItem(words))
        self.table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.table.horizontalHeader().setSectionResizeMode(5, QHeaderView.ResizeMode.ResizeToContents)
        self.table.horizontalHeader().sectionResized.connect(lambda *_: self.table.resizeRowsToContents())
        self.says.say(
            tr("As published, put together on {day}. Units and times differ: values cannot be compared as they stand.", day=found.as_of)
        )
        self.table.show()
        self.open_button.hide()
