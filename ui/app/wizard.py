"""The wizard: list of steps, pages and footer; and the flow from session to solver to views."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, QTime, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from dpwizard.charts import Picture, picture
from dpwizard.decision import STEPS, Decision, Reason, answered, derived_fields, new_decision, problems
from dpwizard.wording import assessments, persons, word
from ui.app.footer import Footer
from ui.app.page_makers import Pages
from ui.app.step_list import StepList, step_notes
from ui.host import Host
from ui.pages import Page
from ui.panels import Freshness, SolvedDecision, State
from ui.session import DocumentSession
from ui.widgets import plain, tr
from ui.workers import LiveSolver, close_all

WIDE = 1_200  # logical pixels from which fields and panels stand side by side
PATIENCE = 60  # milliseconds after the last edit until panels are greyed; less would flicker
AHEAD = 40  # milliseconds between the pieces of pages that are made before their first visit


class Wizard(QWidget):
    """The pages with the list of steps and the footer. Edits go to the session, then to the solver, which answers."""

    step_changed = Signal(str)

    def __init__(self, session: DocumentSession, solver: LiveSolver, host: Host) -> None:
        super().__init__()
        self.session = session
        self.solver = solver
        self.picture: Picture | None = None
        self.answered: Decision | None = None  # the decision that `picture` answers
        self._solved_last: SolvedDecision | None = None  # the same, as pages get it
        self._draft: SolvedDecision | None = None  # partial answers of a newer decision
        self._late = False  # whether answers take longer than PATIENCE
        self.steps = StepList()
        self.stack = QStackedWidget()
        self.pages = Pages(session, host, self._add_page)
        self._ahead = QTimer(self, interval=AHEAD)  # makes the other pages while nobody waits
        self._ahead.timeout.connect(self._make_ahead)
        self._ahead.start()
        self.footer = Footer(host.colours)  # made last: Tab goes from the steps to the page to the footer
        middle = plain(QHBoxLayout(), 0)
        middle.addWidget(self.steps)
        middle.addWidget(self.stack, 1)
        column = plain(QVBoxLayout(self), 0)
        column.addLayout(middle, 1)
        column.addWidget(self.footer)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(self._grey_if_late)
        self._connect_signals()
        self.go(STEPS[0].key)
        self._decision_changed()
        self._mark_newest()

    def _connect_signals(self) -> None:
        self.session.changed.connect(self._decision_changed)
        self.session.left.connect(self._show_empty)
        self.session.status_changed.connect(self._mark_newest)
        self.session.status_changed.connect(self._name_next)
        self.session.moved.connect(self.forget_problems)
        self.solver.solved.connect(self._show_solved)
        self.solver.drafted.connect(self._show_draft)
        self.solver.failed.connect(self._show_failure)
        self.steps.chosen.connect(self.go)
        self.footer.undo.connect(self.session.undo)
        self.footer.redo.connect(self.session.redo)
        self.footer.back.connect(self._go_back)
        self.footer.next.connect(lambda: self.move_on(1) if self._step_from(self.page.key, 1) else self.page.finish())
        self.footer.asked.connect(lambda: self.go("decision"))
        for keys, act in (("Alt+Left", self._go_back), ("Alt+Right", lambda: self.move_on(1))):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(act)

    def _add_page(self, page: Page) -> None:
        self.stack.addWidget(page)
        page.lead.connect(self.reach)
        page.asking_changed.connect(self._follow_questions)

    def _make_ahead(self) -> None:
        if self.solver.behind or QApplication.mouseButtons() != Qt.MouseButton.NoButton:
            return  # the officer is working: later
        if self.pages.make_next():
            return
        undrawn = next((panel for page in self.pages.made for panel in page.undrawn(self.state)), None)
        if undrawn is None:
            self._ahead.stop()
        else:
            undrawn.show_state(self.state)

    @property
    def page(self) -> Page:
        """Return the page shown."""
        page = self.stack.currentWidget()
        assert isinstance(page, Page)
        return page

    def go(self, key: str) -> None:
        """Show the step KEY."""
        if self.stack.count():
            self.page.end_questions()
        page = self.pages[key]
        self.stack.setCurrentWidget(page)
        self.steps.show_step(key)
        page.arrange(self.width() >= WIDE)
        page.show_state(self.state)
        page.enter()
        self.footer.back_button.setEnabled(self._step_from(key, -1) is not None)
        self._name_next()
        self.step_changed.emit(key)

    def _name_next(self) -> None:
        """Name the step that Next leads to."""
        following = self._step_from(self.page.key, 1)
        self.footer.show_next(None if following is None else word("step", following), not self.page.leads)
        self.footer.show_missing(self.page.unfinished())

    def move_on(self, by: int) -> None:
        """Go to the step BY places further, if there is one."""
        key = self._step_from(self.page.key, by)
        if key is not None and self.page.guided is None:
            self.go(key)

    def _go_back(self) -> None:
        """Go to the previous question while questions are asked, else to the previous step."""
        if self.page.guided is not None:
            self.page.guided.back()
        else:
            self.move_on(-1)

    def _follow_questions(self) -> None:
        asked = self.page.guided  # until the answers come to a budget, none is seen
        self.footer.hide_budget(asked is not None and asked.current_screen is not asked.outcome)
        self._mark_newest()
        self.footer.next_button.setEnabled(asked is None)
        self.footer.back_button.setEnabled(asked is not None or self._step_from(self.page.key, -1) is not None)

    def _step_from(self, key: str, by: int) -> str | None:
        """Return the step BY places from KEY, None past either end; a step without questions is skipped."""
        keys = [step.key for step in STEPS]
        index = keys.index(key) + by
        if 0 <= index < len(keys) and keys[index] == "budget" and not derived_fields.asks_before(self.session.decision):
            index += by
        return keys[index] if 0 <= index < len(keys) else None

    def reach(self, where: str, step: str) -> None:
        """Go to the field of the path WHERE, on the page of STEP or else on the page that has it; without, to STEP."""
        if step in self.pages:
            self.go(step)
            if not where or self.page.reach(where):
                return
        others = [key for key in self.pages if key != step]
        key = next((key for key in others if self._current_page(key).reach_question(where)), None)
        if key is None:  # in the details of one, which may not be made yet
            key = next((key for key in others if self.pages[key].reach(where)), None)
        if key is not None:
            self.go(key)
            self.page.reach(where)

    def _current_page(self, key: str) -> Page:
        """Return the page of the step KEY after showing the current decision on it."""
        page = self.pages[key]
        page.show_state(self.state)
        return page

    def forget_problems(self) -> None:
        """Show the decision on every page, instead of texts that were refused; on a hidden page once it is shown."""
        for page in self.pages.made:
            page.forget_problems()
        self.page.show_state(self.state)

    def _show_empty(self) -> None:
        """Show the answers of an empty decision until the next decision is solved."""
        self.solver.forget()
        if self.picture is not None:
            self._keep_answers(empty := new_decision(), picture(empty))
            self.footer.show_assessment(self.picture.assessment)
            for page in self.pages.made:
                page.leave()
            self.page.show_state(self.state)

    def _decision_changed(self) -> None:
        decision = self.session.decision
        self.footer.show_history(self.session.history)
        kept = tr("Draft saved at {time}", time=QTime.currentTime().toString("HH:mm"))  # the journal is written
        self.steps.show_title(decision.title, kept if self.session.history.past else "")
        self.page.show_state(self.state)
        self._name_next()
        self.solver.request(decision)
        if self._ahead.isActive():
            self._ahead.start()  # the officer is working: the other pages wait for a pause
        if not self._patience.isActive():
            self._patience.start()

    def _mark_newest(self) -> None:
        """Mark the steps for a decision without answers yet."""
        self._mark_steps(self.session.decision, problems(self.session.decision))

    def _mark_steps(self, decision: Decision, lacking: Sequence[Reason]) -> None:
        """Mark the steps with something LACKING, or with a requirement that was unmet and has not changed since."""
        last = self._solved_last
        solved = None if last is None else last.assessment
        unkept = () if last is None else (last.decision.requirements[index] for index in last.assessment.unmet)
        open_steps = [problem.step for problem in lacking]
        open_steps += [requirement.step for requirement in unkept if requirement in decision.requirements]
        open_steps += ["profile" for problem in lacking if problem.key == "no_privacy_requirement"]
        triangle = "decision" if solved is not None and solved.window.empty else ""
        of, status = self.session.status
        notes = step_notes(decision, solved, status if of is decision else "")
        if self.page.guided is not None:  # no budget is shown while questions are answered
            notes, triangle = {**notes, "decision": ""}, ""
        self.steps.show_open(open_steps, answered(decision), notes, triangle)

    @property
    def state(self) -> State:
        """Return the state that pages show now."""
        decision, draft = self.session.decision, self.solver.draft
        freshness: Freshness = "stale" if self._late else "pending"
        if self.answered is decision or self.answered == decision:
            freshness = "fresh"
        return State(
            decision=decision,
            solved=self._solved_last,
            draft=None if draft is None else self._draft,
            is_drafted=draft is not None and draft[0] is decision,
            freshness=freshness,
        )

    def _keep_answers(self, decision: Decision, picture: Picture) -> None:
        self.picture, self.answered = picture, decision
        self._solved_last = SolvedDecision(decision=decision.planned, picture=picture)

    def _show_solved(self, decision: Decision, picture: Picture) -> None:
        self._keep_answers(decision, picture)
        self._mark_steps(decision, picture.assessment.problems)
        self.footer.show_assessment(
            picture.assessment,
            persons.of_a_person(decision.planned.release, picture.assessment),
            assessments.window_in_total(decision.planned, picture.assessment),
        )
        if self.solver.behind:
            self._patience.start()  # again: what is shown is a frame old at most
        else:
            self._patience.stop()
            self._late = False
        self.page.show_state(self.state)

    def _show_draft(self, decision: Decision, picture: Picture) -> None:
        """Show the partial answers of the newest decision; panels without theirs are greyed."""
        self._draft = SolvedDecision(decision=decision.planned, picture=picture)
        self._mark_steps(decision, picture.assessment.problems)
        self.page.show_state(self.state)

    def _show_failure(self, decision: Decision, words: str) -> None:
        """Say that the edit could not be solved; the panels stay grey."""
        self.footer.show_failure(tr("This could not be computed: {reason}", reason=words))
        self._patience.stop()
        self._grey_if_late(failed=True)

    def _grey_if_late(self, failed: bool = False) -> None:
        """Grey the panels if the newer decision is still being solved, or FAILED."""
        if failed or self.solver.behind:
            self._late = True
            self._mark_newest()
            self.page.show_state(self.state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.steps.arrange(self.width())
        self.footer.arrange(self.width())
        super().resizeEvent(event)
        self.page.arrange(self.width() >= WIDE)

    def let_go(self) -> None:
        """Stop following the session: another wizard replaces this one."""
        self.solver.close(wait=False)
        self.solver.deleteLater()
        self.pages.finish()
        self.close()
        self.session.changed.disconnect(self._decision_changed)
        self.session.left.disconnect(self._show_empty)
        self.session.status_changed.disconnect(self._mark_newest)
        self.session.status_changed.disconnect(self._name_next)
        self.session.moved.disconnect(self.forget_problems)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._ahead.stop()
        self.solver.close()
        for page in self.pages.made:
            page.end_questions()
        close_all(self)
        super().closeEvent(event)
