"""The menu bar: every entry with its words, its shortcut and what it does, in one table. Entries are made after the
first paint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu

from dpwizard.language import NAMES
from ui.app.comparing import compare
from ui.widgets import tr, unmnemonic

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeySequence

    from ui.app.appearance import Appearance
    from ui.app.language_choice import LanguageChoice
    from ui.app.window import MainWindow
    from ui.session import Session


@dataclass(frozen=True)
class Entry:
    """One line of a menu. Its key is free of language."""

    key: str
    words: str
    shortcut: QKeySequence | QKeySequence.StandardKey | str | None
    act: Callable[[], object]
    checked: bool | None = None  # whether it is chosen, of those that exclude one another; None: it is no choice


def _choices(kind: str, offered: tuple[tuple[str, str], ...], choice: Appearance | LanguageChoice) -> tuple[Entry, ...]:
    """Return an entry for each of what is OFFERED, of which one is chosen."""
    return tuple(
        Entry(f"{kind}_{key}", words, None, partial(choice.choose, key), choice.choice == key) for key, words in offered
    )


class Menus:
    """The menus of one window; `actions` holds every entry by its key."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.actions: dict[str, QAction] = {}
        self._menus = self._titled()

    def _titled(self) -> tuple[QMenu, ...]:
        """Return the menus in the bar, without their entries."""
        return tuple(
            self.window.menuBar().addMenu(title) for title in (tr("&File"), tr("&Edit"), tr("&View"), tr("&Help"))
        )

    def table(self) -> tuple[tuple[Entry | None, ...], ...]:
        """Return the entries of every menu, in the language spoken; None is a line between them."""
        from PySide6.QtGui import QKeySequence

        window, keys = self.window, QKeySequence.StandardKey
        file = (
            Entry("new", tr("New decision"), keys.New, window.documents.new),
            Entry("open", tr("Open …"), keys.Open, window.documents.open),
            Entry("save", tr("Save"), keys.Save, window.documents.save),
            Entry("save_as", tr("Save as …"), keys.SaveAs, window.documents.save_as),
            None,
            Entry("start", tr("Start screen"), "Ctrl+H", window.show_start),
            Entry("verify", tr("Verify a record …"), "Ctrl+R", window.verify),
            Entry("archive", tr("Replay an archive of records …"), None, window.show_archive),
            Entry("export", tr("Export a record …"), "Ctrl+E", window.export),
            Entry("trust", tr("Trusted certificates …"), None, window.show_trust),
            None,
            Entry("quit", tr("Quit"), keys.Quit, window.close),
        )
        edit = (
            Entry("undo", tr("Undo"), keys.Undo, window.undo),
            Entry("redo", tr("Redo"), keys.Redo, window.redo),
            None,
            Entry("history", tr("History"), "Ctrl+Shift+H", window.show_history),
            Entry("compare", tr("Compare with another decision …"), "Ctrl+D", lambda: compare(window)),
        )
        themes = (("system", tr("Light or dark as the system")), ("light", tr("Light")), ("dark", tr("Dark")))
        languages = (("system", tr("Language of the system")), *NAMES.items())
        view = (*_choices("theme", themes, window.appearance), None, *_choices("language", languages, window.language))
        help = (
            Entry("guide", tr("Guide"), "F1", window.show_guide_here),
            Entry("keyboard", tr("Keyboard"), None, self._show_keyboard),
            Entry("glossary", tr("Glossary"), None, self._show_glossary),
            None,
            Entry("about", tr("About dpwizard"), None, window.about),
        )
        return file, edit, view, help

    def build(self) -> None:
        """Make the menus anew, in the language spoken."""
        for menu in self._menus:
            menu.deleteLater()
        self.window.menuBar().clear()
        for action in self.actions.values():
            action.deleteLater()
        self.actions.clear()
        self._menus = self._titled()
        self.fill()

    def fill(self) -> None:
        """Make the entries of the menus, once."""
        from PySide6.QtGui import QAction, QActionGroup

        if self.actions:
            return
        for menu, entries in zip(self._menus, self.table(), strict=True):
            group = QActionGroup(menu)
            for entry in entries:
                if entry is None:
                    menu.addSeparator()
                    group = QActionGroup(menu)  # those on one side of a line exclude one another
                    continue
                action = QAction(entry.words, self.window)
                if entry.shortcut is not None:
                    action.setShortcut(entry.shortcut)
                if entry.shortcut == "F1":  # in a field it is the field's: the window answers only where none does
                    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                action.triggered.connect(lambda _=False, act=entry.act: act())
                if entry.checked is not None:
                    action.setCheckable(True)
                    group.addAction(action)
                    action.setChecked(entry.checked)
                menu.addAction(action)
                self.actions[entry.key] = action

    def _show_keyboard(self) -> None:
        from ui.help.guide import KEYBOARD

        self.window.show_guide(KEYBOARD)

    def _show_glossary(self) -> None:
        from ui.help.guide import GLOSSARY

        self.window.show_guide(GLOSSARY)

    def follow(self, session: Session | None) -> None:
        """Offer what can be done with the decision shown; None: there is none."""
        if not self.actions:  # the window has not been painted
            return
        for key in ("save", "save_as", "compare"):
            self.actions[key].setEnabled(session is not None)
        undo, redo = (session.history.undo_name, session.history.redo_name) if session is not None else (None, None)
        self.actions["undo"].setEnabled(undo is not None)
        self.actions["redo"].setEnabled(redo is not None)
        self.actions["undo"].setText(unmnemonic(tr("Undo “{step}”", step=undo)) if undo else tr("Undo"))
        self.actions["redo"].setText(unmnemonic(tr("Redo “{step}”", step=redo)) if redo else tr("Redo"))
