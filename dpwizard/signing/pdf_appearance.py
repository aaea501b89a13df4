"""How a signature looks on page one: who signed, as what, when, and the number of the certificate.

What it says follows from the signature itself, so that it can be drawn again and compared. Whether the certificate is
trusted is each reader's own to judge, so nothing about trust is printed.
"""

from __future__ import annotations

import hashlib
from datetime import datetime

from dpwizard.charts import glyphs
from dpwizard.report import phrases
from dpwizard.signing.certificates import printable

PROPOSALS = (("proposes", "propose"), ("proposes", "approve"))  # who signs to propose need not say so
DIGITS = 20  # of the certificate's fingerprint, in groups of four: what people compare aloud


def lines(*, name: str, reason: str, time: datetime, chain: tuple[bytes, ...], language: str) -> tuple[str, ...]:
    """Return what a signature says of itself, line by line, in LANGUAGE and in characters that Inter has."""
    words = phrases.words(language)
    role, _, verdict = reason.rpartition(": ")

    def said(key: str) -> str:
        return words("signature", key) if words.has("signature", key) else printable(key).replace("_", " ")

    day = words("document", "date", day=time.day, month=words("month", f"{time.month:02d}"), year=time.year)
    stated = "signed" if (role, verdict) in PROPOSALS else verdict
    moment = words("signature", "on", verdict=said(stated), day=day, time=time.strftime("%H:%M"))
    number = hashlib.sha256(chain[0]).hexdigest()[:DIGITS].upper()
    grouped = " ".join(number[at : at + 4] for at in range(0, DIGITS, 4))
    found = (printable(name), moment, words("signature", "number", number=grouped))
    return tuple(glyphs.printable(" ".join(line.split()), everything=False) for line in found)
