"""Checks of arguments that belong together."""

from __future__ import annotations

from collections.abc import Sized

from dpwizard.base.errors import InvalidInput


def one_for_each(entries: Sized, needed: int, where: str) -> None:
    """Raise InvalidInput naming WHERE unless the number of ENTRIES is NEEDED."""
    if len(entries) != needed:
        raise InvalidInput(
            "must have {needed} entries; found {found}",
            where,
            "Give one number for each.",
            needed=needed,
            found=len(entries),
        )


def a_position(index: int, count: int, where: str) -> None:
    """Raise InvalidInput naming WHERE unless INDEX is below COUNT."""
    if index >= count:
        raise InvalidInput(
            "must be a position from 0 to {most}; found {found}",
            where,
            "Positions count from 0.",
            most=count - 1,
            found=index,
        )
