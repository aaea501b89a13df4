"""The letterhead of a record, which its signers claim; the decision holds it, so that any copy prints the same."""

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


def _check_one_line(text: str) -> str:
    if not text.strip() or not text.isprintable():
        raise refused("line", message("must be a text on one line"))
    return text


@functools.lru_cache(maxsize=8)  # a decision is read anew with each edit, and its logo stays
def _check_logo(text: str) -> str:
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


OneLine = Annotated[str, Field(strict=True, max_length=200), AfterValidator(_check_one_line)]
Logo = Annotated[str, Field(strict=True, max_length=LONGEST), AfterValidator(_check_logo)]


class Letterhead(Value):
    """The text and logo printed small at the head of page one; nobody checks them."""

    name: OneLine = field("Name of the office", "As on the office’s letters.", default=...)
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
        """Return the logo's width divided by its height; 1 where there is none."""
        return 1.0 if self.picture is None else png.shape(self.picture)


def letterhead_of(name: str, lines: tuple[str, ...], picture: bytes | None) -> Letterhead:
    """Return a letterhead with the PICTURE of a PNG file; raises InvalidInput where it is not accepted."""
    logo = None if picture is None else base64.b64encode(png.plain(picture)).decode("ascii")
    letterhead: Letterhead = read(Letterhead, {"name": name, "lines": lines, "logo": logo}, "letterhead")
    return letterhead
