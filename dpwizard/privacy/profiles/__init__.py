"""The shapes of a risk profile, the limit on the chance after a release for any prior: one class for each."""

from typing import Annotated

from pydantic import Field

from dpwizard.privacy.profiles.cap import Cap, CapPiece
from dpwizard.privacy.profiles.cap_or_ratio import CapOrRatio
from dpwizard.privacy.profiles.constant import Constant
from dpwizard.privacy.profiles.dragging import View, Way
from dpwizard.privacy.profiles.increase import Increase
from dpwizard.privacy.profiles.knots import Knots, contradiction
from dpwizard.privacy.profiles.knots2d import MOST_GRID, Knots2d
from dpwizard.privacy.profiles.odds import Odds
from dpwizard.privacy.profiles.pieces import LevelPiece, Mesh, Piece
from dpwizard.privacy.profiles.power import Power
from dpwizard.privacy.profiles.shape import MOST_POINTS, Axis, Shape
from dpwizard.privacy.profiles.steps import EDGE, STEP, Steps

# Every shape, in the order in which forms offer them.
Profile = Annotated[
    Constant | CapOrRatio | Cap | Increase | Odds | Power | Knots | Steps | Knots2d, Field(discriminator="shape")
]
