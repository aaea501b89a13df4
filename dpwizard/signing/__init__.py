"""Identities, signatures, verification, and what a record is exported to."""

from dpwizard.signing.store import RecordFiles

__all__ = [
    "RecordFiles",
    "bounded",
    "certificates",
    "earlier_records",
    "exports",
    "identity",
    "office",
    "policy_files",
    "reading",
    "record_folder",
    "remaking",
    "replaying",
    "signature_log",
    "signing",
    "store",
    "time_stamp",
    "trust",
    "verification",
    "verify_tasks",
]
