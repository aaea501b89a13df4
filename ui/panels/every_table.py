"""All tables with noise, share and accuracy requirements, the tightest first; sort, search, copy as CSV."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout

from dpwizard.base.csv_text import as_csv
from dpwizard.charts import Picture, every_table
from dpwizard.decision import Decision
from dpwizard.wording import whole, word
from ui.controls import Column, Line, Prose, RowsTable, Statement
from ui.panels.panel import Panel
from ui.widgets import added, button_for, fill, named, theme

MOST = 12  # rows seen at once
LEAST = {"need": 160, "table": 140}  # pixels to which these columns may shrink; the others never shrink
WIDEST = {"table": 320, "need": 420}
SEARCH = 260  # pixels


def _make_column(key: str, title: str) -> Column:
    return Column(
        title=title,
        words=lambda row: every_table.cell(row, key),
        key=lambda row: every_table.sort_key(row, key),
        tip=lambda row: "\n".join(text for text in (row.name, *map(every_table.need_words, row.needs)) if text),
        numeric=key in every_table.NUMBERS,
        share=float(key in LEAST),
        least=LEAST.get(key),
        most=WIDEST.get(key, 420),
    )


class EveryTablePanel(Panel):
    """A row for each table; hidden if the release has only one."""

    titled = ("tables", "title")

    def build(self) -> None:
        self.search = Line()
        self.search.setPlaceholderText(word("tables", "search"))
        self.search.setAccessibleName(word("tables", "search"))
        self.search.setToolTip(word("tables", "search_help"))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(SEARCH)
        self.only_broken = Statement(word("tables", "only_broken"))
        self.seen = Prose("", "caption")
        self.copy_button = button_for(word("chart", "copy_csv"), self.copy, "small")
        above = QHBoxLayout()
        above.setSpacing(theme.GROUP)
        above.addWidget(self.search, 1)
        above.addWidget(self.only_broken)
        above.addWidget(self.seen, 1)
        above.addWidget(self.copy_button, alignment=Qt.AlignmentFlag.AlignRight)
        self.column.addLayout(above)
        columns = [_make_column(*pair) for pair in zip(every_table.COLUMNS, every_table.headings(), strict=True)]
        self.table = added(self.column, RowsTable(self.title, columns, sorts=(every_table.LEFT, False), most=MOST))
        self.model = self.table.rows_model
        self.model.same = lambda row: row.name
        broken = every_table.COLUMNS.index("kept")
        self.model.colour = lambda row, column: (
            self.colours.problem if column is columns[broken] and row.kept is False else None
        )
        fill(self.column, named(Prose(word("chart", "what_if_keys"), "caption"), "caption"))
        self.search.textChanged.connect(self._apply_search)
        self.only_broken.toggled.connect(self._apply_search)

    # ------------------------------------------------------------------------------------------- what is shown

    def drafted(self, picture: Picture) -> bool:
        return True  # a need that is still being computed says so

    def draw(self, decision: Decision, picture: Picture) -> str:
        several = len(decision.release.tables) > 1
        self.setVisible(several)
        if not several:
            self.table.show_rows(())
            return ""
        chosen, answers = picture.assessment.epsilon, picture.assessment.answers
        rows = every_table.rows(decision.release, chosen, zip(decision.requirements, answers, strict=False))
        self.table.show_rows(rows)
        self._say_count()
        noise = word("tables", "published_noise") if decision.release.adds_up else ""
        return f"{every_table.summary(rows, chosen)} {noise}".strip()

    def _apply_search(self) -> None:
        text, only_broken = self.search.text(), self.only_broken.isChecked()
        self.model.seek(lambda row: every_table.is_sought(row, text, only_broken))
        self._say_count()

    def _say_count(self) -> None:
        shown, total = len(self.model.rows), len(self.model.all)
        self.seen.say(word("tables", "seen").format(seen=whole(shown), all=whole(total)) if shown < total else "")

    def copy(self) -> None:
        """Copy the tables shown as CSV, in their order, with a line for each need."""
        QGuiApplication.clipboard().setText(as_csv((every_table.headings(), *every_table.lines(self.model.rows))))
