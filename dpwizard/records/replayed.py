"""A record as its decision makes it again: every number and sentence solved and said anew, none of them believed."""

from __future__ import annotations

import copy
from typing import Any

from dpwizard.decision import assess, read_decision
from dpwizard.language import speaking
from dpwizard.records import editions
from dpwizard.records.record import PUBLIC, accounting, implementation, influence, read_record, sentences
from dpwizard.values import plain


def replayed(raw: Any) -> dict[str, Any]:
    """Return the record RAW with all that follows from its decision taken from the decision, solved again.

    A public edition leaves out again what it says it leaves out. Raises InvalidInput where RAW is no record, or its
    decision cannot be read.
    """
    record = read_record(raw)
    decision = read_decision(record["decision"], "$.decision")
    assessment = assess(decision)
    made: dict[str, Any] = copy.deepcopy(record)
    made["assessment"] = plain(assessment)
    made["accounting"] = plain(accounting(decision, assessment))
    made["implementation"] = plain(implementation(decision.planned.release, decision.chosen))
    made["sentences"] = {"language": decision.language, **sentences(decision, assessment)}
    if "influence" in record:
        made["influence"] = plain(influence(decision, assessment))
    if record.get("edition") == PUBLIC:
        with speaking(decision.language):
            editions.leave_out_again(made, record)
    return made
