"""Answers to assumptions, with the sentence as it was shown and the time at which it was answered."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QDateTime, Qt

from dpwizard.base.language import spoken
from dpwizard.decision import Acknowledgement, Decision, assumptions, dependence
from dpwizard.questions import promises

PRINTED = "totals_printed"  # the assumption that needs of totals rest on


def answered(decision: Decision, key: str, **answer: Any) -> Decision:
    """Return DECISION with ANSWER to the assumption KEY, given now."""
    now = QDateTime.currentDateTimeUtc().toString(Qt.DateFormat.ISODate)
    said = promises.assumption(decision, key)
    return dependence.with_answer(
        decision, Acknowledgement(assumption=key, text=said, language=spoken(), time=now, **answer)
    )


def with_totals_printed(decision: Decision) -> Decision:
    """Return DECISION with its totals said to be printed, where a need rests on that and nobody has answered."""
    if PRINTED not in assumptions(decision, "accuracy") or dependence.answer_of(decision, PRINTED) is not None:
        return decision
    return answered(decision, PRINTED)
