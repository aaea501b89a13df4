"""What functions by name check of arguments that belong together."""

from __future__ import annotations

from collections.abc import Sized

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message


def one_for_each(entries: Sized, needed: int, where: str) -> None:
    """Raise InvalidInput naming WHERE unless there are as many ENTRIES as NEEDED."""
    if len(entries) != needed:
        raise InvalidInput(
            message("must have {needed} entries; found {found}", needed=needed, found=len(entries)),
            where,
            "Give one number for each.",
        )


def a_position(index: int, count: int, where: str) -> None:
    """Raise InvalidInput naming WHERE unless INDEX is a position among so many, counted from 0."""
    if index >= count:
        raise InvalidInput(
            message("must be a position from 0 to {most}; found {found}", most=count - 1, found=index),
            where,
            "Positions count from 0.",
        )
