"""The menu bar: the titles are made at once, the entries after the first paint."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QMainWindow, QMenu

from ui.widgets import tr, unmnemonic

if TYPE_CHECKING:
    from PySide6.QtGui import QAction, QKeySequence

    from ui.app.appearance import Appearance
    from ui.app.language_choice import LanguageChoice
    from ui.session import DocumentSession


@dataclass(frozen=True)
class MenuEntry:
    """One entry of a menu; its key is the same in every language."""

    key: str
    words: str
    shortcut: QKeySequence | QKeySequence.StandardKey | str | None
    act: Callable[[], object]
    checked: bool | None = None  # whether it is the one chosen in its group; None: it is in no group
    turned: bool | None = None  # whether it is on; None: it is no switch


Table: TypeAlias = tuple[tuple[MenuEntry | None, ...], ...]  # the entries of every menu; None is a line between them


def choices(
    kind: str, offered: tuple[tuple[str, str], ...], choice: Appearance | LanguageChoice
) -> tuple[MenuEntry, ...]:
    """Return a group of entries for the values OFFERED, with the current CHOICE checked."""
    return tuple(
        MenuEntry(f"{kind}_{key}", words, None, partial(choice.choose, key), choice.choice == key)
        for key, words in offered
    )


class Menus(QObject):
    """The menus of one window; `actions` holds every entry by its key."""

    def __init__(self, window: QMainWindow, table: Callable[[], Table]) -> None:
        super().__init__(window)
        self.window, self._table = window, table
        self.actions: dict[str, QAction] = {}
        self._menus = self._add_menus()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the menus before Qt looks for a shortcut, even before the first paint.

        This is not done in `event` of the window: an error while painting would then end the program on Python 3.11
        (docs/decisions/0002-pyside6-essentials.md).
        """
        if event.type() == QEvent.Type.ShortcutOverride:
            self.fill()
        return super().eventFilter(watched, event)

    def _add_menus(self) -> tuple[QMenu, ...]:
        """Add the menus to the bar without entries, and return them."""
        titles = (tr("&File"), tr("&Edit"), tr("&View"), tr("&Help"))
        return tuple(self.window.menuBar().addMenu(title) for title in titles)

    def build(self) -> None:
        """Make the menus again in the current language."""
        for menu in self._menus:
            menu.deleteLater()
        self.window.menuBar().clear()
        for action in self.actions.values():
            action.deleteLater()
        self.actions.clear()
        self._menus = self._add_menus()
        self.fill()

    def fill(self) -> None:
        """Make the entries of the menus, once."""
        from PySide6.QtGui import QActionGroup

        if self.actions:
            return
        for menu, entries in zip(self._menus, self._table(), strict=True):
            group = QActionGroup(menu)
            for entry in entries:
                if entry is None:
                    menu.addSeparator()
                    group = QActionGroup(menu)  # a separator ends a group of choices
                    continue
                action = menu.addAction(entry.words)
                action.triggered.connect(lambda _=False, act=entry.act: act())
                if entry.shortcut is not None:
                    action.setShortcut(entry.shortcut)
                if entry.shortcut == "F1":  # in a field it is the field's: the window answers only where none does
                    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
                if entry.checked is not None:
                    action.setCheckable(True)
                    group.addAction(action)
                    action.setChecked(entry.checked)
                if entry.turned is not None:
                    action.setCheckable(True)
                    action.setChecked(entry.turned)
                self.actions[entry.key] = action

    def follow(self, session: DocumentSession | None) -> None:
        """Enable the entries for SESSION; None: no decision is shown."""
        if not self.actions:  # the window has not been painted
            return
        for key in ("save", "save_as", "compare"):
            self.actions[key].setEnabled(session is not None)
        undo, redo = (session.history.undo_name, session.history.redo_name) if session is not None else (None, None)
        self.actions["undo"].setEnabled(undo is not None)
        self.actions["redo"].setEnabled(redo is not None)
        self.actions["undo"].setText(unmnemonic(tr("Undo “{step}”", step=undo)) if undo else tr("Undo"))
        self.actions["redo"].setText(unmnemonic(tr("Redo “{step}”", step=redo)) if redo else tr("Redo"))
