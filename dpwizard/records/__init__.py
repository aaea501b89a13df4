"""The decision record and its editions."""

from dpwizard.records.comparison import Difference
from dpwizard.records.corrections import Corrected
from dpwizard.records.editions import Markable, label, markable
from dpwizard.records.ledger import WRONG, Ceiling, Ledger, Row, Standing, Sum, Total, ledger_of
from dpwizard.records.ledger_entry import SHARED, Entry, Signed, alike, budget_alone, entry_of, planned
from dpwizard.records.library_code import release_code
from dpwizard.records.office_settings import OfficeSettings
from dpwizard.records.policy import APPROVALS, Breach, PolicyFile, breaches
from dpwizard.records.record import DOCUMENT, is_record, read_record
from dpwizard.records.registry import registry_entry, registry_yaml, slug
from dpwizard.records.replayed import replayed

__all__ = [
    "APPROVALS",
    "DOCUMENT",
    "SHARED",
    "WRONG",
    "Breach",
    "Ceiling",
    "Corrected",
    "Difference",
    "Entry",
    "Ledger",
    "Markable",
    "OfficeSettings",
    "PolicyFile",
    "Row",
    "Signed",
    "Standing",
    "Sum",
    "Total",
    "alike",
    "breaches",
    "budget_alone",
    "comparison",
    "corrections",
    "editions",
    "entry_of",
    "is_record",
    "label",
    "ledger_of",
    "ledger_words",
    "markable",
    "office_settings",
    "planned",
    "policy",
    "policy_text",
    "read_record",
    "record",
    "registry_entry",
    "registry_yaml",
    "release_code",
    "replayed",
    "slug",
]
