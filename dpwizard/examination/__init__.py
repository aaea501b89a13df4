"""The second opinion: what somebody published of a privacy loss, computed again from its own figures."""

from dpwizard.examination import words
from dpwizard.examination.claim import Amount, Claim
from dpwizard.examination.examining import examine_claim
from dpwizard.examination.finding import ClaimVerdict, Examination, Verdict
from dpwizard.examination.reading import examine, examine_fields, read_claim
