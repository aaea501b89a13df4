"""The SHA-256 of a file, as a decision writes it where it names a record."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, WithJsonSchema

from dpwizard.base.messages import message
from dpwizard.base.values import ShortText, refused


def _is_digest(text: str) -> str:
    if re.fullmatch("[0-9a-f]{64}", text) is None:
        raise refused("range", message("must be 64 hexadecimal digits in lower case, the SHA-256 of a file"))
    return text


Digest = Annotated[
    ShortText, AfterValidator(_is_digest), WithJsonSchema({"type": "string", "pattern": "^[0-9a-f]{64}$"})
]
