"""One signature in a PDF: PAdES B-B by pyHanko, added as one incremental revision that keeps PDF/A-3a and PDF/UA-1.

What keeps them: the signature's field has no appearance (a rectangle without size is outside the page and
needs no tag, font or colour), the document's metadata and version stay as they are, and the revision
begins on a new line. The time is the one stated; neither clock nor network is used.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpwizard.errors import FileProblem, SigningProblem
from dpwizard.signing.certificates import utc

if TYPE_CHECKING:
    from dpwizard.signing.identity import Identity

PDF_VERSION = (1, 7)  # what PDF/A-3 and PDF/UA-1 build on
WRITES = ("pyhanko.sign.fields", "pyhanko.sign.signers.cms_embedder", "pyhanko.sign.signers.pdf_byterange")
ROOM = 4_096  # hexadecimal digits for the signature beside the certificates and the names copied from them


def field_name(number: int) -> str:
    """Return the name of the field of signature NUMBER, counted from 1."""
    return f"Signature{number}"


def field_title(number: int) -> str:
    """Return the words by which a reader names that field (PDF/UA wants a description)."""
    return f"Signature {number}"


def sign_pdf(*, pdf: bytes, identity: Identity, number: int, time: datetime, reason: str) -> bytes:
    """Return PDF with signature NUMBER (from 1) of IDENTITY added as one revision; the bytes before stay as they are.

    Arguments: time, the stated time of signing; reason, the signer's role and verdict, shown by PDF viewers.
    Raises FileProblem where the bytes are no PDF that can be signed.
    """
    before = pdf if number > 1 or pdf.endswith(b"\n") else pdf + b"\n"
    for name in WRITES:
        # here, not where any error is the file's: what the installation lacks is no damage to a file
        import_module(name)
    try:
        return _with_signature(before, identity, number, time, reason)
    except SigningProblem:
        raise
    except Exception as problem:
        raise FileProblem(
            "cannot be signed: it is not a PDF as this program writes it", "pdf", "Typeset the record again."
        ) from problem


def _with_signature(before: bytes, identity: Identity, number: int, time: datetime, reason: str) -> bytes:
    from pyhanko.sign.fields import SigFieldSpec, SigSeedSubFilter
    from pyhanko.sign.signers.cms_embedder import PdfCMSEmbedder, SigIOSetup, SigObjSetup
    from pyhanko.sign.signers.pdf_byterange import SignatureObject

    name = field_name(number)
    embedder = PdfCMSEmbedder(SigFieldSpec(name, readable_field_name=field_title(number)))
    steps = embedder.write_cms(name, _writer(before))
    next(steps)
    room = ROOM + 2 * sum(map(len, identity.chain)) + 4 * len(identity.chain[0])
    signature = SignatureObject(
        timestamp=utc(time),
        subfilter=SigSeedSubFilter.PADES,
        name=identity.certificate.name,
        reason=reason,
        bytes_reserved=room,
    )
    steps.send(SigObjSetup(signature))
    prepared, output = steps.send(SigIOSetup("sha256"))
    steps.send(_signed_digest(identity, prepared.document_digest))
    return bytes(output.getvalue())


def _writer(before: bytes) -> Any:
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    class SignatureOnly(IncrementalPdfFileWriter):
        output_version = PDF_VERSION  # pyHanko's own would raise the document to PDF 2.0

        def _update_meta(self) -> None:
            """Leave title, dates and XMP untouched: they belong to the record, and the clock is not read."""

    return SignatureOnly(io.BytesIO(before))


def _signed_digest(identity: Identity, digest: bytes) -> Any:
    """Return the CMS structure that signs DIGEST, the certificate's hash among its signed attributes (CAdES)."""
    import asyncio

    from asn1crypto import x509 as asn1
    from pyhanko.sign.signers.pdf_cms import Signer
    from pyhanko_certvalidator import registry

    certificates = [asn1.Certificate.load(der) for der in identity.chain]

    class Holder(Signer):
        async def async_sign_raw(self, data: bytes, digest_algorithm: str, dry_run: bool = False) -> bytes:
            return identity.sign_sha256(data)

    store: Any = registry.SimpleCertificateStore
    others = store()
    others.register_multiple(certificates[1:])
    signer = Holder(signing_cert=certificates[0], cert_registry=others)
    return asyncio.run(signer.async_sign(digest, "sha256", use_pades=True))


def cms_of(
    *, chain: Iterable[bytes], digest_algorithm: Any, signature_algorithm: Any, signed_attributes: Any, signature: bytes
) -> bytes:
    """Return the one encoding of a CMS signature with these parts: what :func:`sign_pdf` puts into a PDF.

    A verifier compares it with what it found, so that no byte outside the signed attributes can vary.
    """
    from asn1crypto import cms, x509

    certificates = [x509.Certificate.load(der) for der in chain]
    signer = {
        "version": "v1",
        "sid": {
            "issuer_and_serial_number": {
                "issuer": certificates[0].issuer,
                "serial_number": certificates[0].serial_number,
            }
        },
        "digest_algorithm": digest_algorithm,
        "signature_algorithm": signature_algorithm,
        "signed_attrs": signed_attributes,
        "signature": signature,
    }
    content = {
        "version": "v1",
        "digest_algorithms": [digest_algorithm],
        "encap_content_info": {"content_type": "data"},
        "certificates": [cms.CertificateChoices(name="certificate", value=certificate) for certificate in certificates],
        "signer_infos": [signer],
    }
    return bytes(cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(content)}).dump())
