"""The base of all pages of the wizard: one question, plain questions under it, and technical details folded below."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.controls import Prose, RowsTable
from ui.elicitation import AskingPage
from ui.forms import Form
from ui.help import GuideLink, guide
from ui.host import Host, technical_details_stay_open
from ui.panels import FigurePanel, Panel, SolvedDecision, State
from ui.session import DocumentSession
from ui.widgets import Card, Fold, fill, laid_out, named, plain, theme, tr

FIELDS_WIDTH, MOST_FIELDS, SHARE = 440, 640, 0.36  # of the fields beside panels: at least, at most, of the page
NARROW_WIDTH = 720  # of the cards where they stand alone in a column
ROOMY = 2  # how many times as wide as what stands beside them fields are that need the width
LITTLE = 440  # pixels of the page below which it keeps little room at its edges
ASKED_WIDTH = 544  # pixels of the plain questions, where what they mean stands beside them
PAUSE = 50  # milliseconds without an edit after which fields and panels out of sight are drawn


class Page(AskingPage):
    """One step of the wizard.

    A page that overrides `build_questions` shows plain questions, and its fields and panels under *Technical details*.
    Any other page shows its fields and panels at once.
    """

    key = ""
    roomy = False  # whether the fields are given most of the width
    leads = False  # whether a button of its own is the way forward, and not Next
    more_figures: Fold  # where there are rare panels
    lead = Signal(str, str)  # go to a path, on the page of a step

    def __init__(self, session: DocumentSession, host: Host) -> None:
        super().__init__()
        self.session = session
        self.host = host
        self.colours = host.colours
        self.forms: list[Form] = []
        self.panels: list[Panel] = []
        self.rare_panels: tuple[Panel, ...] = ()  # those of the panels that few people need, behind a button
        self._wide = False  # whether fields and panels stand side by side
        self._tab_order: tuple[QWidget, ...] = ()
        self.state: State | None = None  # what is shown
        self.has_questions = type(self).build_questions is not Page.build_questions  # whether it has plain questions
        self.questions_built = self.technical_built = False
        self._technical_shown: State | None = None  # what fields and panels show
        self._questions_to_reset = self._fields_to_reset = False  # what was typed and refused is to go
        self.out_of_sight = QTimer(self, singleShot=True, interval=PAUSE)  # runs while fields and panels are to follow
        self.out_of_sight.timeout.connect(self._show_technical)
        self._opened_automatically = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget()
        self._whole = QVBoxLayout(content)
        self._whole.setContentsMargins(theme.EDGE, theme.GROUP, theme.EDGE, theme.GROUP)
        self._whole.setSpacing(theme.GROUP)
        if self.has_questions:
            self._make_room_for_questions()
        # of fields and panels; it is deleted with the page, also where the details were never opened
        self._holder = QWidget(self.technical.body if self.has_questions else content)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._holder)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(theme.EDGE)
        self.fields = plain(QVBoxLayout(), theme.GROUP)
        self._fields_holder = QWidget()
        self._fields_holder.setLayout(self.fields)
        self.beside = plain(QVBoxLayout(), theme.GROUP)
        self._columns.addWidget(self._fields_holder)
        self._columns.addLayout(self.beside)
        if not self.has_questions:
            self._whole.addWidget(self._holder)
        self.setWidget(content)
        self._head()
        self._pieces = self._in_pieces()

    def _make_room_for_questions(self) -> None:
        self._plain_columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._plain_columns.setSpacing(theme.EDGE)
        self.questions_column = plain(QVBoxLayout(), theme.NEAR)
        self._questions_holder = QWidget()
        self._questions_holder.setLayout(self.questions_column)
        self.meaning_column = plain(QVBoxLayout(), theme.NEAR)
        self._plain_columns.addWidget(self._questions_holder)
        self._plain_columns.addLayout(self.meaning_column, 1)
        self.technical = Fold(tr("Technical details"), self._open_technical)
        self._whole.addLayout(self._plain_columns)
        self._whole.addWidget(self.technical)
        self._whole.addStretch(1)
        self.technical.head.toggled.connect(self._turn_technical)

    def make(self) -> None:
        """Build what is visible first: the plain questions, or fields and panels where there are none."""
        while not (self.questions_built if self.has_questions else self.technical_built):
            next(self._pieces)

    def make_technical(self) -> None:
        """Build the rest of the page."""
        for _ in self._pieces:
            pass

    def make_piece(self) -> bool:
        """Build the next piece of the page; return whether there may be more."""
        return next(self._pieces, True) is None

    def _in_pieces(self) -> Iterator[None]:
        """Build the page in pieces, each short enough for the window to stay responsive."""
        if self.has_questions:
            yield from self.build_questions()
            self.questions_column.addStretch(1)
            self.meaning_column.addStretch(1)
            self.questions_built = True
            yield
        yield from self.build()
        for number, panel in enumerate(self.panels):
            self.beside.addWidget(panel)
            if number:
                panel.say_less()  # one hint, once
        if self.rare_panels:
            self.place_rare_panels()
        self.fields.addStretch(1)
        self.has_beside = self.beside.count() > 0
        self.beside.addStretch(1)
        self.technical_built = True
        self._call_panels(self.technical_is_shown)
        yield

    # ------------------------------------------------------------------------------- technical details

    @property
    def technical_is_shown(self) -> bool:
        """Return whether fields and panels are in sight."""
        return self.technical_built and (not self.has_questions or self.technical.is_open)

    def _open_technical(self, column: QVBoxLayout) -> None:
        self.make_technical()
        column.addWidget(self._holder)
        self.arrange(self._wide)

    def _turn_technical(self, opened: bool) -> None:
        self._call_panels(opened)
        if opened:
            self._show_technical()

    def _call_panels(self, called: bool) -> None:
        for panel in self.panels:
            panel.called = called  # a panel that nobody sees is not drawn

    def fold_as_asked(self) -> None:
        """Open the technical details if the decision or the settings ask for them; fold them when that ends."""
        if not self.has_questions or self.state is None:
            return
        opens = technical_details_stay_open(self.host.settings) or needs_technical(self.state.decision)
        if opens != self._opened_automatically:
            self._opened_automatically = opens
            self.technical.head.setChecked(opens)

    def fold_rare_panels(self, column: QVBoxLayout) -> QVBoxLayout:
        """Add to COLUMN a fold for the rare panels; return its own column."""
        self.more_figures = Fold(tr("More charts"), card=False, open_title=tr("Fewer charts"))
        self.more_figures.column.setSpacing(theme.GROUP)
        self.more_figures.head.toggled.connect(self._call_rare_panels)
        column.addWidget(self.more_figures)
        return self.more_figures.column

    def place_rare_panels(self) -> None:
        """Add the fold with the rare panels beside the fields."""
        fill(self.fold_rare_panels(self.beside), *self.rare_panels)
        self._call_rare_panels(False)

    def _call_rare_panels(self, called: bool) -> None:
        """Draw the rare panels only while they are visible; until then they are not computed, either."""
        for panel in self.rare_panels:
            panel.called = called
            if called and self.state is not None:
                panel.show_state(self.state)
        self.offer_rare_panels()

    def offer_rare_panels(self) -> None:
        """Show the button only if the panels behind it have something to show."""
        if self.rare_panels and self.state is not None:
            self.more_figures.setVisible(any(panel.speaks(self.state) for panel in self.rare_panels))

    def _head(self) -> None:
        self.question, self.why_we_ask = named(QLabel(wordWrap=True), "question"), Prose("", "quiet")
        head = plain(QVBoxLayout(), theme.TIGHT)
        first = QHBoxLayout()
        first.addWidget(self.question, 1)
        link = GuideLink(self.host, guide.STEPS, word("step", self.key), self.key)
        first.addWidget(link, alignment=Qt.AlignmentFlag.AlignTop)
        head.addLayout(first)
        head.addWidget(self.why_we_ask)
        (self.questions_column if self.has_questions else self.fields).addLayout(head)
        self._say_head()

    def _say_head(self, text: str = "") -> None:
        """Show the question, which may name the unit of the budget, and below it TEXT, or else why it is asked."""
        if (asked := word("question", self.key)) != self.question.text():
            self.question.setText(asked)
        self.why_we_ask.say(text or word("why_we_ask", self.key))

    def build_questions(self) -> Iterator[None]:
        """Add the plain questions to `questions_column`, and cards that say what the answers mean to `meaning_column`.

        Yields where the window may respond before the rest is built. A page without questions shows its fields at once.
        """
        yield

    def technical_summary(self, state: State) -> str:
        """Return the values in the technical details, in a few words."""
        return ""

    def show_questions(self, state: State) -> None:
        """Show STATE in the plain questions and in what they mean."""

    def build(self) -> Iterator[None]:
        """Add cards to `fields`, panels to `panels`, and other widgets to `beside`; may yield likewise."""
        raise NotImplementedError  # abstract

    def add_form(self, card: Card, form: Form) -> Form:
        """Put FORM into CARD and keep it up to date."""
        self.forms.append(form)
        card.column.addWidget(form)
        return form

    def arrange(self, wide: bool) -> None:
        """Set fields and panels side by side, or one below the other; likewise the questions and what they mean."""
        self._wide = wide
        if self.has_questions:
            across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
            self._plain_columns.setDirection(across if wide else down)
            self._questions_holder.setMinimumWidth(ASKED_WIDTH if wide else 0)
            self._questions_holder.setMaximumWidth(ASKED_WIDTH if wide else theme.WIDEST)
        if not self.technical_built:
            return
        beside = wide and self.has_beside
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        # what room is left lies at the end, not between the two
        self._columns.setStretch(0, 0 if self.has_beside and not self.roomy else ROOMY)
        self._columns.setStretch(1, 1 if self.has_beside else 0)
        self._share()
        # cards below one another are equally wide; figures take the whole width
        for card in laid_out(self.beside):
            if isinstance(card, Card):
                card.setMaximumWidth(theme.WIDEST if beside else NARROW_WIDTH)

    def _share(self) -> None:
        """Give the fields beside panels their share of a wide page, or most of it; alone they take what they use."""
        beside = self._wide and self.has_beside
        share = max(FIELDS_WIDTH, min(MOST_FIELDS, round(SHARE * self.width())))
        most = share if beside else NARROW_WIDTH if self.has_beside else theme.WIDEST
        self._fields_holder.setMinimumWidth(share if beside else 0)
        self._fields_holder.setMaximumWidth(theme.WIDEST if self.roomy else most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self.technical_built:
            self._share()
        edge = theme.NEAR if event.size().width() < LITTLE else theme.EDGE
        if edge != self._whole.contentsMargins().left():
            self._whole.setContentsMargins(edge, theme.GROUP, edge, theme.GROUP)
            if self.has_questions:
                inside = theme.TIGHT if edge == theme.NEAR else theme.GROUP
                self.technical.column.setContentsMargins(inside, theme.TIGHT, inside, theme.GROUP)
        self._offer_bar()
        super().resizeEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self._offer_bar()
        return bool(super().eventFilter(watched, event))

    def _offer_bar(self) -> None:
        """Have a scroll bar only where the page is too long without one; Qt would keep one that it has shown."""
        room, policies = self.maximumViewportSize(), Qt.ScrollBarPolicy
        fits = max(self._whole.heightForWidth(room.width()), self._whole.minimumSize().height()) <= room.height()
        self.setVerticalScrollBarPolicy(policies.ScrollBarAlwaysOff if fits else policies.ScrollBarAsNeeded)

    def enter(self) -> None:
        """Show the page from its beginning, when it becomes the current one."""
        self.verticalScrollBar().setValue(0)
        self._order_tabs()

    def show_state(self, state: State) -> None:
        """Show the decision and its answers; what has not changed is left alone."""
        self.state = state
        if self.has_questions:
            self._say_head()
            if self._questions_to_reset:
                self._questions_to_reset = False
                self.reset_questions()
            self.show_questions(state)
            self.technical.say(self.technical_summary(state))
            self.fold_as_asked()
        if self._technical_shown is not None and self._holder.visibleRegion().isEmpty():
            self.out_of_sight.start()  # what is visible comes first
        else:
            self._show_technical()

    def _show_technical(self) -> None:
        self.out_of_sight.stop()
        before, state = self._technical_shown, self.state
        if before is state or state is None or not self.technical_is_shown:
            return
        if self._fields_to_reset:
            self._fields_to_reset = False
            self.reset_fields()
        self._technical_shown = state
        if before is None or before.decision is not state.decision:
            self.show_fields(state.decision)
        for panel in self.panels:
            panel.show_state(state)
        self.show_parts(state)
        if state.solved is not None and (before is None or before.solved is not state.solved):
            self.show_answers(state.solved)
            self.offer_rare_panels()

    def undrawn(self, state: State) -> Iterator[Panel]:
        """Yield the panels that have not drawn STATE; figures computed in the background wait until visible."""
        for panel in self.findChildren(Panel):
            if not self.technical_is_shown and self._holder.isAncestorOf(panel):
                continue
            if panel.called and not isinstance(panel, FigurePanel) and panel.shown is not state.solved:
                yield panel

    def show_fields(self, decision: Decision) -> None:
        """Show DECISION in every field; most pages show more of it."""
        self._say_head()
        for form in self.forms:
            form.refresh()

    def show_parts(self, state: State) -> None:
        """Show STATE in the cards among the fields; few pages have such cards."""

    def show_answers(self, solved: SolvedDecision) -> None:
        """Show the answers to a decision outside the panels; few pages do."""

    def focusNextPrevChild(self, next: bool) -> bool:
        """Let Tab go in reading order."""
        self._order_tabs()
        return super().focusNextPrevChild(next)

    def _order_tabs(self) -> None:
        """Put fields that were built late in their place in the tab order, not behind the footer."""
        order = tuple(_in_reading_order(self._whole))
        if self.guided is not None:
            children = self.guided.findChildren(QWidget)
            order = (*order, *(each for each in children if _takes_keyboard(each) and each.window() is self.window()))
        if order != self._tab_order:
            self._tab_order = order
            for previous, following in pairwise(order):
                QWidget.setTabOrder(previous, following)

    def forget_problems(self) -> None:
        """Show the decision as it is, after undo or another file, when the page is shown next."""
        self._questions_to_reset = self.questions_built
        self._fields_to_reset = self.technical_built

    def reset_questions(self) -> None:
        """Show the decision as it is in the plain questions."""

    def reset_fields(self) -> None:
        """Show the decision as it is in every field."""
        for form in self.forms:
            form.forget_problems()

    def leave(self) -> None:
        """Reset what depends on the decision shown until now, beyond what the next one replaces anyway."""
        if self.rare_panels:
            self.more_figures.fold()

    def unfinished(self) -> tuple[str, ...]:
        """Return what is missing before the last step can be finished; on the other pages, nothing."""
        return ()

    def finish(self) -> None:
        """Finish the wizard, on the page of the last step."""

    def reach_question(self, where: str) -> bool:
        """Give the keyboard to the plain question that answers the path WHERE, if there is one."""
        return False

    def reach_field(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is on this page."""
        return any(form.reach(where) for form in self.forms)

    def _reach_in_details(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE among the details, opened if it is there."""
        opens = self.has_questions and not self.technical_is_shown
        if opens:
            self.technical.open()
        is_here = self.reach_field(where)
        if opens and not is_here:
            self.technical.fold()
        return is_here

    def reach(self, where: str) -> bool:
        """Lead to the field of the path WHERE, scrolled into view; return whether it is on this page."""
        is_here = self.reach_question(where) or self._reach_in_details(where)
        if is_here:
            QTimer.singleShot(0, self, self._see_focused)  # the page, or a card on it, may just have been built
        return is_here

    def lay_out(self) -> None:
        """Lay out the page now, so that a widget just built or shown can be scrolled to."""
        self._whole.activate()

    def _see_focused(self) -> None:
        focused = self.focusWidget()
        if focused is not None:
            self.lay_out()
            self.ensureWidgetVisible(focused, theme.EDGE, 4 * theme.EDGE)


def needs_technical(decision: Decision) -> bool:
    """Return whether plain questions say too little of DECISION: several tables, or noise that is not of epsilon."""
    release = decision.release
    return len(release.tables) > 1 or release.counted_in == "rho" or release.noise.needs_delta


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.focusPolicy() != Qt.FocusPolicy.NoFocus


def _in_reading_order(layout: QLayout) -> Iterator[QWidget]:
    """Yield the widgets in LAYOUT that take the keyboard, in its order."""
    for part in laid_out(layout):
        inner = part.layout()
        if isinstance(part, RowsTable) and _takes_keyboard(part.headings):
            yield part.headings
        if isinstance(part, QWidget) and _takes_keyboard(part):
            yield part
        if inner is not None:
            yield from _in_reading_order(inner)
