"""The decision record and its editions."""

from dpwizard.records.corrections import Corrected
from dpwizard.records.editions import Markable, label, markable
from dpwizard.records.library_code import release_code
from dpwizard.records.policy import APPROVALS, Breach, PolicyFile, breaches
from dpwizard.records.record import DOCUMENT, Difference, is_record, read_record
from dpwizard.records.replayed import replayed

__all__ = [
    "APPROVALS",
    "DOCUMENT",
    "Breach",
    "Corrected",
    "Difference",
    "Markable",
    "PolicyFile",
    "breaches",
    "corrections",
    "editions",
    "is_record",
    "label",
    "markable",
    "policy",
    "policy_text",
    "read_record",
    "record",
    "release_code",
    "replayed",
]
