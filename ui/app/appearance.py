"""Light or dark, and how strong: as the system asks, and when it changes its mind; or as the officer chose."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from ui.widgets import theme

SYSTEM, LIGHT, DARK = CHOICES = ("system", "light", "dark")


class Appearance(QObject):
    """Which theme is shown, and why."""

    def __init__(self, app: QApplication, settings: QSettings, forced: bool | None = None) -> None:
        super().__init__(app)
        self.app = app
        self.settings = settings
        self.family = theme.load_fonts()
        self._system_dark = theme.system_is_dark() if forced is None else forced
        self._follow: Callable[[Callable[[], object]], object] = lambda change: change()
        self.hints = QGuiApplication.styleHints()  # kept: with them PySide would drop what belongs to them
        self.asked = self.hints.accessibility()
        self._strong = self.asked.contrastPreference() == Qt.ContrastPreference.HighContrast
        self.hints.colorSchemeChanged.connect(self.system_changed)
        self.asked.contrastPreferenceChanged.connect(self.contrast_changed)
        self.colours = self._chosen_theme()
        theme.apply(app, self.colours, self.family)

    @property
    def choice(self) -> str:
        """Return what the officer chose: "system", "light" or "dark"."""
        found = self.settings.value("theme", SYSTEM)
        return found if found in CHOICES else SYSTEM

    def tell(self, follow: Callable[[Callable[[], object]], object]) -> None:
        """Have FOLLOW called when the colours change, with what changes them: call it while widgets are few."""
        self._follow = follow

    def choose(self, choice: str) -> None:
        """Show the theme of CHOICE from now on."""
        self.settings.setValue("theme", choice)
        self._show()

    def system_changed(self, scheme: Qt.ColorScheme) -> None:
        """Follow the system, if that was chosen."""
        self._system_dark = scheme == Qt.ColorScheme.Dark
        self._show()

    def contrast_changed(self, preference: Qt.ContrastPreference) -> None:
        """Follow the system where it asks for more contrast, whichever theme was chosen."""
        self._strong = preference == Qt.ContrastPreference.HighContrast
        self._show()

    def _chosen_theme(self) -> theme.Colours:
        dark = self._system_dark if self.choice == SYSTEM else self.choice == DARK
        return theme.colours(dark=dark, strong=self._strong)

    def _show(self) -> None:
        wanted = self._chosen_theme()
        if wanted is not self.colours:
            self.colours = wanted
            self._follow(lambda: theme.apply(self.app, wanted, self.family))
