"""Whose letterhead a record bears: what its signers claim, and nobody checks.

It lies in the decision, logo and all, so that a record is set the same anywhere.
"""

from __future__ import annotations

import base64
import binascii
import functools
from typing import Annotated

from pydantic import AfterValidator, Field

from dpwizard.base import png
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import Value, field, read, refused

MOST_LINES = 3
LONGEST = 4 * -(-png.LARGEST // 3)  # characters of a logo


def _on_one_line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise refused("line", message("must be a text on one line"))
    return text


@functools.lru_cache(maxsize=8)  # a decision is read anew with each edit, and its logo stays
def _is_logo(text: str) -> str:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise refused("picture", message("must be a PNG picture in base64")) from None
    if base64.b64encode(data).decode("ascii") != text:
        raise refused("picture", message("must be a PNG picture in base64"))
    try:
        png.require_plain(data)
    except InvalidInput as problem:
        raise refused("picture", problem.message) from None
    return text


OneLine = Annotated[str, Field(strict=True, max_length=200), AfterValidator(_on_one_line)]
Logo = Annotated[str, Field(strict=True, max_length=LONGEST), AfterValidator(_is_logo)]


class Letterhead(Value):
    """What stands small at the head of page one; nobody checks it."""

    name: OneLine = field("Name of the office", "As it stands on its letters.", default=...)
    lines: Annotated[tuple[OneLine, ...], Field(max_length=MOST_LINES)] = field(
        "Lines below it", "Three at most: address, department, web page.", default=()
    )
    logo: Logo | None = field(
        "Logo", "A PNG picture of at most 64 kB and 2,000 x 1,000 pixels, in base64.", editor="picture"
    )

    @property
    def picture(self) -> bytes | None:
        """Return the PNG of the logo; None where there is none."""
        return None if self.logo is None else base64.b64decode(self.logo)

    @property
    def shape(self) -> float:
        """Return how many times as wide as high the logo is; 1 where there is none."""
        return 1.0 if self.picture is None else png.shape(self.picture)


def letterhead_of(name: str, lines: tuple[str, ...], picture: bytes | None) -> Letterhead:
    """Return a letterhead with the PICTURE of a PNG file; raises InvalidInput where it is none that is taken."""
    logo = None if picture is None else base64.b64encode(png.plain(picture)).decode("ascii")
    made: Letterhead = read(Letterhead, {"name": name, "lines": lines, "logo": logo}, "letterhead")
    return made
