"""A bundled example that each figure of the table draws: the one list that tests over panels walk."""

from __future__ import annotations

SAMPLES: dict[str, str] = {
    "at_risk": "dandekar_health_centre",
    "at_risk_followed": "dandekar_figure_1",
    "comparison": "durham",
    "compensation": "dandekar_health_centre",
    "composition": "durham",
    "guessing": "pankova_laud_cafeteria",
    "losses": "redistricting_persons",
    "persuasion": "bon_persuasion",
    "spending": "dandekar_figure_1",
    "surface": "kazan_reiter_figure_5",
    "tolerated": "gaussian_clinic",
    "tornado": "durham",
    "which_noise": "gaussian_clinic",
}
FOLLOWED = {"at_risk_followed": 2}  # the position of the requirement that a figure follows, where not the first
