"""Identities, signatures, verification, and what a record is exported to."""

from dpwizard.signing.record_files import RecordFiles, read_any

__all__ = [
    "RecordFiles",
    "certificates",
    "earlier_records",
    "exports",
    "held_files",
    "judging",
    "ledger_reading",
    "office",
    "pdf_signature",
    "policy_signature",
    "read_any",
    "record_files",
    "signature_log",
    "signing",
    "time_stamp",
]
