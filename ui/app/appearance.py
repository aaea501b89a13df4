"""The theme: light or dark, with more contrast or not, as the system asks or the officer chose."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from ui.widgets import theme

SYSTEM, LIGHT, DARK = CHOICES = ("system", "light", "dark")


class Appearance(QObject):
    """Applies the theme and follows the system."""

    def __init__(self, app: QApplication, settings: QSettings, forced: bool | None = None) -> None:
        super().__init__(app)
        self.app = app
        self.settings = settings
        self.family = theme.load_fonts()
        self._system_dark = theme.system_is_dark() if forced is None else forced
        self._on_change: Callable[[Callable[[], object]], object] = lambda change: change()
        self.hints = QGuiApplication.styleHints()  # kept: with them PySide would drop what belongs to them
        self.asked = self.hints.accessibility()
        self._high_contrast = self.asked.contrastPreference() == Qt.ContrastPreference.HighContrast
        self.hints.colorSchemeChanged.connect(self.system_changed)
        self.asked.contrastPreferenceChanged.connect(self.contrast_changed)
        self.colours = self._chosen_theme()
        theme.apply(app, self.colours, self.family)

    @property
    def choice(self) -> str:
        """Return the officer's choice: "system", "light" or "dark"."""
        stored = self.settings.value("theme", SYSTEM)
        return stored if stored in CHOICES else SYSTEM

    def tell(self, follow: Callable[[Callable[[], object]], object]) -> None:
        """Call FOLLOW with the function that changes the colours, which is faster with fewer widgets."""
        self._on_change = follow

    def choose(self, choice: str) -> None:
        """Apply the theme of CHOICE and keep it."""
        self.settings.setValue("theme", choice)
        self._apply_theme()

    def system_changed(self, scheme: Qt.ColorScheme) -> None:
        """Follow the system if the officer chose that."""
        self._system_dark = scheme == Qt.ColorScheme.Dark
        self._apply_theme()

    def contrast_changed(self, preference: Qt.ContrastPreference) -> None:
        """Follow the system's contrast with any theme."""
        self._high_contrast = preference == Qt.ContrastPreference.HighContrast
        self._apply_theme()

    def _chosen_theme(self) -> theme.Colours:
        dark = self._system_dark if self.choice == SYSTEM else self.choice == DARK
        return theme.colours(dark=dark, strong=self._high_contrast)

    def _apply_theme(self) -> None:
        colours = self._chosen_theme()
        if colours is not self.colours:
            self.colours = colours
            self._on_change(lambda: theme.apply(self.app, colours, self.family))
