"""Identities, signatures, verification, and what a record is exported to."""

from dpwizard.signing.store import RecordFiles

__all__ = [
    "RecordFiles",
    "bounded",
    "certificates",
    "earlier_records",
    "exports",
    "findings",
    "identity",
    "office",
    "people",
    "policy_files",
    "reading",
    "record_folder",
    "remaking",
    "replaying",
    "required_signatures",
    "signature",
    "signature_log",
    "signing",
    "store",
    "time_stamp",
    "trust",
    "verification",
    "verify_tasks",
]
