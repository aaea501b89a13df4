"""The ways of the monkey to every page and dialog, each in several turns."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Generator

from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from dpwizard.base.resource_files import FOLDER
from tests.soak.monkey_eyes import within_sight
from tests.soak.monkey_hands import LEFT, Hands
from tests.soak.monkey_keys import CONTROL, PLAIN, REFUSED, Key
from tests.soak.monkey_notes import Planted
from ui.plots import FigureTools

Way = Generator[None, None, None]
STEPS = ("release", "adversary", "profile", "budget", "accuracy", "decision", "review")


class Ways(Hands):
    """Hands that know how each page and dialog is reached."""

    def ways(self) -> dict[str, Callable[[], Way]]:
        """Return how each page and dialog is reached, and a few things that a hand alone would seldom do."""
        steps = {step: lambda step=step: self.at_step(step) for step in STEPS}
        menus = {
            "AboutDialog": "about",
            "ArchiveDialog": "archive",
            "TrustDialog": "trust",
            "ExportDialog": "export",
            "HistoryPanel": "history",
        }
        more = {
            "HelpWindow": "guide",
            "glossary": "glossary",
            "start": "start",
            "compare": "compare",
            "theme_dark": "theme_dark",
            "theme_light": "theme_light",
            "theme_system": "theme_system",
        }
        languages = {
            "language_de": "language_de",
            "language_en": "language_en",
            "VerdictDialog": "verify",
            "QFileDialog": "save_as",
            "new": "new",
        }
        chosen = {name: lambda key=key: self.by_menu(key) for name, key in (menus | more | languages).items()}
        return {
            **steps,
            **chosen,
            "PreviewDialog": self.preview,
            "VerdictDialog": self.verdict,
            "GuidedQuestions": self.bets,
            "TableDialog": self.table,
            "RecoveryDialog": self.recovery,
            "ErrorDialog": self.error,
            "QMessageBox": self.refused,
            "example": self.example,
        }

    def at_step(self, step: str) -> Way:
        """Click a step in the list, having come back from the start screen."""
        window = self.window
        if window.stack.currentWidget() is window.start:
            if not self.button(window.start.back_button):
                yield from self.example()
            yield
        if window.wizard is not None:
            self.button(window.wizard.steps.buttons[step])
        yield

    def by_menu(self, key: str) -> Way:
        """Open a menu with the mouse, and click the entry."""
        bar, wanted = self.window.menuBar(), self.window.menus.actions.get(key)
        for top in bar.actions():
            menu = top.menu()
            if wanted is not None and isinstance(menu, QMenu) and wanted in menu.actions():
                place = bar.actionGeometry(top)
                if place.isEmpty() or not wanted.isEnabled():
                    return
                QTest.mouseClick(bar, LEFT, PLAIN, place.center())
                yield
                if menu.isVisible():
                    QTest.mouseClick(menu, LEFT, PLAIN, menu.actionGeometry(wanted).center())
                yield
                return

    def preview(self) -> Way:
        """See the report as it will be printed."""
        yield from self.at_step("review")
        self.button(getattr(self.window.wizard.page, "larger_button", None))
        yield

    def bets(self) -> Way:
        """Have questions asked."""
        from ui.elicitation.entry import QuestionButtons

        yield from self.example("durham")
        yield from self.at_step("profile")
        entries = within_sight(self.window.wizard.page, (QuestionButtons,))
        if entries:
            self.button(entries[0].ask_button)
        yield

    def table(self) -> Way:
        """Show the data of a figure as a table."""
        yield from self.at_step(self.dice.choice(("profile", "decision", "accuracy")))
        tools = within_sight(self.window.wizard.page, (FigureTools,))
        if tools:
            chosen = self.dice.choice(tools)
            self.button(chosen.button)
            yield
            menu, action = chosen.button.menu(), chosen.actions_by_name["table"]
            if menu.isVisible():
                QTest.mouseClick(menu, LEFT, PLAIN, menu.actionGeometry(action).center())
        yield

    def example(self, name: str = "") -> Way:
        """Open an example from the start screen."""
        QTest.keyClick(self.target(), Key.Key_H, CONTROL)
        yield
        buttons = self.window.start.example_buttons
        self.button(buttons[name or self.dice.choice(tuple(buttons))])
        yield

    def recovery(self) -> Way:
        """Open a file beside which a program that was killed left its journal."""
        from dpwizard.decision.decision import read_decision
        from dpwizard.projects.journal import Journal, beside

        path = self.folder / f"left{self.dice.randrange(3)}.json"
        shutil.copy(FOLDER / "examples" / "durham.json", path)
        raw = json.loads(path.read_text("utf-8"))
        Journal(beside(path), path, None).write(
            read_decision({**raw, "title": "Not saved"}), ("Set title",), "2026-11-21T09:00:00+00:00"
        )
        self.window.drop(path)  # as a file let fall on the window
        yield

    def error(self) -> Way:
        """Have something inside the program go wrong."""

        def fail() -> None:
            raise Planted("made on purpose")

        QTimer.singleShot(0, fail)
        yield

    def verdict(self) -> Way:
        """Let a record fall on the window that is none."""
        self.window.drop(self.folder / "record.jws")
        yield

    def refused(self) -> Way:
        """Open what is no decision."""
        self.window.drop(self.folder / self.dice.choice(tuple(REFUSED)))
        yield
