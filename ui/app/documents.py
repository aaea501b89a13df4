"""The files of the window: opened, locked, journalled, saved and recovered."""

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
from ui.app.start import MOST_RECENT, recent_files
from ui.controls import ask_file, ask_place, lies_in
from ui.session import DocumentSession
from ui.widgets import Notice, moment, on_screen, tr

FIRST_NAME = f"decision{files.OF_DECISIONS}"  # of a decision that has no file yet

log = logging.getLogger(__name__)


class Documents(QObject):
    """Opens, saves and recovers the decisions of a window; signals say what to show."""

    opened = Signal()  # another decision
    begun = Signal()  # an empty decision, which is shown
    continued = Signal()  # the next release was begun from the last one, which counts as an earlier one
    left = Signal(tuple)  # place, name and time of each decision that can be recovered
    refused = Signal(str, DPWizardError, str, tuple)  # what went wrong, why, more about it, and actions to offer

    def __init__(
        self, window: QWidget, notice: Notice, settings: QSettings, state: Path, session: DocumentSession
    ) -> None:
        """Keep a journal of SESSION in the folder STATE from now on; WINDOW is the parent of dialogs."""
        super().__init__(window)
        self._window, self._notice, self.settings, self.state, self.session = window, notice, settings, state, session
        self.lock: SoftFileLease | None = None
        self.read_only = ""  # why the file is not saved to: "held", "newer" or nothing
        self._journal_move_said = self._discarded = False
        recent = recent_files(settings)
        lies_in(os.path.dirname(recent[0]) if recent else "")
        self.keeper = JournalKeeper(session, program_log.journals(state), self)
        self.keeper.moved.connect(self._say_journal_moved)
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

    def _take_lock(self, path: Path) -> SoftFileLease | Holder | None:
        """Return a lock on PATH (the one held already, unless it was lost), or who holds it."""
        own_lock = self.lock
        if own_lock is not None and os.path.abspath(file_lock.beside(path)) == own_lock.lock_file:
            if own_lock.compromise is None:
                return own_lock
            log.warning("the lock was lost")
        lock: SoftFileLease | Holder | None = self.keeper.run(lambda: file_lock.take(path))
        return lock

    def remember(self, path: Path) -> None:
        """Put PATH first among the files opened last; the next file dialog begins beside it."""
        name = os.path.abspath(path)
        if name.isprintable() or name.encode("utf-8", "replace").decode("utf-8") == name:
            names = [name, *(other for other in recent_files(self.settings) if other != name)]
            self.settings.setValue("recent", names[:MOST_RECENT])
        lies_in(os.path.dirname(name))

    def new(self) -> None:
        """Begin an empty decision."""
        if self.may_leave():
            self._show_decision(self._new_decision(), None, None)
            self.begun.emit()

    def _new_decision(self) -> Decision:
        """Return an empty decision with the settings of the office."""
        return office_settings.placed(office_folder.OFFICE).new_decision()

    def open(self) -> None:
        """Ask for a file and open it."""
        shown = str(self.session.path or "")
        path = ask_file(self._window, tr("Open a decision"), tr("Decisions and records (*.json)"), shown)
        if path:
            self.open_path(Path(path))

    def open_path(self, path: Path, *, example: bool = False) -> None:
        """Open the decision at PATH, or that of the record at PATH; an example is opened without its file."""
        if not self.may_leave():
            return
        try:
            opened = self.keeper.run(lambda: project.read_project(path))
        except DPWizardError as problem:
            self.refused.emit(tr("This file cannot be opened."), problem, "", ())
            return
        if example or opened.of_record:  # a record stays as it was made: its decision is opened as a new one
            self._show_decision(opened.decision, None, path if opened.of_record and not example else None)
        else:
            self._show_file(path, opened, self._take_lock(path))
        if not example:
            self.remember(path)

    def begin_next(self, path: Path | None = None) -> None:
        """Begin the next release from the record at PATH (None: ask for it) after showing which fields change."""
        if path is None:
            last = str(self.session.record or self.session.path or "")
            endings = tr("Records and decisions ({endings})", endings="*.json *.pdf")
            chosen = ask_file(self._window, tr("The record of the last release"), endings, last)
            path = Path(chosen) if chosen else None
        if path is None:
            return
        now, last_record = datetime.now(UTC), path
        try:
            next_decision = self.keeper.run(lambda: next_release.begin(last_record, now, office.trust_places()))
        except DPWizardError as problem:
            self.refused.emit(tr("The next release cannot be begun from this file."), problem, "", ())
            return
        dialog = differences.NextReleaseDialog(next_decision, path.name, self._window)
        accepted = dialog.exec()
        dialog.deleteLater()
        if accepted and self.may_leave():
            self._show_decision(new_decision(), None, None)
            self.session.edit(tr("Begin the next release"), next_decision.decision)
            self.continued.emit()

    def _show_decision(
        self, decision: Decision, path: Path | None, record: Path | None, opened: project.Opened | None = None
    ) -> None:
        """Show DECISION as saved; without a PATH, release the lock."""
        if path is None:
            self._unlock()
            self.read_only = ""
        if self._discarded:
            self.keeper.discard()
        self._journal_move_said = self._discarded = False
        digest = opened.digest if opened is not None else None
        self.session.start(decision, path, record, digest)
        self.keeper.begin(path, digest, own=not self.read_only)
        self.opened.emit()
        self._notice.tell("")

    def _show_file(self, path: Path, opened: project.Opened, lock: SoftFileLease | Holder | None) -> None:
        if lock is not self.lock:
            self._unlock()
        self.lock = None if isinstance(lock, Holder) else lock
        self.read_only = ""
        if opened.newer:
            self.read_only = "newer"
        elif isinstance(lock, Holder):
            self.read_only = "held"
        self._show_decision(opened.decision, path, None, opened)
        if opened.newer:
            self._say_newer_format(opened)
        elif isinstance(lock, Holder):
            self._say_held_by(lock)
        elif not project.is_writable(path):
            words = tr("This file or its folder is read-only. Your changes are not lost. Save them under another name.")
            self._notice.tell(words, (tr("Save as …"), self.save_as))
        if not self.read_only:
            self._offer_recovery_of(path, opened)

    def _say_newer_format(self, opened: project.Opened) -> None:
        words = tr(
            "Read-only: a newer version of this program wrote this file ({format}). Only what this version "
            "knows is shown. To save it, choose another name.",
            format=opened.newer,
        )
        if opened.left_out:
            words += " " + tr("{n} entry is left out.", "{n} entries are left out.", n=len(opened.left_out))
        self._notice.tell(words, (tr("Save as …"), self.save_as))

    def _say_held_by(self, holder: Holder) -> None:
        words = tr(
            "Read-only: {user} has this file open in another window on {host} since {time}. You can try "
            "things out. To save, choose another name.",
            user=holder.user or tr("someone"),
            host=holder.host or tr("another computer"),
            time=moment(holder.since),
        )
        self._notice.tell(words, (tr("Save as …"), self.save_as), (tr("Try again"), self.reopen))

    def reopen(self) -> None:
        """Open the file again, in case its lock is free now."""
        if self.session.path is not None:
            self.open_path(self.session.path)

    def offer_recovery(self) -> None:
        """List what a crash left on the start screen: decisions without a file, and recent files with a journal."""
        folder = program_log.journals(self.state)
        empty = (new_decision(), self._new_decision())
        works = {str(work.path): work for work in journal.left_in(folder) if work.decision not in empty}
        for name in recent_files(self.settings):
            work = journal.of_file(Path(name), folder)
            if work is not None:
                works[str(work.path)] = work
        rows: list[tuple[str, str, str]] = []
        for place, work in works.items():
            file = Path(work.file) if work.file is not None else None
            try:
                same = file is not None and project.read_project(file).decision == work.decision
            except DPWizardError:
                same = False
            if not same:
                title = work.decision.title or tr("A decision without a title")
                rows.append((place, title if file is None else file.name, moment(work.time)))
        self.left.emit(tuple(rows))

    def recover(self, place: str) -> None:
        """Recover the journal at PLACE: open its file first, or show a decision without a file."""
        work = journal.read(Path(place))
        if work is None or not self.may_leave():
            self.offer_recovery()
            return
        file = Path(work.file) if work.file is not None else None
        if file is not None and files.is_file(file):
            self.open_path(file)
            if self.session.path == file and work.path not in journal.of_names(file, work.path.parent):
                self._ask_to_recover(
                    self.session.decision, work, file.name, changed_since=work.base != self.session.digest
                )
        else:
            self._show_decision(new_decision(), None, None)
            self._ask_to_recover(new_decision(), work, "", changed_since=False)
        self.offer_recovery()

    def _offer_recovery_of(self, path: Path, opened: project.Opened) -> None:
        """Offer the unsaved changes in the journal of PATH, if there are any."""
        work = journal.of_file(path, program_log.journals(self.state), held=self.lock is not None)
        if work is None:
            return
        if work.decision == opened.decision:
            journal.Journal(work.path, None, None).remove()  # the power failed just after saving
            return
        self._ask_to_recover(opened.decision, work, path.name, changed_since=work.base not in (None, opened.digest))

    def _ask_to_recover(self, saved: Decision, work: journal.LeftWork, name: str, *, changed_since: bool) -> None:
        dialog = differences.RecoveryDialog(
            saved, work.decision, name, work.time, changed_since=changed_since, parent=self._window
        )
        dialog.exec()
        choice = dialog.choice
        dialog.deleteLater()
        if choice == differences.DISCARD:
            journal.Journal(work.path, None, None).remove()
            return
        # to decide later, the journal stays as it is; new edits get a journal of their own
        if choice != differences.RECOVER:
            self.keeper.begin(self.session.path, self.session.digest, own=False)
            return
        self.keeper.begin(self.session.path, self.session.digest, work.path)
        self.session.edit(tr("Recover unsaved changes"), work.decision)
        log.info("unsaved changes were recovered")

    def _say_journal_moved(self, place: str) -> None:
        if self._journal_move_said:
            return
        self._journal_move_said = True
        words = (
            tr(
                "This folder cannot be written. Unsaved changes are kept in {place}.",
                place=place,
            )
            if place
            else tr("Unsaved changes cannot be kept on this disk: save under another name soon.")
        )
        self._notice.tell(words, (tr("Save as …"), self.save_as))

    def save(self) -> bool:
        """Save to the decision's file or a chosen one; return whether it was saved."""
        if self.session.path is None or self.read_only:
            return self.save_as()
        return self.save_to(self.session.path)

    def save_as(self) -> bool:
        """Ask for a file and save to it; return whether it was saved."""
        current = self.session.path
        place = current.with_name(FIRST_NAME) if current is not None and self.read_only else current
        endings = tr("Decisions and records (*.json)")
        path = ask_place(self._window, tr("Save the decision"), endings, str(place or FIRST_NAME))
        return bool(path) and self.save_to(Path(path) if Path(path).suffix else Path(f"{path}{files.OF_DECISIONS}"))

    def save_to(self, path: Path, *, over: bool = False) -> bool:
        """Save to PATH, atomically; return whether it was saved. OVER: replace changes of another program."""
        decision = self.session.decision
        is_same_file = self.session.path is not None and os.path.abspath(path) == os.path.abspath(self.session.path)
        lock: SoftFileLease | Holder | None = self.lock
        try:
            if is_same_file and self.read_only:
                raise FileProblem("is open here as read-only", str(path), "Choose another name.")
            lock = self._take_lock(path)
            if isinstance(lock, file_lock.Holder):
                raise FileProblem("is open in another window", str(path), "Close it there, or choose another name.")
            self.keeper.write_now(decision)
            expected = self.session.digest if is_same_file and not over else None
            digest = self.keeper.run(lambda: project.save_project(path, decision, expected))
        except FileChanged:
            self._release_unused(lock)
            return self._ask_to_replace(path)
        except DPWizardError as problem:
            self._release_unused(lock)
            heading, more = tr("Could not save the decision."), tr("Your changes are kept in this window.")
            self.refused.emit(heading, problem, more, ((tr("Save as …"), self.save_as),))
            return False
        if lock is not self.lock:
            self._unlock()
            self.lock = lock
        self.read_only, self._journal_move_said = "", False
        self.session.saved(path, decision, digest)
        self.keeper.saved(path, digest)
        self._notice.tell("")
        self.remember(path)
        return True

    def _release_unused(self, lock: SoftFileLease | Holder | None) -> None:
        """Release LOCK if it was taken only to save: it would shut out this window, too."""
        if lock is not self.lock:
            file_lock.give_back(lock)

    def _ask_to_replace(self, path: Path) -> bool:
        words = tr("“{name}” was changed by another program since you opened it.", name=path.name)
        box = QMessageBox(QMessageBox.Icon.Warning, tr("The file was changed"), words, parent=self._window)
        box.setInformativeText(tr("Saving would replace what is in the file now. Your changes are safe in any case."))
        box.setStandardButtons(QMessageBox.StandardButton.Cancel)
        replace = box.addButton(tr("Replace it"), QMessageBox.ButtonRole.DestructiveRole)
        other = box.addButton(tr("Save as …"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(other)
        on_screen(box)
        box.exec()
        box.deleteLater()
        chosen = box.clickedButton()
        if chosen is replace:
            return self.save_to(path, over=True)
        return self.save_as() if chosen is other else False

    def may_leave(self) -> bool:
        """Ask what to do with unsaved changes; return whether the decision may be left."""
        if self.session.kept:
            # a record holds all that is in the journal
            self._discarded = self.session.unsaved
            return True
        buttons = QMessageBox.StandardButton
        words = tr("This decision has changes that are not saved.")
        box = QMessageBox(QMessageBox.Icon.Question, tr("Unsaved changes"), words, parent=self._window)
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        on_screen(box)
        answer = box.exec()
        box.deleteLater()
        self._discarded = answer == buttons.Discard  # for good once another decision is shown, or the window closed
        return self.save() if answer == buttons.Save else answer == buttons.Discard
