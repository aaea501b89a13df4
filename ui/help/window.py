"""The guide in a window of its own: its pages at the left, a search over all of them, and the way back."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QVBoxLayout,
    QWidget,
)

from dpwizard.base.language import spoken
from ui.controls import Line
from ui.help import guide
from ui.help.page import HelpPage
from ui.task_dialog import TaskDialog
from ui.widgets import button_for, fill, on_screen, plain, theme, tr
from ui.workers import Background

PAGE = Qt.ItemDataRole.UserRole  # of an item: the page it stands for, "" for the heading of a group
LIST = 260  # pixels of the list of pages
NARROW = 700  # pixels below which the list stands above the page
WIDTH, HEIGHT = 980, 720


class SearchLine(Line):
    """What is searched for; Down and Enter go to the pages found, Escape shows all pages again."""

    def __init__(self, found: QListWidget) -> None:
        super().__init__()
        self.found = found

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.found.setFocus(Qt.FocusReason.OtherFocusReason)
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)


class HelpWindow(TaskDialog):
    """Reads the guide, offline, in the language of the window."""

    def __init__(self, colours: theme.Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent, tr("Guide"), (WIDTH, HEIGHT))
        self.setWindowFlag(Qt.WindowType.Window)
        self._past: list[tuple[str, str, int]] = []  # page, heading, how far it was scrolled
        self._future: list[tuple[str, str, int]] = []
        self._heading = ""
        self._wide: bool | None = None  # whether the list stands beside the page
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Pages of the guide"))
        self.list.setWordWrap(True)
        self.list.setStyleSheet(
            f"QListView {{ outline: none; }} QListView::item:selected {{ background: {colours.selected}; color: "
            f"{colours.text}; }}"
        )
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        self.search = SearchLine(self.list)
        self.search.setPlaceholderText(tr("Search all pages"))
        self.search.setAccessibleName(tr("Search all pages"))
        self.search.textChanged.connect(self._look)
        self.finder = Background(lambda words, stop: guide.search(words, spoken()), parent=self)
        self.finder.done.connect(self._show_hits)
        self.page = HelpPage(colours)
        self.page.setAccessibleName(tr("Page"))
        self.page.asked.connect(self.show_page)
        self.back_button = button_for(tr("Back"), self.back)
        self.forward_button = button_for(tr("Forward"), self.forward)
        for button, act, keys in (
            (self.back_button, self.back, "Alt+Left"),
            (self.forward_button, self.forward, "Alt+Right"),
        ):
            button.setToolTip(QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText))
            QShortcut(QKeySequence(keys), self).activated.connect(act)
        for button in (self.back_button, self.forward_button, self.closing()):
            button.setAutoDefault(False)
        QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self).activated.connect(self._find)
        self._lay_out()
        on_screen(self)
        self._list_pages()
        self.show_page(guide.CONTENTS)

    def _lay_out(self) -> None:
        left = plain(QVBoxLayout(), theme.NEAR)
        fill(left, self.search, self.says)
        left.addWidget(self.list, 1)
        self._moves = plain(QHBoxLayout(), theme.NEAR)
        fill(self._moves, self.back_button, self.forward_button)
        self._moves.addStretch(1)
        left.addLayout(self._moves)
        self._left = QWidget()
        self._left.setLayout(left)
        self.column.setContentsMargins(theme.GROUP, theme.GROUP, 0, theme.NEAR)
        self._halves = plain(QBoxLayout(QBoxLayout.Direction.LeftToRight), theme.GROUP)
        self.column.addLayout(self._halves, 1)
        self._halves.addWidget(self._left)
        right = plain(QVBoxLayout(), theme.NEAR)
        right.addWidget(self.page, 1)
        self._closing = plain(QHBoxLayout(), 0)
        self._closing.setContentsMargins(0, 0, theme.GROUP, 0)
        self._closing.addStretch(1)
        right.addLayout(self._closing)
        self._halves.addLayout(right, 1)
        self._arrange()

    def _arrange(self) -> None:
        """Set the list beside the page, or above it where there is little room."""
        wide = self.width() >= NARROW
        self._left.setMaximumHeight(theme.WIDEST if wide else self.height() * 2 // 5)
        if wide == self._wide:
            return
        self._wide = wide
        self._halves.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        (self._closing if wide else self._moves).addWidget(self.close_button)  # from where it was: no line of its own
        margins = self._left.contentsMargins()
        margins.setRight(0 if wide else theme.GROUP)
        self._left.setContentsMargins(margins)
        self._left.setMinimumWidth(LIST if wide else 0)
        self._left.setMaximumWidth(LIST if wide else theme.WIDEST)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._arrange()
        super().resizeEvent(event)

    # ---------------------------------------------------------------------------------- pages

    def show_page(self, page: str, heading: str = "") -> None:
        """Show PAGE, at HEADING if it is named; what was shown can be gone back to."""
        if self.page.language:
            self._past.append((self.page.page, self._heading, self.page.verticalScrollBar().value()))
            self._future.clear()
        self._show(page, heading)

    def _show(self, page: str, heading: str, scrolled: int | None = None) -> None:
        language = spoken()
        untranslated = tr("This page has no translation yet; here it is in English.")
        notice = "" if guide.translated(page, language) else untranslated
        self._heading = heading
        self.page.show_page(page, language, notice)
        title = guide.title(guide.read(page, language))
        self.setWindowTitle(tr("{page} – guide", page=title) if title else tr("Guide"))
        if heading:
            self.page.go_to(heading)
        if scrolled is not None:
            self.page.verticalScrollBar().setValue(scrolled)
        self.back_button.setEnabled(bool(self._past))
        self.forward_button.setEnabled(bool(self._future))
        self._mark_page()

    def back(self) -> None:
        """Show the page before this one, where it was left."""
        self._leaf(self._past, self._future)

    def forward(self) -> None:
        """Show the page that was gone back from."""
        self._leaf(self._future, self._past)

    def _leaf(self, source: list[tuple[str, str, int]], other: list[tuple[str, str, int]]) -> None:
        if source:
            other.append((self.page.page, self._heading, self.page.verticalScrollBar().value()))
            self._show(*source.pop())

    # ------------------------------------------------------------------------- list and search

    def _list_pages(self) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            for listed in guide.contents(spoken()):
                item = QListWidgetItem(listed.title)
                item.setData(PAGE, listed.page)
                if not listed.page:
                    item.setFlags(Qt.ItemFlag.NoItemFlags)
                    font = QFont(self.font())
                    font.setWeight(QFont.Weight.DemiBold)
                    item.setFont(font)
                self.list.addItem(item)
        self._mark_page()

    def _mark_page(self) -> None:
        """Mark the page shown in the list, where it is in it (a picture is not); nothing is asked for by that."""
        with QSignalBlocker(self.list):
            rows = [row for row in range(self.list.count()) if self.list.item(row).data(PAGE) == self.page.page]
            if rows:
                self.list.setCurrentRow(rows[0])

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(PAGE) and item.data(PAGE) != self.page.page:
            self.show_page(item.data(PAGE))

    def _find(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _look(self, words: str) -> None:
        """Have the pages found that have all of WORDS; without words, show all pages."""
        self.says.say(tr("Searching …") if words.split() else "")
        if words.split():
            self.finder.request(words)
            return
        self.finder.forget()
        self._list_pages()
        self.page.mark(())

    def _show_hits(self, words: str, found: tuple[guide.Hit, ...]) -> None:
        """List the pages FOUND with WORDS, and mark these on the page, unless other words are searched for by now."""
        if words != self.search.text():
            return
        count = tr("{n} page found", "{n} pages found", n=len(found))
        self.says.say(count if found else tr("No page has all of these words."))
        with QSignalBlocker(self.list):
            self.list.clear()
            for hit in found:
                item = QListWidgetItem(f"{hit.title}\n{hit.around}")
                item.setData(PAGE, hit.page)
                item.setData(Qt.ItemDataRole.AccessibleTextRole, hit.title)
                item.setData(Qt.ItemDataRole.AccessibleDescriptionRole, hit.around)
                self.list.addItem(item)
        self._mark_page()
        self.page.mark(tuple(words.split()))
