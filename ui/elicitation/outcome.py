"""The screen after the questions: what the answers allow, its epsilon, shown only now; folded, how it was found."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel

from dpwizard.base.language import spoken
from dpwizard.charts import Figure, chart_scene
from dpwizard.elicitation import interview as elicitation
from dpwizard.privacy.profiles import Profile
from dpwizard.report import phrases, values
from dpwizard.wording import accepted, format_max, format_min, number, printed_limits, share, texts, written
from ui.controls import PrecedentsTable, Prose
from ui.elicitation.interviewer import QuestionsOutcome
from ui.elicitation.screen import WIDTH, Screen
from ui.plots import ChartPlot, FigureTools
from ui.widgets import Card, Fold, added, button_for, fill, in_a_row, named, theme, tr

HEIGHT = 260  # pixels of the plot


def interval(result: elicitation.Result) -> str:
    """Return the epsilon that answers support, as an interval in words."""
    low, high = result.allowed
    if result.status == "too_few" or low is None:
        return tr("not known")
    if high is None:
        return tr("{low} or more", low=format_max(low))
    low_text, high_text = printed_limits(low, high)
    return tr("{low} to {high}", low=low_text, high=high_text)


def promise(profile: Profile | None) -> str:
    """Return the limit of a profile as a clause."""
    return values.profile_promise(profile, phrases.words(spoken()))


class FigureCard(Card):
    """A figure of the model with the tools that every figure has."""

    def __init__(self, colours: theme.Colours, title: str) -> None:
        super().__init__(title)
        self.sentence = added(self.column, Prose("", "caption"))
        self.axis = added(self.column, Prose("", "caption"))
        self._colours, self._title = colours, title
        self._figure: Figure | None = None
        self.plot: ChartPlot | None = None

    def show_figure(self, figure: Figure) -> None:
        """Paint FIGURE; nothing where it has no plots."""
        self._figure = figure if figure.plots else None
        self.setVisible(bool(figure.plots))
        if not figure.plots:
            return
        if self.plot is None:  # made when it is first needed: a plot takes its time
            self.plot = ChartPlot(self._colours, height=HEIGHT, on_card=True)
            self.tools = FigureTools(
                self, self._title, lambda: chart_scene.scene(self._figure) if self._figure is not None else None
            )
            self.tools.follow((self.plot,))
            fill(self.column, self.plot, self.tools)
        self.sentence.say(figure.sentence)
        self.axis.say(figure.plots[0].y.title)
        self.plot.show_plot(figure.plots[0])


class OutcomeScreen(Screen):
    """Shows what a log comes to, and takes it over."""

    use = Signal()
    not_yet = Signal()
    playback = Signal()
    several = Signal()
    settle = Signal()

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours, tr("What your answers allow"))
        self.goes_on = False  # whether the next step follows
        self.promise = added(self.column, Prose("", "title", most=WIDTH))
        self.unsettled = Prose("", "quiet", hides=True)
        self.settle_button = button_for(tr("Settle them"), self.settle, "small")
        self._settle_row = in_a_row(self.settle_button)
        fill(self.column, self.unsettled, self._settle_row)
        card = self.numbers = Card(tr("The {budget} your answers allow"))
        self.interval = added(card.column, named(QLabel(), "number"))
        self.meaning = added(card.column, Prose(most=WIDTH))
        self.column.addWidget(card)
        self.use_button = button_for(tr("Use this profile"), self.use, "primary")
        self.not_yet_button = button_for(tr("Not yet"), self.not_yet)
        self.playback_button = button_for(tr("See what follows for other chances"), self.playback)
        self.several_button = button_for(tr("Several people"), self.several)
        choices = in_a_row(self.use_button, self.not_yet_button, self.playback_button, self.several_button)
        self.column.addWidget(choices)
        self.shape, self.binding = Prose(), Prose("", "quiet")
        self.figure = FigureCard(colours, tr("The largest chance you accept after the release"))
        self.published = Card(tr("What others have chosen"))
        self.precedents = added(self.published.column, PrecedentsTable())
        details = added(self.column, Fold(tr("Technical details")))
        fill(details.column, self.shape, self.binding, self.figure, self.published)
        self.column.addStretch(1)

    def show_result(self, outcome: QuestionsOutcome, unsettled: int) -> None:
        """Show what was OUTCOME; UNSETTLED contradictions are left."""
        result, setup = outcome.result, outcome.log.setup
        self.unsettled.say(
            tr(
                "{n} contradiction is not settled; both its answers count.",
                "{n} contradictions are not settled; all their answers count.",
                n=unsettled,
            )
            if unsettled
            else ""
        )
        self._settle_row.setVisible(bool(unsettled))
        self.figure.show_figure(outcome.figure)
        usable = result.status == "supported"
        self.use_button.setEnabled(usable)
        use = tr("Use this profile") if setup.topic == "risk" else tr("Use this value")
        self.use_button.setText(tr("Use this and go on") if self.goes_on else use)
        self.playback_button.setVisible(bool(outcome.playback))
        self.numbers.setVisible(result.status != "too_few")
        if result.status == "too_few":
            self.promise.say(tr("There are too few answers for a result yet."))
        elif setup.topic == "risk":
            self._say_profile(outcome)
        else:
            self._say_value(outcome)
        self.shape.setVisible(setup.topic == "risk" and result.profile is not None)
        self.binding.say(_binding(outcome))
        self.published.setVisible(result.status != "too_few")

    def enter(self) -> None:
        super().enter()
        first = self.use_button if self.use_button.isEnabled() else self.not_yet_button
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_profile(self, outcome: QuestionsOutcome) -> None:
        result = outcome.result
        self.interval.setText(interval(result))
        if result.profile is None:
            self.promise.say(tr("Your answers set no limit: you accepted everything you were asked about."))
            self.meaning.say("")
            return
        clause, setup = promise(result.profile), outcome.log.setup
        self.promise.say(accepted(result.profile, setup.p, setup.q))
        safe = "" if result.epsilon is None else format_max(result.epsilon)
        meaning = outcome.refused
        if safe:
            meaning = f"{tr('To be safe: at most {epsilon}. Step 6 explains {budget}.', epsilon=safe)} {_trials()}"
        self.meaning.say(meaning, (safe,) if safe else ())
        shape = tr("The profile to use, on the safe side of your answers: {promise}.", promise=clause)
        if result.profile.drawn:
            named = tr("No named shape fits your answers better than a free curve.")
        else:
            named = tr("Shape: {shape}.", shape=texts.describe(result.profile.title))
        self.shape.say(f"{shape} {named}", (clause,))

    def _say_value(self, outcome: QuestionsOutcome) -> None:
        result, setup = outcome.result, outcome.log.setup
        if result.value is None or result.value_low is None or result.value_high is None:
            return
        write = share if setup.topic == "guess" else short
        value, low, high = write(result.value), write(result.value_low), write(result.value_high)
        if setup.topic == "guess":
            accepted = tr("You accept that up to {value} more guesses come close enough.", value=value)
        else:
            one_in = written(setup.one_in, "count")
            accepted = tr(
                "You accept an error of up to {value}, in all but 1 of {one_in} releases.", value=value, one_in=one_in
            )
        self.promise.say(accepted, (value,))
        safe, *ends = outcome.epsilons
        known = sorted(end for end in ends if end is not None)
        ends_said = {"low": format_max(known[0]), "high": format_max(known[-1])} if len(known) == 2 else {}
        self.interval.setText(tr("{low} to {high}", **ends_said) if ends_said else tr("not known"))
        sentences = [tr("The value you accept is from {low} to {high}.", low=low, high=high), _trials()]
        if safe is not None and setup.topic == "guess":
            sentences.append(tr("The value to use allows {a_budget} of at most {epsilon}.", epsilon=format_max(safe)))
        elif safe is not None:
            sentences.append(tr("The value to use needs {a_budget} of at least {epsilon}.", epsilon=format_min(safe)))
        self.meaning.say(" ".join(sentences))


def _trials() -> str:
    """Return what the ends of an interval are worth; docs/elicitation.md has the figures."""
    return tr("In trials, such a range contained what someone truly accepts about 9 times in 10.")


def short(value: float) -> str:
    """Return a value between answers with three digits: more would say more than was asked."""
    return number(float(f"{value:.3g}"))


def _binding(outcome: QuestionsOutcome) -> str:
    """Return which single answer binds, and what would be without it."""
    if not outcome.influences:
        return ""
    influence = outcome.influences[0]
    reply = outcome.log.replies[influence.number - 1]
    figures = {} if reply.corrected is None else {"after": reply.corrected.after, "out_of": reply.corrected.out_of}
    values = {"number": str(influence.number), "answer": texts.format_text("given", reply.answer, figures)}
    if outcome.log.setup.topic != "risk" or outcome.refused:
        return tr("Answer {number} (“{answer}”) sets the limit: without it, the result would change most.", **values)
    here, without, otherwise = (
        _or_none(outcome.result.middle),
        _or_none(influence.without),
        _or_none(influence.otherwise),
    )
    if here == without and (influence.otherwise is None or otherwise == here):
        return tr(
            "Answer {number} (“{answer}”) matters most, but the range would be almost the same without it.", **values
        )
    values |= {"here": here, "without": without, "otherwise": otherwise}
    if here == without:
        return tr(
            "Answer {number} (“{answer}”) matters most: the other answer would move the middle of the range "
            "from {here} to {otherwise}.",
            **values,
        )
    return tr(
        "Answer {number} (“{answer}”) sets the limit: without it, the middle of the range would be "
        "{without} instead of {here}.",
        **values,
    )


def _or_none(epsilon: float | None) -> str:
    return tr("without limit") if epsilon is None else format_max(epsilon)
