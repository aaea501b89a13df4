"""The language of the window, as the system speaks, as the office set it or as chosen; with it numbers, dates, and Qt's
own dialogs."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QLibraryInfo, QLocale, QObject, QSettings, QTranslator
from PySide6.QtWidgets import QApplication

from dpwizard.base.language import ENGLISH, LANGUAGES, speak

SYSTEM, OFFICE = "system", "office"


class LanguageChoice(QObject):
    """Which language the window speaks, and why."""

    def __init__(
        self,
        app: QApplication,
        settings: QSettings,
        system: str,
        named: str | None = None,
        office: str | None = None,
    ) -> None:
        super().__init__(app)
        self.office = office  # the one that the office set on this computer, if it did
        self.app = app
        self.settings = settings
        self._system = system
        self._named = named  # on the command line: for this once, and not kept
        self._translator: QTranslator | None = None
        self._follow: Callable[[], object] = lambda: None
        self.language = self._chosen_language()
        self._speak()

    @property
    def choice(self) -> str:
        """Return what the officer chose: "system", "office" or one of LANGUAGES; else the office's, if it set one."""
        if self._named is not None:
            return self._named
        found = self.settings.value("language")
        if found in LANGUAGES or found == SYSTEM:
            return str(found)
        return SYSTEM if self.office is None else OFFICE

    def tell(self, follow: Callable[[], object]) -> None:
        """Have FOLLOW called whenever the language changes."""
        self._follow = follow

    def choose(self, choice: str) -> None:
        """Speak the language of CHOICE from now on."""
        self._named = None
        self.settings.setValue("language", choice)
        wanted = self._chosen_language()
        if wanted != self.language:
            self.language = wanted
            self._speak()
            self._follow()

    def _chosen_language(self) -> str:
        return {SYSTEM: self._system, OFFICE: self.office}.get(self.choice) or self.choice

    def _speak(self) -> None:
        speak(self.language)
        QLocale.setDefault(_locale(self.language))
        if self._translator is not None:
            self.app.removeTranslator(self._translator)
            self._translator.deleteLater()
            self._translator = None
        if self.language != ENGLISH:
            translator = QTranslator(self)
            if translator.load(f"qtbase_{self.language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
                self.app.installTranslator(translator)
                self._translator = translator


def _locale(language: str) -> QLocale:
    """Return how LANGUAGE writes dates where Qt does (file dialogs): as the system does, if it speaks the language.

    English alone would be American to Qt, with the month before the day.
    """
    system = QLocale.system()
    if system.name().partition("_")[0] == language:
        return system
    return QLocale("en_GB" if language == ENGLISH else language)
