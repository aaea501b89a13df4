"""Signing in three steps: who you are, read and sign, done. Nothing is written before the second step is confirmed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QPushButton, QStackedWidget, QWidget

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.signing import identity
from ui.controls import Prose
from ui.forms import in_words
from ui.signing import jobs, sign_words
from ui.signing.done_step import DoneStep
from ui.signing.read_step import ReadStep
from ui.signing.who_step import WhoStep
from ui.task_dialog import Job, Stages
from ui.widgets import SideBySide, added, button_for, column_of, fill, scrolled, theme, tr, within_reach
from ui.workers import Failed, Then, Worker

WIDTH, HEIGHT = 1_060, 720
WHO, READ, DONE = range(3)


class SignDialog(QDialog):
    """Leads one person through a signature. What was typed stays until the decision is left; what is secret goes with
    its use, and an identity is open only from the first step to the signature."""

    entered = Signal(int)  # a step is shown
    confirmed = Signal()  # the signature is to be made
    lead = Signal(str)  # the path of the field that stands in the way
    gone = Signal()  # it was closed

    def __init__(self, worker: Worker, now: Callable[[], Any], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Sign the record"))
        self.resize(WIDTH, HEIGHT)
        self.worker, self.now = worker, now
        self.key: identity.Identity | None = None
        self.place = ""  # of the field that stands in the way
        self.step = WHO
        column = column_of(self)
        self.steps = added(column, Prose())
        self.stack = added(column, QStackedWidget())
        column.setStretchFactor(self.stack, 1)
        self.who, self.read, self.done_step = WhoStep(), ReadStep(lambda: self.now()), DoneStep()
        first, last = scrolled(self.who, tr("Who you are")), scrolled(self.done_step, tr("Done"))
        for step in (first, self.read, last):
            self.stack.addWidget(step)
        self.notes = added(column, Prose("", "caption", hides=True))
        self.says = added(column, Prose("", "problem", hides=True))
        self.stages = added(column, Stages(worker, sign_words.doing, keys=jobs.PROGRESS, last="verify"))
        column.addWidget(self._buttons())
        self.who.changed.connect(self.drop_key)
        self.read.asked.connect(self._lead_to)
        self.done_step.further.connect(self._once_more)
        self.done_step.copied.connect(self._copy)
        within_reach(self)
        self._show(WHO)

    def _buttons(self) -> SideBySide:
        row = SideBySide(theme.NEAR)
        self.place_button = button_for(tr("Go to this field"), lambda: self._lead_to(self.place))
        self.cancel_button = button_for(tr("Cancel"), lambda: self.reject())
        self.back_button = button_for(tr("Back"), lambda: self._back())
        self.next_button = button_for(tr("Next"), lambda: self.next(), "primary")
        self.sign_button = button_for(tr("Sign and export"), lambda: self.confirmed.emit(), "primary")
        self.close_button = button_for(tr("Close"), lambda: self.reject(), "primary")
        row.box.addWidget(self.place_button)
        row.box.addStretch(1)
        fill(row.box, self.cancel_button, self.back_button, self.next_button, self.sign_button, self.close_button)
        return row

    # ------------------------------------------------------------------------------------- steps

    def begin(self) -> None:
        """Open at the first step."""
        self.who.offer_newest_key()
        self._show(WHO)
        self.open()
        self._focus()

    def _show(self, step: int) -> None:
        self.step = step
        names = (tr("1  Who signs"), tr("2  Review and sign"), tr("3  Done"))
        self.steps.say("    ›    ".join(names), strong=(names[step],))
        self.steps.setAccessibleName(tr("Step {step} of 3: {name}", step=step + 1, name=names[step][1:].strip()))
        self.stack.setCurrentIndex(step)
        self._say("")
        self.notes.say("")
        self.next_button.setVisible(step == WHO)
        self.back_button.setVisible(step == READ)
        self.sign_button.setVisible(step == READ)
        self.cancel_button.setVisible(step != DONE)
        self.close_button.setVisible(step == DONE)
        # Enter goes on from a passphrase, and signs nothing by being pressed twice
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
            button.setDefault(False)
        if step != READ:
            (self.next_button if step == WHO else self.close_button).setDefault(True)
        self.entered.emit(step)
        self._focus()

    def _focus(self) -> None:
        if self.step == WHO:
            self.who.first_empty().setFocus()
        else:
            (self.read.first_field() if self.step == READ else self.close_button).setFocus()

    def next(self) -> None:
        """Open or make the identity, and go on to the record."""
        who = self.who
        if self.key is not None and not who.makes and not who.passphrase.text():
            self._show(READ)
            return
        try:
            who.require_filled()
        except InvalidInput as problem:
            self.refuse(problem)
            who.first_empty().setFocus()
            return
        if who.makes:
            self._make()
        else:
            place, passphrase = Path(who.identity.text().strip()), who.passphrase.text()
            self.run(partial(jobs.open_identity, place=place, passphrase=passphrase), self._opened)
        who.forget_secrets()  # the job has them, and forgets them with its end

    def _make(self) -> None:
        who = self.who
        place = who.place_for_new()
        if place is None:
            return
        name, office, passphrase = who.name.text().strip(), who.organisation.text().strip(), who.first.text()
        job = partial(
            jobs.make_identity, place=place, name=name, organisation=office, passphrase=passphrase, now=self.now()
        )

        def made(key: identity.Identity) -> None:
            if not self.isVisible():
                return
            who.key_created(place)
            self._opened(key)
            where = {"file": str(place), "certificate": place.with_suffix(".crt").name}
            self.notes.say(
                tr(
                    "Your signing key is in {file}. Keep a backup. Others need the certificate beside it to trust your "
                    "signature: {certificate}.",
                    **where,
                )
            )

        self.run(job, made)

    def _opened(self, key: identity.Identity) -> None:
        if not self.isVisible():
            return  # the decision was left meanwhile
        self.key = key
        self.who.opened.say(
            tr("Opened: {name}. To sign as someone else, choose another signing key.", name=key.certificate.name)
        )
        self._show(READ)

    def drop_key(self) -> None:
        """Let go of the identity that is open."""
        self.key = None
        self.who.opened.say("")

    def _back(self) -> None:
        self.read.rest()
        self._show(WHO)

    def _once_more(self) -> None:
        """Let somebody else sign: nothing of the one before is left but what was signed."""
        self.drop_key()
        self.who.leave()
        self.who.identity.clear()
        self.read.leave()
        self._show(WHO)

    def show_done(self) -> None:
        """Go on to the last step: it is signed, and the identity is closed."""
        self.drop_key()
        self.read.leave()
        self._show(DONE)

    def leave(self) -> None:
        """Forget all of the decision shown until now, and close."""
        self.drop_key()
        for part in (self.who, self.read, self.done_step):
            part.leave()
        self._show(WHO)
        super().done(0)

    # -------------------------------------------------------------------------------------- work

    def run(self, job: Job, then: Then, failed: Failed | None = None) -> None:
        """Run JOB; tell THEN what came of it, or FAILED why nothing did (else it is said here)."""
        if self.worker.busy:
            return
        self._say("")
        self.read.rest()
        self._let(False)
        self.stages.start(job, lambda came: self._ended(came, then), lambda why: self._failed(why, failed))

    def _let(self, free: bool) -> None:
        """Let the steps be used, or not while something runs; what runs can be stopped."""
        self.stack.setEnabled(free)
        for button in (self.next_button, self.back_button, self.sign_button, self.close_button):
            button.setEnabled(free)

    def _ended(self, came: object, then: Then) -> None:
        self._let(True)
        then(came)

    def _failed(self, problem: DPWizardError, failed: Failed | None) -> None:
        self._let(True)
        if failed is not None:
            failed(problem)
        self.refuse(problem)
        if self.step == WHO:
            self._focus()

    def refuse(self, problem: DPWizardError) -> None:
        """Say what stands in the way, and offer to lead there."""
        where = problem.where if problem.where.startswith("$") else ""
        self._say(in_words(problem, leads=bool(where)), where)

    def _say(self, words: str, where: str = "") -> None:
        self.place = where
        self.place_button.setVisible(bool(where))
        self.says.say(words)

    def _copy(self, folder: str) -> None:
        def copied(names: tuple[str, ...]) -> None:
            self.done_step.says.say(tr("Copied to {folder}: {names}.", folder=folder, names=", ".join(names)))

        self.run(partial(jobs.copy, path=self.done_step.path, folder=Path(folder)), copied)

    def _lead_to(self, where: str) -> None:
        self.reject()
        self.lead.emit(where)

    def reject(self) -> None:
        """Close without signing; while something runs, ask it to stop first: it then says what was written."""
        if self.worker.busy:
            self.stages.stop()
            return
        self.drop_key()
        self.who.forget_secrets()
        self.read.rest()
        super().reject()
        self.gone.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.worker.busy:
            self.stages.stop()
            event.ignore()
            return
        super().closeEvent(event)
