"""The files of the window: opened, locked, journalled, saved, recovered, remembered; nothing is lost on leaving."""

from __future__ import annotations

import logging
import os
from datetime import UTC, datetime
from pathlib import Path

from filelock import SoftFileLease
from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from dpwizard.base import file_lock, files, office_folder
from dpwizard.base.errors import DPWizardError, FileChanged, FileProblem
from dpwizard.base.file_lock import Holder
from dpwizard.decision import Decision, new_decision
from dpwizard.projects import journal, next_release, project
from dpwizard.records import office_settings
from dpwizard.signing import office
from ui.app import differences, program_log
from ui.app.journal_keeper import JournalKeeper
from ui.app.notice import Notice
from ui.app.start import MOST_RECENT, recent_files
from ui.controls import ask_file, ask_place, lies_in
from ui.session import DocumentSession
from ui.widgets import moment, on_screen, tr

FIRST_NAME = f"decision{files.OF_DECISIONS}"  # of a decision that has no file yet

log = logging.getLogger(__name__)


class Documents(QObject):
    """What a window does with files of decisions; it is told what to show."""

    opened = Signal()  # another decision
    begun = Signal()  # an empty decision, which is shown
    continued = Signal()  # the next release was begun from the last one, which counts as an earlier one
    left = Signal(tuple)  # what a crash left, to be offered: place, name and time of each
    refused = Signal(str, DPWizardError, str, tuple)  # what went wrong, why, more about it, and what can be done

    def __init__(
        self, window: QWidget, notice: Notice, settings: QSettings, state: Path, session: DocumentSession
    ) -> None:
        """Know the WINDOW for its dialogs, and keep a journal of SESSION in the folder STATE from now on."""
        super().__init__(window)
        self._window, self._notice, self.settings, self.state, self.session = window, notice, settings, state, session
        self.lock: SoftFileLease | None = None
        self.read_only = ""  # why the file is not saved to: "held", "newer" or nothing
        self._warned = self._discarded = False
        recent = recent_files(settings)
        lies_in(os.path.dirname(recent[0]) if recent else "")
        self.keeper = JournalKeeper(session, program_log.journals(state), self)
        self.keeper.moved.connect(self._journal_moved)
        QTimer.singleShot(0, self.offer_recovery)

    def close(self) -> None:
        """Give the lock back and end the journal."""
        self._unlock()
        if self._discarded:
            self.keeper.discard()
        self.keeper.close()

    def _unlock(self) -> None:
        file_lock.give_back(self.lock)
        self.lock = None

    def _lock_of(self, path: Path) -> SoftFileLease | Holder | None:
        """Return the lock on PATH, the window's own unless somebody took it over, or who holds it."""
        mine = self.lock
        if mine is not None and os.path.abspath(file_lock.beside(path)) == mine.lock_file:
            if mine.compromise is None:
                return mine
            log.warning("the lock was lost")
        found: SoftFileLease | Holder | None = self.keeper.run(lambda: file_lock.take(path))
        return found

    def remember(self, path: Path) -> None:
        """Put PATH first among the files opened last; the next file dialog begins beside it."""
        name = os.path.abspath(path)
        if name.isprintable() or name.encode("utf-8", "replace").decode("utf-8") == name:
            kept = [name, *(other for other in recent_files(self.settings) if other != name)]
            self.settings.setValue("recent", kept[:MOST_RECENT])
        lies_in(os.path.dirname(name))

    # --------------------------------------------------------------------------------- open

    def new(self) -> None:
        """Begin an empty decision."""
        if self.may_leave():
            self._show(self._new_decision(), None, None)
            self.begun.emit()

    def _new_decision(self) -> Decision:
        """Return an empty decision, as the office sets it."""
        return office_settings.placed(office_folder.OFFICE).new_decision()

    def open(self) -> None:
        """Ask for a file and open it."""
        shown = str(self.session.path or "")
        path = ask_file(self._window, tr("Open a decision"), tr("Decisions and records (*.json)"), shown)
        if path:
            self.open_path(Path(path))

    def open_path(self, path: Path, *, example: bool = False) -> None:
        """Open the decision, or the decision of the record, at PATH; one of an example has no file."""
        if not self.may_leave():
            return
        try:
            opened = self.keeper.run(lambda: project.read_project(path))
        except DPWizardError as problem:
            self.refused.emit(tr("This file cannot be opened."), problem, "", ())
            return
        if example or opened.of_record:  # a record stays as it was made: its decision is opened as a new one
            self._show(opened.decision, None, path if opened.of_record and not example else None)
        else:
            self._show_file(path, opened, self._lock_of(path))
        if not example:
            self.remember(path)

    def begin_next(self, path: Path | None = None) -> None:
        """Begin the next release from the record at PATH (None: ask for it), once what begins anew was shown."""
        if path is None:
            last = str(self.session.record or self.session.path or "")
            endings = tr("Records and decisions ({endings})", endings="*.json *.pdf")
            chosen = ask_file(self._window, tr("The record of the last release"), endings, last)
            path = Path(chosen) if chosen else None
        if path is None:
            return
        now, known = datetime.now(UTC), path
        try:
            begun = self.keeper.run(lambda: next_release.begin(known, now, office.trust_places()))
        except DPWizardError as problem:
            self.refused.emit(tr("The next release cannot be begun from this file."), problem, "", ())
            return
        asked = differences.NextReleaseDialog(begun, path.name, self._window)
        accepted = asked.exec()
        asked.deleteLater()
        if accepted and self.may_leave():
            self._show(new_decision(), None, None)
            self.session.edit(tr("Begin the next release"), begun.decision)
            self.continued.emit()

    def _show(
        self, decision: Decision, path: Path | None, record: Path | None, opened: project.Opened | None = None
    ) -> None:
        """Show DECISION: nothing is unsaved, and the lock is that of PATH or none."""
        if path is None:
            self._unlock()
            self.read_only = ""
        if self._discarded:
            self.keeper.discard()
        self._warned = self._discarded = False
        digest = opened.digest if opened is not None else None
        self.session.start(decision, path, record, digest)
        self.keeper.begin(path, digest, own=not self.read_only)
        self.opened.emit()
        self._notice.tell("")

    def _show_file(self, path: Path, opened: project.Opened, held: SoftFileLease | Holder | None) -> None:
        if held is not self.lock:
            self._unlock()
        self.lock = None if isinstance(held, Holder) else held
        self.read_only = "newer" if opened.newer else "held" if isinstance(held, Holder) else ""
        self._show(opened.decision, path, None, opened)
        if opened.newer:
            self._tell_newer(opened)
        elif isinstance(held, Holder):
            self._tell_held(held)
        elif not project.is_writable(path):
            words = tr(
                "This file or its folder may only be read: "
                "what you change is kept, but must be saved under another name."
            )
            self._notice.tell(words, (tr("Save as …"), self.save_as))
        if not self.read_only:
            self._offer(path, opened)

    def _tell_newer(self, opened: project.Opened) -> None:
        words = tr(
            "Read-only: a newer version of this program wrote this file ({format}). What this version knows is shown; "
            "saving needs another name.",
            format=opened.newer,
        )
        if opened.left_out:
            words += " " + tr("{n} entry is left out.", "{n} entries are left out.", n=len(opened.left_out))
        self._notice.tell(words, (tr("Save as …"), self.save_as))

    def _tell_held(self, holder: Holder) -> None:
        words = tr(
            "Read-only: {user} has this file open in another window on {host} since {time}. You can try things out; "
            "saving needs another name.",
            user=holder.user or tr("somebody"),
            host=holder.host or tr("another computer"),
            time=moment(holder.since),
        )
        self._notice.tell(words, (tr("Save as …"), self.save_as), (tr("Try again"), self.reopen))

    def reopen(self) -> None:
        """Open the file anew: whoever held it may have closed it."""
        if self.session.path is not None:
            self.open_path(self.session.path)

    # ----------------------------------------------------------------------------- recovery

    def offer_recovery(self) -> None:
        """List on the start screen what a crash left: decisions without a file, and recent files with a journal."""
        folder = program_log.journals(self.state)
        empty = (new_decision(), self._new_decision())
        found = {str(one.path): one for one in journal.left_in(folder) if one.decision not in empty}
        for known in recent_files(self.settings):
            one = journal.of_file(Path(known), folder)
            if one is not None:
                found[str(one.path)] = one
        offered: list[tuple[str, str, str]] = []
        for place, one in found.items():
            file = Path(one.file) if one.file is not None else None
            try:
                same = file is not None and project.read_project(file).decision == one.decision
            except DPWizardError:
                same = False
            if not same:
                offered.append(
                    (
                        place,
                        file.name if file is not None else one.decision.title or tr("A decision without a title"),
                        moment(one.time),
                    )
                )
        self.left.emit(tuple(offered))

    def recover(self, place: str) -> None:
        """Recover what the journal at PLACE holds: into its file's window, or as a decision without a file."""
        found = journal.read(Path(place))
        if found is None or not self.may_leave():
            self.offer_recovery()
            return
        file = Path(found.file) if found.file is not None else None
        if file is not None and files.is_file(file):
            self.open_path(file)
            if self.session.path == file and found.path not in journal.of_names(file, found.path.parent):
                self._ask(self.session.decision, found, file.name, changed_since=found.base != self.session.digest)
        else:
            self._show(new_decision(), None, None)
            self._ask(new_decision(), found, "", changed_since=False)
        self.offer_recovery()

    def _offer(self, path: Path, opened: project.Opened) -> None:
        """Offer what the journal of PATH holds beyond the file, if it does."""
        found = journal.of_file(path, program_log.journals(self.state), held=self.lock is not None)
        if found is None:
            return
        if found.decision == opened.decision:
            journal.Journal(found.path, None, None).remove()  # it was saved, and the power failed just after
            return
        self._ask(opened.decision, found, path.name, changed_since=found.base not in (None, opened.digest))

    def _ask(self, saved: Decision, found: journal.LeftWork, name: str, *, changed_since: bool) -> None:
        dialog = differences.RecoveryDialog(
            saved, found.decision, name, found.time, changed_since=changed_since, parent=self._window
        )
        dialog.exec()
        choice = dialog.choice
        dialog.deleteLater()
        if choice == differences.DISCARD:
            journal.Journal(found.path, None, None).remove()
            return
        # decided later: the journal stays as it is, and what is edited now has one of its own
        if choice != differences.RECOVER:
            self.keeper.begin(self.session.path, self.session.digest, own=False)
            return
        self.keeper.begin(self.session.path, self.session.digest, found.path)
        self.session.edit(tr("Recover unsaved changes"), found.decision)
        log.info("unsaved changes were recovered")

    def _journal_moved(self, place: str) -> None:
        if self._warned:
            return
        self._warned = True
        words = (
            tr("The folder of this file cannot be written. Changes not saved yet are kept in {place}.", place=place)
            if place
            else tr("Changes not saved yet cannot be kept on disk: save under another name soon.")
        )
        self._notice.tell(words, (tr("Save as …"), self.save_as))

    # --------------------------------------------------------------------------------- save

    def save(self) -> bool:
        """Save to the decision's file, or ask for one; return whether it was saved."""
        if self.session.path is None or self.read_only:
            return self.save_as()
        return self.save_to(self.session.path)

    def save_as(self) -> bool:
        """Ask for a file and save to it; return whether it was saved."""
        known = self.session.path
        place = known.with_name(FIRST_NAME) if known is not None and self.read_only else known
        endings = tr("Decisions and records (*.json)")
        path = ask_place(self._window, tr("Save the decision"), endings, str(place or FIRST_NAME))
        return bool(path) and self.save_to(Path(path) if Path(path).suffix else Path(f"{path}{files.OF_DECISIONS}"))

    def save_to(self, path: Path, *, over: bool = False) -> bool:
        """Save to PATH, atomically; return whether it was saved. OVER: replace what another program changed there."""
        decision = self.session.decision
        same = self.session.path is not None and os.path.abspath(path) == os.path.abspath(self.session.path)
        held: SoftFileLease | Holder | None = self.lock
        try:
            if same and self.read_only:
                raise FileProblem("is open here to be read only", str(path), "Choose another name.")
            held = self._lock_of(path)
            if isinstance(held, file_lock.Holder):
                raise FileProblem("is open in another window", str(path), "Close it there, or choose another name.")
            self.keeper.write_now(decision)
            expected = self.session.digest if same and not over else None
            digest = self.keeper.run(lambda: project.save_project(path, decision, expected))
        except FileChanged:
            self._give_back(held)
            return self._ask_over(path)
        except DPWizardError as problem:
            self._give_back(held)
            self._say_not_saved(problem)
            return False
        if held is not self.lock:
            self._unlock()
            self.lock = held
        self.read_only, self._warned = "", False
        self.session.saved(path, decision, digest)
        self.keeper.saved(path, digest)
        self._notice.tell("")
        self.remember(path)
        return True

    def _give_back(self, held: SoftFileLease | Holder | None) -> None:
        """Give a lock back that was taken to save and is not used: it would shut out this window, too."""
        if held is not self.lock:
            file_lock.give_back(held)

    def _ask_over(self, path: Path) -> bool:
        words = tr("“{name}” was changed by another program since you opened it.", name=path.name)
        asked = QMessageBox(QMessageBox.Icon.Warning, tr("The file was changed"), words, parent=self._window)
        asked.setInformativeText(tr("Saving here would replace what is there now. Your changes are kept in any case."))
        asked.setStandardButtons(QMessageBox.StandardButton.Cancel)
        replace = asked.addButton(tr("Replace it"), QMessageBox.ButtonRole.DestructiveRole)
        other = asked.addButton(tr("Save as …"), QMessageBox.ButtonRole.AcceptRole)
        asked.setDefaultButton(other)
        on_screen(asked)
        asked.exec()
        asked.deleteLater()
        chosen = asked.clickedButton()
        if chosen is replace:
            return self.save_to(path, over=True)
        return self.save_as() if chosen is other else False

    def _say_not_saved(self, problem: DPWizardError) -> None:
        self.refused.emit(
            tr("Could not save the decision."),
            problem,
            tr("Your changes are kept in this window."),
            ((tr("Save as …"), self.save_as),),
        )

    def may_leave(self) -> bool:
        """Ask what to do with unsaved changes; return whether the decision may be left."""
        if self.session.kept:
            # what its journal holds lies in a record, too
            self._discarded = self.session.unsaved
            return True
        buttons = QMessageBox.StandardButton
        words = tr("This decision has changes that are not saved.")
        asked = QMessageBox(QMessageBox.Icon.Question, tr("Unsaved changes"), words, parent=self._window)
        asked.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        on_screen(asked)
        answer = asked.exec()
        asked.deleteLater()
        self._discarded = answer == buttons.Discard  # for good once another decision is shown, or the window closed
        return self.save() if answer == buttons.Save else answer == buttons.Discard
