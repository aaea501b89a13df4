"""The main window: start screen, wizard, menus and the dialogs they open."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow, QMessageBox, QStackedWidget, QVBoxLayout, QWidget

from dpwizard.base import files, office_folder
from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import LANGUAGES
from ui.app.appearance import Appearance
from ui.app.focus_scroll import FocusScroll
from ui.app.language_choice import LanguageChoice
from ui.app.menus import MenuEntry, Menus, Table, choices
from ui.app.start import StartScreen, recent_files
from ui.host import keep_technical_details_open, last_fingerprint, technical_details_stay_open
from ui.widgets import Notice, breakable, close_menus, is_small, open_once, plain, theme, tr

if TYPE_CHECKING:
    from ui.app.documents import Documents
    from ui.app.history_panel import HistoryPanel
    from ui.app.wizard import Wizard
    from ui.help.window import HelpWindow
    from ui.session import DocumentSession


WIDTH_WITH_HISTORY = 800  # pixels of the window; below, the history is a window of its own


class MainWindow(QMainWindow):
    """The program's window. The wizard and its imports are loaded after the first paint."""

    ready = Signal()  # the wizard can be used

    def __init__(self, appearance: Appearance, language: LanguageChoice, settings: QSettings, state: Path) -> None:
        super().__init__()
        self.appearance = appearance
        self.language = language
        self.settings = settings
        self.log_file: Path | None = None
        self.session: DocumentSession | None = None
        self.wizard: Wizard | None = None
        self.history_panel: HistoryPanel | None = None
        self.guide: HelpWindow | None = None
        self._title_state: tuple[object, ...] = ()
        appearance.setParent(self)
        appearance.tell(self.rebuild)
        language.setParent(self)
        language.tell(self.rebuild)
        self.setWindowTitle("dpwizard")
        self.resize(1366, 768)
        self.setAcceptDrops(True)
        self.setAnimated(False)  # the history appears at once
        self.stack = QStackedWidget()
        self.notice = Notice()
        content = QWidget()
        column = plain(QVBoxLayout(content), 0)
        column.addWidget(self.notice)
        column.addWidget(self.stack, 1)
        self.setCentralWidget(content)
        self._state = state
        self._documents: Documents | None = None
        self.start: StartScreen = self._make_start()
        self.menus = Menus(self, self._menu_entries)
        self._update_title()
        FocusScroll(self)

    def appear(self) -> None:
        """Show the window, maximized if it is larger than its screen."""
        room = self.screen().availableSize() - QSize(0, theme.FRAME)
        if room.width() < self.width() or room.height() < self.height():
            self.resize(self.size().boundedTo(room))
            self.showMaximized()
        else:
            self.show()

    @property
    def colours(self) -> theme.Colours:
        """Return the colours of the theme."""
        return self.appearance.colours

    @property
    def documents(self) -> Documents:
        """Return what opens and saves decisions, and make the window ready first if it is not."""
        self.prepare()
        assert self._documents is not None
        return self._documents

    def _make_start(self) -> StartScreen:
        start = StartScreen(recent_files(self.settings), self.stack)
        self.stack.addWidget(start)
        start.painted.connect(lambda: QTimer.singleShot(0, self.prepare))
        start.new.connect(self.new)
        start.open.connect(lambda: self.documents.open())
        start.back.connect(self.back_to_decision)
        start.verify.connect(self.verify)
        start.recover.connect(lambda place: self.documents.recover(place))
        start.open_path.connect(lambda path: self.open_path(Path(path)))
        start.example.connect(lambda path: self.open_path(Path(path), example=True))
        return start

    def _menu_entries(self) -> Table:
        """Return the entries of every menu, in the current language; None is a separator."""
        from PySide6.QtGui import QKeySequence

        from dpwizard.wording import word
        from ui.help import guide

        keys = QKeySequence.StandardKey
        file = (
            MenuEntry("new", tr("New decision"), keys.New, self.new),
            MenuEntry("open", tr("Open …"), keys.Open, lambda: self.documents.open()),
            MenuEntry("next", tr("Begin the next release …"), None, lambda: self.documents.begin_next()),
            MenuEntry("save", tr("Save"), keys.Save, lambda: self.documents.save()),
            MenuEntry("save_as", tr("Save as …"), keys.SaveAs, lambda: self.documents.save_as()),
            None,
            MenuEntry("start", tr("Start screen"), "Ctrl+H", self.show_start),
            MenuEntry("verify", tr("Verify a record …"), "Ctrl+R", self.verify),
            MenuEntry("archive", tr("Recalculate a folder of records …"), None, self.show_archive),
            MenuEntry("ledger", tr("The office’s ledger …"), None, self.show_ledger),
            MenuEntry("second_opinion", tr("Check a published claim …"), None, self.show_second_opinion),
            MenuEntry("export", tr("Export a record …"), "Ctrl+E", self.export),
            MenuEntry("trust", tr("Trusted certificates …"), None, self.show_trust),
            None,
            MenuEntry("quit", tr("Quit"), keys.Quit, self.close),
        )
        edit = (
            MenuEntry("undo", tr("Undo"), keys.Undo, self.undo),
            MenuEntry("redo", tr("Redo"), keys.Redo, self.redo),
            None,
            MenuEntry("history", tr("History"), "Ctrl+Shift+H", self.show_history),
            MenuEntry("compare", tr("Compare with another decision …"), "Ctrl+D", self.compare),
        )
        themes = (("system", tr("Light or dark as the system")), ("light", tr("Light")), ("dark", tr("Dark")))
        named_languages = tuple((code, word("language", "itself", code)) for code in LANGUAGES)
        languages = (("system", tr("Language of the system")), *named_languages)
        if self.language.office is not None:
            office_language = word("language", "itself", self.language.office)
            languages = (("office", tr("Language of the office ({language})", language=office_language)), *languages)
        details_open, text = technical_details_stay_open(self.settings), tr("Technical details always open")
        details = MenuEntry("technical", text, "Ctrl+T", self.turn_technical_details, turned=details_open)
        appearance = (*choices("theme", themes, self.appearance), None, *choices("language", languages, self.language))
        view = (details, None, *appearance)
        help = (
            MenuEntry("guide", tr("Guide"), "F1", self.show_guide_here),
            MenuEntry("keyboard", tr("Keyboard"), None, lambda: self.show_guide(guide.KEYBOARD)),
            MenuEntry("glossary", tr("Glossary"), None, lambda: self.show_guide(guide.GLOSSARY)),
            None,
            MenuEntry("about", tr("About dpwizard"), None, self.about),
        )
        return file, edit, view, help

    def undo(self) -> None:
        """Undo the last edit."""
        if self.wizard is not None:
            self.wizard.session.undo()

    def redo(self) -> None:
        """Redo the edit last undone."""
        if self.wizard is not None:
            self.wizard.session.redo()

    # ------------------------------------------------------------------------------- wizard

    def prepare(self) -> None:
        """Make what the first page does not need, once: icon, menu entries, and wizard (which imports the model)."""
        if self.wizard is not None:
            return
        theme.show_icon()
        self.menus.fill()
        from ui.app.documents import Documents
        from ui.app.wizard import Wizard
        from ui.session import DocumentSession
        from ui.workers.live import LiveSolver

        self.session = DocumentSession(self)
        self.session.left.connect(close_menus)
        self.wizard = Wizard(self.session, LiveSolver(self), self)
        self.session.changed.connect(lambda: self._update_title())
        self.session.next_asked.connect(lambda name: self.documents.begin_next(Path(name)))
        self.stack.addWidget(self.wizard)
        self._documents = documents = Documents(self, self.notice, self.settings, self._state, self.session)
        documents.opened.connect(self.show_wizard)
        documents.begun.connect(lambda: self.reach("$.title", "release"))  # so that one can type its title
        documents.continued.connect(self._say_continued)
        documents.left.connect(lambda left: self.start.show_left(left))
        documents.refused.connect(self.complain)
        self._update_title(anew=True)
        self.ready.emit()
        self._say_office_problem()

    def _say_office_problem(self) -> None:
        """Say at the start what is wrong with the settings of the office, unless a notice is shown already."""
        from dpwizard.records import office_settings

        problem = office_settings.placed(office_folder.OFFICE).problem
        if problem is not None and self.notice.isHidden():
            self.notice.tell(tr("The settings of your office are not used. {why}", why=str(problem)))

    def rebuild(self, change: Callable[[], object] = lambda: None) -> None:
        """Make menus, start screen and wizard again after CHANGE of theme or language; decision and step stay."""
        from ui.app.wizard import Wizard
        from ui.workers.live import LiveSolver

        old, at_start = self.wizard, self.stack.currentWidget() is self.start
        step = "" if old is None else old.page.key
        self.wizard = None
        if old is not None:
            old.let_go()
            self._remove_from_stack(old)
        self._remove_from_stack(self.start)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # CHANGE is faster with few widgets
        change()
        self.menus.build()
        self._remake_guide()
        self.start = self._make_start()
        if old is not None:
            assert self.session is not None
            self.wizard = Wizard(self.session, LiveSolver(self), self)
            self.stack.addWidget(self.wizard)
            self.wizard.go(step)
            self.documents.offer_recovery()
        self.start.offer_return(at_start and self.session is not None and self.session.started)
        self.stack.setCurrentWidget(self.start if at_start or self.wizard is None else self.wizard)
        self._update_title(anew=True)

    def _remove_from_stack(self, widget: QWidget) -> None:
        self.stack.removeWidget(widget)
        widget.hide()
        widget.deleteLater()

    def turn_technical_details(self) -> None:
        """Keep the technical details of every page open, or fold them again."""
        keep_technical_details_open(self.settings, not technical_details_stay_open(self.settings))
        if self.wizard is not None:
            for page in self.wizard.pages.made:
                page.fold_as_asked()

    def show_history(self) -> None:
        """Show or hide the panel with the history."""
        from ui.app.history_panel import HistoryPanel

        self.prepare()
        assert self.session is not None
        if self.history_panel is None:
            self.history_panel = HistoryPanel(self.session, self)
            self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.history_panel)
        elif self.history_panel.isVisible():
            self.history_panel.hide()
            return
        self.history_panel.appear(beside=self.width() >= WIDTH_WITH_HISTORY)
        self.history_panel.list.setFocus()

    def show_guide(self, page: str, heading: str = "") -> None:
        """Show PAGE of the guide at HEADING in its own window."""
        from ui.help.window import HelpWindow

        if self.guide is None:
            self.guide = HelpWindow(self.colours, self)
        self.guide.show_page(page, heading)
        self.guide.show()
        self.guide.raise_()
        self.guide.activateWindow()
        self.guide.list.setFocus()

    def show_guide_here(self) -> None:
        """Show the part of the guide about the current step; on the start screen, its contents."""
        from ui.help import guide

        if self.wizard is not None and self.stack.currentWidget() is self.wizard:
            self.show_guide(guide.STEPS, guide.step_section(self.wizard.page.key))
        else:
            self.show_guide(guide.CONTENTS)

    def _remake_guide(self) -> None:
        """Show the guide in the new language and colours, at the same page."""
        if self.guide is not None:
            old, self.guide = self.guide, None
            if old.isVisible():
                self.show_guide(old.page.page)
            old.hide()
            old.deleteLater()

    def about(self) -> None:
        """Show the version, the licences, and the place of the log."""
        from ui.app.about import AboutDialog

        self.about_dialog = AboutDialog(self.log_file, self)
        open_once(self.about_dialog)

    def _update_title(self, *, anew: bool = False) -> None:
        """Show in the title which decision is open and whether it is saved; enable the entries of the menus."""
        session = self.session if self.session is not None and self.stack.currentWidget() is self.wizard else None
        name, unsaved = "", False
        steps: tuple[str | None, ...] = ()
        if session is not None:
            name = session.path.name if session.path else session.decision.title or tr("unsaved decision")
            name = tr("{name} (read-only)", name=name) if self.documents.read_only else name
            unsaved, steps = session.unsaved, (session.history.undo_name, session.history.redo_name)
        title_state = (session is not None, name, unsaved, *steps)
        if title_state == self._title_state and not anew:
            return
        self._title_state = title_state
        self.menus.follow(session)
        self.setWindowTitle(f"{name}[*] – dpwizard" if session is not None else "dpwizard")
        self.setWindowModified(unsaved)

    def show_wizard(self) -> None:
        """Show the wizard with the decision just opened at its first step; that of a record at its last."""
        assert self.wizard is not None
        assert self.session is not None
        self.stack.setCurrentWidget(self.wizard)
        self.wizard.forget_problems()
        self.wizard.go("release" if self.session.record is None else "review")
        self._update_title()

    def show_start(self) -> None:
        """Go back to the start screen; the decision stays open until another one is chosen."""
        self.start.show_recent(recent_files(self.settings))
        self.start.offer_return(
            self.session is not None and self.wizard is not None and self.stack.currentWidget() is self.wizard
        )
        self.stack.setCurrentWidget(self.start)
        self._update_title()

    def back_to_decision(self) -> None:
        """Leave the start screen for the decision that is open."""
        if self.wizard is not None:
            self.stack.setCurrentWidget(self.wizard)
            self._update_title()

    def reach(self, where: str, step: str) -> None:
        """Go to the field of the path WHERE, on the page of STEP or else on the page that has it."""
        if self.wizard is not None:
            self.wizard.reach(where, step)

    def compare(self) -> None:
        """Show the decision step, and ask for the file of a decision to compare with."""
        from ui.pages.decision import DecisionPage

        self.prepare()
        assert self.wizard is not None
        self.stack.setCurrentWidget(self.wizard)
        self.wizard.go("decision")
        page = self.wizard.page
        assert isinstance(page, DecisionPage)
        page.compare_with_file()

    # -------------------------------------------------------------------------------- files

    def new(self) -> None:
        """Begin an empty decision."""
        self.documents.new()

    def open_path(self, path: Path, *, example: bool = False) -> None:
        """Open the decision (or the decision of the record) at PATH."""
        self.documents.open_path(path, example=example)

    def save_to(self, path: Path) -> bool:
        """Save to PATH; return whether it was saved."""
        return self.documents.save_to(path)

    # ------------------------------------------------------------------------------ records

    def verify(self) -> None:
        """Ask for a record and verify it."""
        from ui.controls import ask_file

        if path := ask_file(self, tr("Verify a record"), tr("Records (*.json *.pdf *.jws)")):
            self.verify_path(Path(path))

    def verify_path(self, path: Path) -> None:
        """Verify the record that PATH belongs to in the background, and show the verdict."""
        from ui.signing.verdict import VerdictDialog

        self.verdict = VerdictDialog(path, self, own=last_fingerprint(self.settings))
        self.verdict.sign_asked.connect(lambda name: self.open_path(Path(name)))
        self.verdict.next_asked.connect(lambda name: self.documents.begin_next(Path(name)))
        if self.session is not None:
            self.verdict.trusted.connect(self.session.trusted)
        open_once(self.verdict)

    def _say_continued(self) -> None:
        """Point to the question whether the limits count the last release."""
        assert self.session is not None
        words = tr("The last release is counted as an earlier one. Choose whether the limits count it, too.")
        if self.session.decision.release.priors_from == "before_all":  # said last time
            words = tr("The last release is counted as an earlier one, and the limits count it, too.")
        self.notice.tell(words, (tr("Show the question"), lambda: self.reach("$.release.priors_from", "budget")))

    def show_archive(self) -> None:
        """Open the dialog that recalculates an archive of records."""
        from ui.signing.archive_dialog import ArchiveDialog

        self.archive = ArchiveDialog(self)
        self.archive.verify.connect(lambda name: self.verify_path(Path(name)))
        open_once(self.archive)

    def show_ledger(self) -> None:
        """Show the total privacy loss of the records in a folder, and what the current decision would add."""
        from ui.signing.ledger_dialog import LedgerDialog

        self.ledger = LedgerDialog(self.session.decision if self.session is not None else None, self.colours, self)
        self.ledger.verify.connect(lambda name: self.verify_path(Path(name)))
        open_once(self.ledger)

    def show_second_opinion(self) -> None:
        """Open the dialog that checks a published claim about a privacy loss."""
        from ui.signing.second_opinion import SecondOpinionDialog

        self.second_opinion = SecondOpinionDialog(self.colours, self.show_guide, self)
        open_once(self.second_opinion)

    def show_trust(self) -> None:
        """Show whose certificates are trusted here."""
        from ui.signing.trust_dialog import TrustDialog

        self.trust = TrustDialog(parent=self)
        if self.session is not None:
            self.trust.changed.connect(self.session.trusted)
        open_once(self.trust)

    def export(self) -> None:
        """Open the dialog that exports a signed record: that of this decision, or another."""
        from ui.signing.export_dialog import ExportDialog

        record = self.session.record if self.session is not None else None
        self.exports = ExportDialog(record, self, own=last_fingerprint(self.settings))
        self.exports.lead.connect(lambda where: self.reach(where, ""))
        open_once(self.exports)

    def complain(
        self,
        heading: str,
        problem: DPWizardError,
        more: str = "",
        actions: tuple[tuple[str, Callable[[], object]], ...] = (),
    ) -> None:
        """Show PROBLEM under HEADING, with MORE about it and buttons for ACTIONS."""
        from ui.forms.problems import in_words

        box = QMessageBox(
            QMessageBox.Icon.Warning, heading.rstrip("."), heading, parent=self, textFormat=Qt.TextFormat.PlainText
        )
        if is_small(self.screen().availableSize()):
            box.setIcon(QMessageBox.Icon.NoIcon)  # its room is needed for the words
        box.setInformativeText(breakable("\n\n".join(part for part in (in_words(problem), more) if part)))
        for words, act in actions:
            box.addButton(words, QMessageBox.ButtonRole.ActionRole).clicked.connect(lambda _=False, act=act: act())
        box.addButton(QMessageBox.StandardButton.Ok)
        self.complaint = box
        open_once(box)

    # ------------------------------------------------------------------------------- events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F1:  # no field took it
            self.show_guide_here()
            return
        super().keyPressEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        urls = event.mimeData().urls()
        if urls:
            self.drop(Path(urls[0].toLocalFile()))

    def drop(self, path: Path) -> None:
        """Verify the record that PATH belongs to, or open its decision; for files dropped or opened on the desktop."""
        from dpwizard.signing import RecordFiles

        place = RecordFiles.beside(path)
        is_record = path.suffix in (".pdf", ".jws") or files.is_there(place.line(1)) or files.is_there(place.before_1_0)
        self.verify_path(path) if is_record else self.open_path(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._documents is not None:
            if not self._documents.may_leave():
                event.ignore()
                return
            self._documents.close()
        if self.wizard is not None:
            self.wizard.close()
        event.accept()
