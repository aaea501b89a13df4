"""The decision record, its editions, and the ledger of all of them."""

from dpwizard.records.editions import Markable, markable
from dpwizard.records.labels import label
from dpwizard.records.ledger import WRONG, Ceiling, Ledger, Row, Standing, Sum, Total, ledger_of
from dpwizard.records.ledger_entry import Entry, Signed, alike, budget_alone, earlier_entry_of, entry_of, planned
from dpwizard.records.library_code import release_code
from dpwizard.records.making import Difference, Stated, check_outcome, make, recompute
from dpwizard.records.office_settings import OfficeSettings
from dpwizard.records.policy import APPROVALS, Breach, PolicyFile, breaches
from dpwizard.records.record import (
    DOCUMENT,
    TOLERANCE,
    Ends,
    Implementation,
    Moved,
    Policy,
    Public,
    Record,
    is_record,
    read,
    read_any,
    read_record,
    write,
)
from dpwizard.records.registry import registry_entry, registry_yaml, slug
from dpwizard.records.release_script import Library, release_script
from dpwizard.records.script_sums import NoScript
from dpwizard.records.sentences import Sentences, sentences

__all__ = [
    "APPROVALS",
    "DOCUMENT",
    "TOLERANCE",
    "WRONG",
    "Breach",
    "Ceiling",
    "Difference",
    "Ends",
    "Entry",
    "Implementation",
    "Ledger",
    "Library",
    "Markable",
    "Moved",
    "NoScript",
    "OfficeSettings",
    "Policy",
    "PolicyFile",
    "Public",
    "Record",
    "Row",
    "Sentences",
    "Signed",
    "Standing",
    "Stated",
    "Sum",
    "Total",
    "alike",
    "breaches",
    "budget_alone",
    "check_outcome",
    "drawing",
    "drawn",
    "earlier_entry_of",
    "editions",
    "entry_of",
    "is_record",
    "label",
    "ledger_of",
    "ledger_words",
    "make",
    "making",
    "markable",
    "office_settings",
    "planned",
    "policy",
    "read",
    "read_any",
    "read_record",
    "recompute",
    "record",
    "registry_entry",
    "registry_yaml",
    "release_code",
    "release_script",
    "sentences",
    "slug",
    "write",
]
