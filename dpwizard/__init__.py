"""dpwizard: choose, justify and sign the privacy budget of a differentially private release."""

from dpwizard.api import (
    assess,
    compute,
    examine,
    make_identity,
    open_identity,
    plan,
    read_decision,
    replay,
    sign,
    typeset,
    verify,
    write_decision,
)
from dpwizard.base.version import __version__

__all__ = [
    "__version__",
    "assess",
    "compute",
    "examine",
    "make_identity",
    "open_identity",
    "plan",
    "read_decision",
    "replay",
    "sign",
    "typeset",
    "verify",
    "write_decision",
]
