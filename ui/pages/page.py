"""What every page of the wizard is: one question, plain questions under it, and the technical details folded below."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QHBoxLayout, QLabel, QLayout, QVBoxLayout, QWidget

from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.controls import Prose
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

    A page that overrides `ask` shows plain questions, and its fields and panels under *Technical details*. Any other
    page shows its fields and panels at once.
    """

    key = ""
    roomy = False  # whether the fields are given most of the width
    leads = False  # whether a button of its own is the way forward, and not Next
    more_figures: Fold  # where some figures serve few
    lead = Signal(str, str)  # somebody is to be led to a path, on the page of a step

    def __init__(self, session: DocumentSession, host: Host) -> None:
        super().__init__()
        self.session = session
        self.host = host
        self.colours = host.colours
        self.forms: list[Form] = []
        self.panels: list[Panel] = []
        self.few: tuple[Panel, ...] = ()  # those of the panels that serve few, behind a button
        self._wide = False  # whether fields and panels stand side by side
        self._order: tuple[QWidget, ...] = ()  # in which Tab goes through what takes the keyboard
        self.state: State | None = None  # what is shown
        self.asks = type(self).ask is not Page.ask  # whether it has plain questions
        self.plain_made = self.technical_made = False
        self._technical_shown: State | None = None  # what fields and panels show
        self.out_of_sight = QTimer(self, singleShot=True, interval=PAUSE)  # runs while fields and panels are to follow
        self.out_of_sight.timeout.connect(self._show_technical)
        self._opened_by_itself = False
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget()
        self._whole = QVBoxLayout(content)
        self._whole.setContentsMargins(theme.EDGE, theme.GROUP, theme.EDGE, theme.GROUP)
        self._whole.setSpacing(theme.GROUP)
        if self.asks:
            self._make_room_for_questions()
        # of fields and panels; it goes with the page, also where nobody ever opened the details
        self._holder = QWidget(self.technical.body if self.asks else content)
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._holder)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(theme.EDGE)
        self.fields = plain(QVBoxLayout(), theme.GROUP)
        self._fields_holder = QWidget()
        self._fields_holder.setLayout(self.fields)
        self.beside = plain(QVBoxLayout(), theme.GROUP)
        self._columns.addWidget(self._fields_holder)
        self._columns.addLayout(self.beside)
        if not self.asks:
            self._whole.addWidget(self._holder)
        self.setWidget(content)
        self._head()
        self._pieces = self._in_pieces()

    def _make_room_for_questions(self) -> None:
        self._plain_columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._plain_columns.setSpacing(theme.EDGE)
        self.asked = plain(QVBoxLayout(), theme.NEAR)
        self._asked_holder = QWidget()
        self._asked_holder.setLayout(self.asked)
        self.meant = plain(QVBoxLayout(), theme.NEAR)
        self._plain_columns.addWidget(self._asked_holder)
        self._plain_columns.addLayout(self.meant, 1)
        self.technical = Fold(tr("Technical details"), self._open_technical)
        self._whole.addLayout(self._plain_columns)
        self._whole.addWidget(self.technical)
        self._whole.addStretch(1)
        self.technical.head.toggled.connect(self._turn_technical)

    def make(self) -> None:
        """Make what is seen first: the plain questions, or fields and panels where there are none."""
        while not (self.plain_made if self.asks else self.technical_made):
            next(self._pieces)

    def make_technical(self) -> None:
        """Make all of the page that is not made yet."""
        for _ in self._pieces:
            pass

    def make_piece(self) -> bool:
        """Make the next piece of the page; return whether there may be more."""
        return next(self._pieces, True) is None

    def _in_pieces(self) -> Iterator[None]:
        """Make the page, a piece at a time: each takes as long as the window may go without answering."""
        if self.asks:
            yield from self.ask()
            self.asked.addStretch(1)
            self.meant.addStretch(1)
            self.plain_made = True
            yield
        yield from self.build()
        for number, panel in enumerate(self.panels):
            self.beside.addWidget(panel)
            if number:
                panel.say_less()  # one hint, once
        if self.few:
            self.place_few()
        self.fields.addStretch(1)
        self.has_beside = self.beside.count() > 0
        self.beside.addStretch(1)
        self.technical_made = True
        self._call_panels(self.technical_is_shown)
        yield

    # ------------------------------------------------------------------------------- technical details

    @property
    def technical_is_shown(self) -> bool:
        """Return whether fields and panels are in sight."""
        return self.technical_made and (not self.asks or self.technical.is_open)

    def _open_technical(self, column: QVBoxLayout) -> None:
        self.make_technical()
        column.addWidget(self._holder)
        self.arrange(self._wide)

    def _turn_technical(self, opened: bool) -> None:
        self._call_panels(opened)
        if opened:
            self._show_technical()

    def _call_panels(self, called: bool) -> None:
        """Let the panels draw, or spare them the work while nobody sees them."""
        for panel in self.panels:
            panel.called = called

    def fold_as_asked(self) -> None:
        """Open the technical details where the decision or the officer asks for them; fold them where that ends."""
        if not self.asks or self.state is None:
            return
        by_itself = technical_details_stay_open(self.host.settings) or needs_technical(self.state.decision)
        if by_itself != self._opened_by_itself:
            self._opened_by_itself = by_itself
            self.technical.head.setChecked(by_itself)

    def fold_few(self, column: QVBoxLayout) -> QVBoxLayout:
        """Add to COLUMN the fold of the panels that serve few; return its own column."""
        self.more_figures = Fold(tr("More figures"), card=False, open_title=tr("Fewer figures"))
        self.more_figures.column.setSpacing(theme.GROUP)
        self.more_figures.head.toggled.connect(self._call_few)
        column.addWidget(self.more_figures)
        return self.more_figures.column

    def place_few(self) -> None:
        """Put the panels that serve few behind their button, beside the fields."""
        fill(self.fold_few(self.beside), *self.few)
        self._call_few(False)

    def _call_few(self, called: bool) -> None:
        """Let the panels that serve few draw while they are seen; neither drawn nor computed before."""
        for panel in self.few:
            panel.called = called
            if called and self.state is not None:
                panel.show_state(self.state)
        self.offer_few()

    def offer_few(self) -> None:
        """Show the button only where the panels behind it have something to say."""
        if self.few and self.state is not None:
            self.more_figures.setVisible(any(panel.speaks(self.state) for panel in self.few))

    def _head(self) -> None:
        self.question, self.why_we_ask = named(QLabel(wordWrap=True), "question"), Prose("", "quiet")
        head = plain(QVBoxLayout(), theme.TIGHT)
        first = QHBoxLayout()
        first.addWidget(self.question, 1)
        link = GuideLink(self.host, guide.STEPS, word("step", self.key), self.key)
        first.addWidget(link, alignment=Qt.AlignmentFlag.AlignTop)
        head.addLayout(first)
        head.addWidget(self.why_we_ask)
        (self.asked if self.asks else self.fields).addLayout(head)
        self._say_head()

    def _say_head(self, text: str = "") -> None:
        """Say what the page asks, in the budget that the decision is counted in: epsilon or rho; and what is TEXT below
        it, or why it is asked."""
        if (asked := word("question", self.key)) != self.question.text():
            self.question.setText(asked)
        self.why_we_ask.say(text or word("why_we_ask", self.key))

    def ask(self) -> Iterator[None]:
        """Add the plain questions to `asked`, and cards that say what the answers mean to `meant`.

        Yields where the window may answer before the rest is made. A page that has none is its fields and panels.
        """
        yield

    def technical_summary(self, state: State) -> str:
        """Return the values that the technical details hold, in a few words."""
        return ""

    def show_plain(self, state: State) -> None:
        """Show STATE in the plain questions and in what they mean."""

    def build(self) -> Iterator[None]:
        """Add cards to `fields`, panels to `panels`, and other things that stand beside the fields to `beside`.

        Yields where the window may answer before the rest is made.
        """
        raise NotImplementedError  # abstract

    def add_form(self, card: Card, form: Form) -> Form:
        """Put FORM into CARD and keep it in step."""
        self.forms.append(form)
        card.column.addWidget(form)
        return form

    def arrange(self, wide: bool) -> None:
        """Set fields and panels side by side, or one below the other; likewise the questions and what they mean."""
        self._wide = wide
        if self.asks:
            across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
            self._plain_columns.setDirection(across if wide else down)
            self._asked_holder.setMinimumWidth(ASKED_WIDTH if wide else 0)
            self._asked_holder.setMaximumWidth(ASKED_WIDTH if wide else theme.WIDEST)
        if not self.technical_made:
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
        if self.technical_made:
            self._share()
        edge = theme.NEAR if event.size().width() < LITTLE else theme.EDGE
        if edge != self._whole.contentsMargins().left():
            self._whole.setContentsMargins(edge, theme.GROUP, edge, theme.GROUP)
            if self.asks:
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
        """Show the page from its beginning: somebody has just come here."""
        self.verticalScrollBar().setValue(0)
        self._order_tabs()

    def show_state(self, state: State) -> None:
        """Show the decision as it stands and what is known of it; what is the same as before is left alone."""
        self.state = state
        if self.asks:
            self._say_head()
            self.show_plain(state)
            self.technical.say(self.technical_summary(state))
            self.fold_as_asked()
        if self._technical_shown is not None and self._holder.visibleRegion().isEmpty():
            self.out_of_sight.start()  # what is seen comes first
        else:
            self._show_technical()

    def _show_technical(self) -> None:
        """Show the state in fields and panels, unless they are folded; what is the same as before is left alone."""
        self.out_of_sight.stop()
        before, state = self._technical_shown, self.state
        if before is state or state is None or not self.technical_is_shown:
            return
        self._technical_shown = state
        if before is None or before.decision is not state.decision:
            self.show_fields(state.decision)
        for panel in self.panels:
            panel.show_state(state)
        self.show_parts(state)
        if state.solved is not None and (before is None or before.solved is not state.solved):
            self.show_answers(state.solved)
            self.offer_few()

    def undrawn(self, state: State) -> Iterator[Panel]:
        """Yield the panels that have not drawn STATE; a figure that is computed behind waits until it is looked at."""
        for panel in self.findChildren(Panel):
            if not self.technical_is_shown and self._holder.isAncestorOf(panel):
                continue
            if panel.called and not isinstance(panel, FigurePanel) and panel.shown is not state.solved:
                yield panel

    def show_fields(self, decision: Decision) -> None:
        """Show what DECISION holds, in every field; most pages have more to show of it."""
        self._say_head()
        for form in self.forms:
            form.refresh()

    def show_parts(self, state: State) -> None:
        """Show STATE in what stands among the fields; few pages have such parts."""

    def show_answers(self, solved: SolvedDecision) -> None:
        """Say what was found of a decision, beside the panels; few pages say more."""

    def focusNextPrevChild(self, next: bool) -> bool:
        """Let Tab follow what is read."""
        self._order_tabs()
        return super().focusNextPrevChild(next)

    def _order_tabs(self) -> None:
        """Put a field that was made late in its place, not behind the footer."""
        found = tuple(_in_reading_order(self._whole))
        if self.guided is not None:
            asking = self.guided.findChildren(QWidget)
            found = (*found, *(each for each in asking if _takes_keyboard(each) and each.window() is self.window()))
        if found != self._order:
            self._order = found
            for before, after in pairwise(found):
                QWidget.setTabOrder(before, after)

    def forget_problems(self) -> None:
        """Show the decision as it is, after undo or another file."""
        if self.asks:
            self.forget_plain()
        if self.technical_made:
            self.forget_technical()

    def forget_plain(self) -> None:
        """Show the decision as it is in the plain questions."""

    def forget_technical(self) -> None:
        """Show the decision as it is in every field."""
        for form in self.forms:
            form.forget_problems()

    def leave(self) -> None:
        """Let go of all that belongs to the decision shown until now; mostly the next one is shown anyway."""
        if self.few:
            self.more_figures.fold()

    def unfinished(self) -> tuple[str, ...]:
        """Return what is missing before the last step can be finished; on other pages nothing."""
        return ()

    def finish(self) -> None:
        """Do what ends the wizard, on the page of the last step."""

    def asks_for(self, where: str) -> bool:
        """Give the keyboard to the plain question that answers the path WHERE, if there is one."""
        return False

    def places(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is on this page."""
        return any(form.reach(where) for form in self.forms)

    def _places_in_details(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE among the details, opened if it is there."""
        was_open = self.technical_is_shown
        if self.asks and not was_open:
            self.technical.open()
        found = self.places(where)
        if self.asks and not was_open and not found:
            self.technical.fold()
        return found

    def reach(self, where: str) -> bool:
        """Lead to the field of the path WHERE, scrolled into view; return whether it is on this page."""
        found = self.asks_for(where) or self._places_in_details(where)
        if found:
            QTimer.singleShot(0, self, self._see_focused)  # the page, or a card on it, may just have been made
        return found

    def lay_out(self) -> None:
        """Give everything its place now, so that what was just made or shown can be scrolled to."""
        self._whole.activate()

    def _see_focused(self) -> None:
        focused = self.focusWidget()
        if focused is not None:
            self.lay_out()
            self.ensureWidgetVisible(focused, theme.EDGE, 4 * theme.EDGE)

    def close_down(self) -> None:
        """End what the page runs in the background; the window is closing."""
        self.end_questions()
        for panel in self.panels:
            panel.close_down()


def needs_technical(decision: Decision) -> bool:
    """Return whether plain questions say too little of DECISION: several tables, or noise that is not of epsilon."""
    release = decision.release
    return len(release.tables) > 1 or release.counted_in == "rho" or release.noise.needs_delta


def _takes_keyboard(widget: QWidget) -> bool:
    return widget.focusPolicy() != Qt.FocusPolicy.NoFocus


def _in_reading_order(layout: QLayout) -> Iterator[QWidget]:
    """Yield every widget in LAYOUT that takes the keyboard, in the order in which they are laid out."""
    for part in laid_out(layout):
        inner = part.layout()
        if isinstance(part, QWidget) and _takes_keyboard(part):
            yield part
        if inner is not None:
            yield from _in_reading_order(inner)
