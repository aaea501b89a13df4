"""The union of trade-off curves: a mechanism as the functions on what an intruder may conclude are told it."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dpwizard.privacy.mechanisms.closed_trade_offs import (
    ApproximateTradeOff,
    GaussianTradeOff,
    LaplaceTradeOff,
    ProfileTradeOff,
    PureTradeOff,
)
from dpwizard.privacy.mechanisms.searched_trade_offs import DiscreteGaussianTradeOff, MixedTradeOff, ZcdpTradeOff

StatedTradeOff = Annotated[
    GaussianTradeOff
    | DiscreteGaussianTradeOff
    | ZcdpTradeOff
    | PureTradeOff
    | LaplaceTradeOff
    | ApproximateTradeOff
    | ProfileTradeOff
    | MixedTradeOff,
    Field(discriminator="kind"),
]
