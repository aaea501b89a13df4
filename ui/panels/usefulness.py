"""What a budget gives: the noise on one number, and five measures of usability beside the requirements."""

from __future__ import annotations

from dataclasses import replace

from dpwizard.charts import Figure, Picture, noise_chart, usability
from dpwizard.decision import AccuracyInputs, Decision, Reason, release_flaws
from dpwizard.wording import choice_of, format_text, why, word
from ui.controls import RowsTable
from ui.panels.chart_panel import ChartPanel
from ui.panels.panel import Panel
from ui.widgets import added, theme

HEIGHT, ON_CARD = 220, 136  # pixels
SHARES = (0.46, 0.18, 0.18, 0.18)  # of the width: measure, what the budget gives, need, whether it is met


class NoisePanel(ChartPanel):
    """How far off the figure may be, at the chosen epsilon or else at the least that meets every need."""

    titled = ("chart", "noise_figure_title")

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.height_of_plot = ON_CARD if on_card else HEIGHT
        super().__init__(colours, on_card=on_card)
        self.heading.setVisible(not on_card)

    def drafted(self, picture: Picture) -> bool:
        return True  # it reads no promise

    def nothing(self, decision: Decision, picture: Picture) -> str:
        if not release_flaws.is_central_model(decision.release):
            return why(Reason(key=release_flaws.NOT_ONE_CURATOR))
        setting = decision.release.number_setting(decision.release.tables[0].name)
        if isinstance(setting, AccuracyInputs) and setting.in_steps:
            return why(Reason(key="noise_in_steps", values={"step": setting.step}))
        return word("chart", "noise_none_brief" if self.on_card else "noise_none")  # the card is on step 6

    def figure_of(self, decision: Decision, picture: Picture) -> Figure | None:
        needed = picture.noise_of[1] if picture.noise_of is not None and decision.planned.chosen is None else None
        if picture.noise is None or (needed is not None and self.on_card):  # the card speaks of the budget chosen
            return None
        tables = decision.release.tables
        first = (None, tables[0].name)  # the noise is that of the first table
        pairs = zip(decision.requirements, picture.assessment.answers, strict=False)
        switches = [a for r, a in pairs if a.kind == "switch_probability" and getattr(r, "part", None) in first]
        crossing = next((dict(a.at_epsilon) for a in switches if a.enabled and a.at_epsilon), None)
        figure = noise_chart.figure(picture.noise, crossing, brief=self.on_card)
        sentence = figure.sentence
        if len(tables) > 1:
            sentence = format_text("chart", "noise_of_part", {"part": tables[0].name, "said": sentence})
        if decision.release.adds_up:
            sentence = f"{sentence} {word('tables', 'published_noise')}"
        if needed is not None:
            sentence = format_text("chart", "noise_at_needs", {"least": needed, "said": sentence})
        return replace(figure, sentence=sentence)

    def whole(self, figure: Figure) -> Figure:
        return noise_chart.tabled(figure)


class UsabilityPanel(Panel):
    """A row for each measure: what this epsilon gives, what a need asks for, and whether it is met."""

    titled = ("implied", "usability_title")

    def build(self) -> None:
        self.table = added(self.column, RowsTable(self.title, wraps=True))

    def drafted(self, picture: Picture) -> bool:
        return True  # it reads no promise

    def draw(self, decision: Decision, picture: Picture) -> str:
        measures = usability.measures(decision, picture.assessment)
        self.table.setVisible(bool(measures))
        if not measures or decision.chosen is None:
            exact = decision.release.noise.absent
            return word("implied", "exact_figure" if exact else "usability_open")
        columns, rows = usability.table(measures)
        if (self.table.columns(), self.table.rows()) != (columns, rows):
            self.table.fill(columns, rows, shares=SHARES)
        return format_text("implied", "usability", {"epsilon": choice_of(picture.assessment)})
