"""A record checked from its description alone, with the standard library, cryptography and asn1crypto: an independent
reading."""

from __future__ import annotations

import base64
import hashlib
import json
import re

from asn1crypto import cms
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, utils


def faults(json_bytes: bytes, pdf: bytes, lines: list[str]) -> list[str]:
    """Return what does not fit: nothing for a record as it was signed (ES256, ES384, PS256; any number of signers)."""
    wrong: list[str] = []
    before = None
    certificates = []
    for line in (text.strip() for text in lines):
        header, payload, signature = (
            base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)) for part in line.split(".")
        )
        said, stated = json.loads(header), json.loads(payload)
        certificate = x509.load_der_x509_certificate(base64.b64decode(said["x5c"][0]))
        certificates.append(base64.b64decode(said["x5c"][0]))
        if not genuine(certificate.public_key(), said["alg"], signature, line.rpartition(".")[0].encode()):
            wrong.append("signature of a line")
        if stated["previous"] != before:
            wrong.append("order of the lines")
        if stated["json_sha256"] != hashlib.sha256(json_bytes).hexdigest():
            wrong.append("JSON")
        if stated["pdf_sha256"] != hashlib.sha256(pdf[: stated["pdf_bytes"]]).hexdigest():
            wrong.append("PDF")
        before = hashlib.sha256(line.encode()).hexdigest()
        end = stated["pdf_bytes"]
    if end != len(pdf):
        wrong.append("end of the PDF")
    ranges = [tuple(map(int, found)) for found in re.findall(rb"/ByteRange \[0 (\d+) (\d+) (\d+)\]", pdf)]
    if len(ranges) != len(certificates):
        wrong.append("number of signatures")
    seen: list[bytes] = []
    for (head, tail, rest), der in zip(ranges, certificates, strict=False):
        signed = cms.ContentInfo.load(bytes.fromhex(pdf[head + 1 : tail - 1].decode()))["content"]
        signer = signed["signer_infos"][0]
        attributes = {a["type"].native: a["values"][0] for a in signer["signed_attrs"]}
        if attributes["message_digest"].native != hashlib.sha256(pdf[:head] + pdf[tail : tail + rest]).digest():
            wrong.append("digest in the PDF")
        if der not in [c.chosen.dump() for c in signed["certificates"]]:
            wrong.append("certificate in the PDF")
        key = x509.load_der_x509_certificate(der).public_key()
        kind = "CMS-EC" if isinstance(key, ec.EllipticCurvePublicKey) else "RS256"
        if not genuine(key, kind, signer["signature"].native, signer["signed_attrs"].untag().dump()):
            wrong.append("signature in the PDF")
        stated = json.loads(_decoded(lines[len(seen)].split(".")[1])) if len(seen) < len(lines) else {}
        if base64.b64encode(signer["signature"].native).decode() != stated.get("pdf_signature"):
            wrong.append("signature of the line in the PDF")
        seen.append(der)
    return wrong


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))


def genuine(key: object, algorithm: str, signature: bytes, message: bytes) -> bool:
    digest = {"ES384": hashes.SHA384(), "ES512": hashes.SHA512()}.get(algorithm, hashes.SHA256())
    try:
        if isinstance(key, ec.EllipticCurvePublicKey):
            if algorithm != "CMS-EC":
                half = len(signature) // 2
                signature = utils.encode_dss_signature(
                    int.from_bytes(signature[:half], "big"), int.from_bytes(signature[half:], "big")
                )
            key.verify(signature, message, ec.ECDSA(digest))
        elif algorithm == "PS256":
            key.verify(signature, message, padding.PSS(padding.MGF1(digest), 32), digest)
        else:
            key.verify(signature, message, padding.PKCS1v15(), digest)
    except InvalidSignature:
        return False
    return True
