"""The figures beside the pages, redrawn with each edit."""

from ui.panels.at_risk import AtRiskPanel
from ui.panels.comparison import ComparisonPanel
from ui.panels.compensation import CompensationPanel
from ui.panels.composition import CompositionPanel
from ui.panels.conflicts import ConflictsPanel
from ui.panels.epsilon_axis import EpsilonAxisPanel
from ui.panels.figure_panel import FigurePanel
from ui.panels.guessing import GuessingPanel
from ui.panels.implied import ImpliedPanel
from ui.panels.noise import NoisePanel
from ui.panels.panel import Panel
from ui.panels.persuasion import PersuasionPanel
from ui.panels.risk_profile import CurvePanel, ImpliedEpsilonPanel, RiskProfilePanel
from ui.panels.spending import SpendingPanel
from ui.panels.surface import SurfacePanel
from ui.panels.tornado import TornadoPanel
from ui.panels.two_decisions import TwoDecisionsPanel
from ui.panels.usability import UsabilityPanel
from ui.panels.what_if import WhatIfPanel

__all__ = [
    "AtRiskPanel",
    "ComparisonPanel",
    "CompensationPanel",
    "CompositionPanel",
    "ConflictsPanel",
    "CurvePanel",
    "EpsilonAxisPanel",
    "FigurePanel",
    "GuessingPanel",
    "ImpliedEpsilonPanel",
    "ImpliedPanel",
    "NoisePanel",
    "Panel",
    "PersuasionPanel",
    "RiskProfilePanel",
    "SpendingPanel",
    "SurfacePanel",
    "TornadoPanel",
    "TwoDecisionsPanel",
    "UsabilityPanel",
    "WhatIfPanel",
    "implied",
]
