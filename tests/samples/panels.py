"""A bundled example that each panel of figures draws, and another one to compare it with where it compares two: the
one list that tests over panels walk."""

from __future__ import annotations

SAMPLES: dict[str, tuple[str, ...]] = {
    "AtRiskPanel": ("dandekar_health_centre",),
    "ComparisonPanel": ("durham",),
    "CompensationPanel": ("dandekar_health_centre",),
    "CompositionPanel": ("durham",),
    "GuessingPanel": ("pankova_laud_cafeteria",),
    "LossesPanel": ("redistricting_persons",),
    "PersuasionPanel": ("bon_persuasion",),
    "SpendingPanel": ("dandekar_figure_1",),
    "SurfacePanel": ("kazan_reiter_figure_5",),
    "TornadoPanel": ("durham",),
    "ToleratedPanel": ("gaussian_clinic",),
    "TwoDecisionsPanel": ("durham", "durham_conflict"),
    "WhichNoisePanel": ("gaussian_clinic",),
}
