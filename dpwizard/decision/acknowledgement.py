"""What was answered to an assumption: true here, not true here, or not known; and who vouches for it."""

from __future__ import annotations

from typing import Literal

from dpwizard.base.values import LongText, ShortText, Value, field

State = Literal["accepted", "refused", "open"]


class Acknowledgement(Value):
    """The answer to an assumption, word for word as it was shown. Only an accepted one lets a decision be approved."""

    assumption: ShortText = field("Assumption", "The key of the sentence.", default=...)
    text: LongText = field("Sentence", "As it was shown.", default=...)
    language: ShortText = field("Language", "Of the sentence.", default="en")
    time: ShortText | None = field("Time", "When it was acknowledged, as the program’s user stated it.")
    state: State | None = field(
        "Answer",
        "Accepted: true here. Refused: not true here. Open: not known, or handed to the person who vouches for it. "
        "Absent: accepted.",
        unset="accepted",
    )
    reason: LongText | None = field("Reason", "Why it is true enough here, or why it is not.")
    vouched_by: ShortText | None = field("Vouched for by", "Who vouches that it is true. Absent: nobody named.")
