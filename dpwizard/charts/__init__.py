"""Charts as values, independent of a toolkit: painted by panels, printed by reports, and saved as SVG."""

from dpwizard.charts.charts import Axis, Bars, Chart, Figure, Line, Mark, Surface, looked_at, tick_text
from dpwizard.charts.curves import DrawnNoise, RiskCurve
from dpwizard.charts.font_subset import Subset, subset
from dpwizard.charts.glyphs import visible
from dpwizard.charts.pictures import Picture, draft, picture
from dpwizard.charts.plot_frame import PlotStyle
from dpwizard.charts.profile_chart import FAINT, BeliefAxis, Strand
from dpwizard.charts.profile_handles import Handle
from dpwizard.charts.scene import Circle, Item, Path, Rectangle, Scene, Style, Text, svg
from dpwizard.charts.zoomed import within

__all__ = [
    "FAINT",
    "Axis",
    "Bars",
    "BeliefAxis",
    "Chart",
    "Circle",
    "DrawnNoise",
    "Figure",
    "Handle",
    "Item",
    "Line",
    "Mark",
    "Path",
    "Picture",
    "PlotStyle",
    "Rectangle",
    "RiskCurve",
    "Scene",
    "Strand",
    "Style",
    "Subset",
    "Surface",
    "Text",
    "at_risk_chart",
    "axis_chart",
    "cells_scene",
    "chart_scene",
    "charts",
    "comparison",
    "composition_chart",
    "cost_chart",
    "curves",
    "draft",
    "every_table",
    "glyphs",
    "guessing_chart",
    "influence_chart",
    "ledger_chart",
    "looked_at",
    "losses_chart",
    "noise_chart",
    "persuasion_chart",
    "picture",
    "pictures",
    "plot_frame",
    "profile_chart",
    "profile_handles",
    "scene",
    "spending_chart",
    "subset",
    "sums_view",
    "surfaces",
    "svg",
    "tick_text",
    "tolerance_chart",
    "tolerated_chart",
    "two_decisions",
    "usability",
    "visible",
    "which_noise_chart",
    "within",
]
