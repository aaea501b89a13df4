"""The language of the window, of its numbers and dates and of Qt's dialogs: the system's, the office's or a choice."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QSettings, QTranslator
from PySide6.QtWidgets import QApplication

from dpwizard.base.language import ENGLISH, LANGUAGES, speak

SYSTEM, OFFICE = "system", "office"


class LanguageChoice(QObject):
    """Applies the language and keeps the officer's choice."""

    def __init__(
        self,
        app: QApplication,
        settings: QSettings,
        system: str,
        named: str | None = None,
        office: str | None = None,
    ) -> None:
        super().__init__(app)
        self.office = office  # set by the office on this computer
        self.app = app
        self.settings = settings
        self._system = system
        self._from_command_line = named  # for this run only
        self._translator: QTranslator | None = None
        self._on_change: Callable[[], object] = lambda: None
        self.language = self._chosen_language()
        self._apply_language()

    @property
    def choice(self) -> str:
        """Return the officer's choice: "system", "office" or one of LANGUAGES; the office's if there is no choice."""
        if self._from_command_line is not None:
            return self._from_command_line
        stored = self.settings.value("language")
        if stored in LANGUAGES or stored == SYSTEM:
            return str(stored)
        return SYSTEM if self.office is None else OFFICE

    def tell(self, follow: Callable[[], object]) -> None:
        """Call FOLLOW whenever the language changes."""
        self._on_change = follow

    def choose(self, choice: str) -> None:
        """Use the language of CHOICE from now on."""
        self._from_command_line = None
        self.settings.setValue("language", choice)
        language = self._chosen_language()
        if language != self.language:
            self.language = language
            self._apply_language()
            self._on_change()

    def _chosen_language(self) -> str:
        return {SYSTEM: self._system, OFFICE: self.office}.get(self.choice) or self.choice

    def _apply_language(self) -> None:
        speak(self.language)
        QLocale.setDefault(_date_locale(self.language))
        if self._translator is not None:
            self.app.removeTranslator(self._translator)
            self._translator.deleteLater()
            self._translator = None
        if self.language != ENGLISH:
            translator = QTranslator(self)
            if translator.load(f"qtbase_{self.language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
                self.app.installTranslator(translator)
                self._translator = translator


def _date_locale(language: str) -> QLocale:
    """Return the locale in which Qt writes dates of LANGUAGE: the system's if it has that language.

    Plain English would be American to Qt, with the month before the day.
    """
    system = QLocale.system()
    if system.name().partition("_")[0] == language:
        return system
    return QLocale("en_GB" if language == ENGLISH else language)
