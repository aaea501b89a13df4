"""The decision record, its editions, and the ledger of all of them."""

from dpwizard.records import drawing, drawn, ledger_words, office_settings, policy, record, redaction
from dpwizard.records.ledger import WRONG, Ceiling, Ledger, LedgerRow, Sum, Total, ledger_of
from dpwizard.records.ledger_entry import LedgerEntry, Signed, alike, budget_alone, planned, read_entry
from dpwizard.records.library_code import release_code
from dpwizard.records.making import AssertedTime, check_outcome, make, recompute, recompute_record, stated_in
from dpwizard.records.policy import APPROVALS, PolicyFile, breaches
from dpwizard.records.record import (
    DOCUMENT,
    TOLERANCE,
    Implementation,
    Policy,
    Public,
    Record,
    is_day,
    is_record,
    read,
    read_any,
    read_record,
    write,
)
from dpwizard.records.redaction import Redactable, markable
from dpwizard.records.registry import registry_entry, registry_yaml
from dpwizard.records.release_script import Library, release_script
from dpwizard.records.script_sums import NoScript
from dpwizard.records.sentences import Sentences, label, sentences
