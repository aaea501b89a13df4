"""The low one of the two values that make one ECDSA signature: s, not n - s.

Both are genuine, so without this rule anybody could change the last signature of a record into another one that holds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dpwizard.errors import SigningProblem

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurve


def with_low_s(signature: bytes, curve: EllipticCurve) -> bytes:
    """Return the ECDSA SIGNATURE (DER) with the low s of the two that hold."""
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

    r, s = decode_dss_signature(signature)
    return encode_dss_signature(r, min(s, curve.group_order - s))


def raw_with_low_s(signature: bytes, curve: EllipticCurve) -> bytes:
    """Return the ECDSA SIGNATURE (r and s one behind the other, as JWS has it) with the low s."""
    half = len(signature) // 2
    s = int.from_bytes(signature[half:], "big")
    return signature[:half] + min(s, curve.group_order - s).to_bytes(half, "big")


def require_low_s(signature: bytes, certificate: bytes) -> None:
    """Raise SigningProblem unless SIGNATURE (DER), by the key of CERTIFICATE (DER), is RSA's or has the low s."""
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePublicKey

    key = x509.load_der_x509_certificate(certificate).public_key()
    if isinstance(key, EllipticCurvePublicKey) and with_low_s(signature, key.curve) != signature:
        raise SigningProblem("has the other one of the two values of s: it was changed after it was made", "pdf", "")
