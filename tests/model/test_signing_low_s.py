"""Of the two values that make an ECDSA signature only the low one counts: otherwise anybody could change a byte."""

from __future__ import annotations

import base64
import re

import pytest
from asn1crypto import cms
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

from dpwizard.errors import SigningProblem
from dpwizard.resource_files import FOLDER
from dpwizard.signing.low_s import require_low_s
from dpwizard.signing.signing import SignedRecord, verify_record
from tests.samples.signed_record import JSON, judged, people, person, sign, signed, typeset, unwrapped, wrapped

CURVES = {ec.SECP256R1: 32, ec.SECP384R1: 48, ec.SECP521R1: 66}
GOLDEN = FOLDER.parent / "tests" / "golden" / "records"


def turned(line: str, order: int) -> str:
    """Return the JWS LINE with the other value of s, which fits the key as well: nobody needs the key for that."""
    begin, _, signature = line.rpartition(".")
    raw = unwrapped(signature)
    half = len(raw) // 2
    return f"{begin}.{wrapped(raw[:half] + (order - int.from_bytes(raw[half:], 'big')).to_bytes(half, 'big'))}"


def test_a_last_line_whose_s_was_turned_is_changed() -> None:
    record = signed(1)
    line = turned(record.jws_text.strip(), ec.SECP256R1().group_order)
    assert line != record.jws_text.strip()
    found = judged(SignedRecord(pdf_bytes=record.pdf_bytes, jws_text=f"{line}\n"))
    assert (found.verdict, found.ok) == ("changed", False)
    assert "the two values of s" in found.sentence


@pytest.mark.slow
@pytest.mark.parametrize("curve", list(CURVES))
def test_every_signature_made_here_has_the_low_s(curve: type[ec.EllipticCurve]) -> None:
    who, half = person("Dora", ec.generate_private_key(curve())), CURVES[curve]
    most = curve().group_order // 2
    for _ in range(3):
        record = sign(typeset(), who)
        assert int.from_bytes(unwrapped(record.jws_text.strip().rpartition(".")[2])[half:], "big") <= most
        assert judged(record).verdict == "unchanged"
    for number in range(40):
        assert decode_dss_signature(who.sign_sha256(b"%d" % number))[1] <= most


def test_a_container_in_the_pdf_is_held_to_it_too() -> None:
    who = people()[0]
    signature = who.sign_sha256(b"what is signed")
    require_low_s(signature, who.chain[0])
    r, s = decode_dss_signature(signature)
    other = encode_dss_signature(r, ec.SECP256R1().group_order - s)
    key = x509.load_der_x509_certificate(who.chain[0]).public_key()
    assert isinstance(key, ec.EllipticCurvePublicKey)
    key.verify(other, b"what is signed", ec.ECDSA(hashes.SHA256()))  # any library calls it genuine
    with pytest.raises(SigningProblem, match="the two values of s"):
        require_low_s(other, who.chain[0])
    require_low_s(people()[1].sign_sha256(b"by RSA"), people()[1].chain[0])


def test_the_signature_in_a_pdf_has_the_low_s() -> None:
    digits = re.findall(rb"/Contents <([0-9A-F]+)>", signed(1).pdf_bytes)[0]
    container = cms.ContentInfo.load(bytes.fromhex(digits.decode()))
    (signer,) = container["content"]["signer_infos"]
    assert decode_dss_signature(signer["signature"].native)[1] <= ec.SECP256R1().group_order // 2


@pytest.mark.parametrize("name", ["first", "second"])
def test_records_of_before_the_rule_are_read_as_they_were_signed(name: str) -> None:
    folder = GOLDEN / name
    files = [(folder / f"durham{ending}").read_bytes() for ending in (".json", ".pdf", ".json.jws")]
    assert verify_record(*files).verdict == "unchanged"
    line = files[2].decode().splitlines()[0]
    assert base64.urlsafe_b64decode(line.split(".")[0] + "==").count(b"dpwizard-signature/1") == 1


def test_a_line_cannot_be_called_one_of_before_the_rule() -> None:
    record = signed(1)
    header, payload, signature = record.jws_text.strip().split(".")
    older = wrapped(unwrapped(header).replace(b"dpwizard-signature/2", b"dpwizard-signature/1"))
    line = turned(f"{older}.{payload}.{signature}", ec.SECP256R1().group_order)
    found = verify_record(JSON, record.pdf_bytes, f"{line}\n")
    assert found.verdict == "changed"
