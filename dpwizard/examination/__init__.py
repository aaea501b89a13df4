"""The second opinion: published claims on a privacy loss, recalculated from their own figures."""

from dpwizard.examination import words
from dpwizard.examination.claim import Amount, Claim
from dpwizard.examination.examining import examine_claim
from dpwizard.examination.finding import ClaimVerdict, Examination, Verdict
from dpwizard.examination.reading import examine, examine_fields, read_claim
