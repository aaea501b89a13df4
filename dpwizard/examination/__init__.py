"""The second opinion: what somebody published of a privacy loss, computed again from its own figures."""

from dpwizard.examination.claim import Amount, Claim
from dpwizard.examination.examining import examine_claim
from dpwizard.examination.finding import ClaimVerdict, Derived, Examination, Meaning, Verdict
from dpwizard.examination.reading import examine, examine_fields, read_claim

__all__ = [
    "Amount",
    "Claim",
    "ClaimVerdict",
    "Derived",
    "Examination",
    "Meaning",
    "Verdict",
    "examine",
    "examine_claim",
    "examine_fields",
    "read_claim",
    "words",
]
