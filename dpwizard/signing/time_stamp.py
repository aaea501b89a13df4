"""Time-stamps (RFC 3161) fetched later: NAME.1.tsr beside NAME.1.jws, over the bytes of that line.

One shows that the signature was there at the time an authority states. It is no part of the record: without one, times
are the signers' own claims.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from dpwizard.base.errors import SigningProblem
from dpwizard.base.messages import message
from dpwizard.signing.certificates import describe, load, marks_authority, printable, stamp
from dpwizard.signing.findings import SIGN_ANEW, Findings, TimeStamp
from dpwizard.signing.signature import Signature
from dpwizard.signing.trust import Trust, revocation

LATE = timedelta(hours=1)  # clocks and their changes differ by no more
REFETCH = message("Fetch the time-stamp again, or remove its file.")


def check_time_stamp(token: bytes, signature: Signature, position: int, trust: Trust, results: Findings) -> None:
    """Note in RESULTS what the time-stamp TOKEN over a SIGNATURE states.

    A time-stamp that proves nothing leaves the outcome undetermined, as it was put there to prove something. One that
    shows that the stated time is too late refuses the signature.
    """
    try:
        read = read_time_stamp(token, signature.text, position, trust)
    except SigningProblem as problem:
        why = message("the time-stamp {what}", what=problem.message)
        results.add("stamp", None, why, remedy=REFETCH, signer=position)
        return
    text = message("{time}, by {authority}", time=read.time, authority=read.authority)
    results.add("stamp", True, text, signer=position)
    late = signature.time - datetime.fromisoformat(read.time) > LATE
    why = message(
        "the signature was there at {time}, but states {stated}, a later time",
        time=read.time,
        stated=stamp(signature.time),
    )
    if results.add("stamp_time", not late, why, remedy=SIGN_ANEW, signer=position):
        results.time_stamps = (*results.time_stamps, read)


def read_time_stamp(token: bytes, line: str, position: int, trust: Trust) -> TimeStamp:
    """Return what a time-stamp says over a LINE, the signature at POSITION.

    Raises SigningProblem where it cannot be read, is over something else, is not genuine, or where no authority that
    is trusted here vouches for it.
    """
    from rfc3161_client import VerificationError, VerifierBuilder, decode_timestamp_response

    anchors = [certificate for certificate in map(load, trust.certificates) if marks_authority(certificate)]
    try:
        response = decode_timestamp_response(_with_sorted_certificates(token))
        time = response.tst_info.gen_time.astimezone(UTC)
        signed = response.signed_data
        carried = tuple(bytes(der) for der in signed.certificates)
        signer = _signer_certificate(carried, signed.signer_infos)
    except (ValueError, TypeError, KeyError):
        raise _faulty(message("cannot be read")) from None
    if not anchors:
        raise _faulty(message("is by an authority that is not trusted here"))
    if signer is None:
        raise _faulty(
            message(
                "does not carry its authority’s certificate; ask for it with the certificate (openssl ts -query -cert)"
            )
        )
    try:  # what it carries is never trusted: only anchors from the office's folder are handed over
        VerifierBuilder(roots=anchors).build().verify_message(response, line.encode("ascii"))
    except (VerificationError, ValueError) as problem:
        raise _faulty(message("is not valid: {reason}", reason=printable(str(problem), 200))) from None
    revoked, not_checked = revocation([load(signer)], carried, trust, time)
    if revoked or not_checked:
        raise _faulty(message("does not count: {reason}", reason=revoked or not_checked))
    return TimeStamp(time=stamp(time), authority=printable(describe(signer).name), signer=position)


def _with_sorted_certificates(token: bytes) -> bytes:
    """Return TOKEN with its certificates in the order of DER, which rfc3161-client asks for and OpenSSL does not keep.

    They are no part of what is signed. Raises ValueError or TypeError where it cannot be read.
    """
    from asn1crypto import cms, tsp

    response = tsp.TimeStampResp.load(token, strict=True)
    signed = response["time_stamp_token"]["content"]
    signed["certificates"] = cms.CertificateSet(sorted(signed["certificates"], key=lambda choice: bytes(choice.dump())))
    return bytes(response.dump(force=True))


def _signer_certificate(carried: tuple[bytes, ...], signers: Any) -> bytes | None:
    named = {(signer.issuer, signer.serial_number) for signer in signers}
    certificates = [der for der in carried if (load(der).issuer, load(der).serial_number) in named]
    return certificates[0] if len(certificates) == 1 else None


def _faulty(what: str) -> SigningProblem:
    return SigningProblem(what, "time-stamp", REFETCH)
