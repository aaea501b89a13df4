"""Identities, signatures, verification, and what a record is exported to."""
