"""One signature in the PDF: an increment that follows, byte for byte, from the bytes before it and its line.

Objects, table, appearance, identifier (the SHA-256 of the bytes before), time, certificates and the CMS container are
made here. Only the signature value is free, and that stands in the line. So a verifier never reads a PDF that somebody
else made: it makes the increment again and compares.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from dpwizard.charts import glyphs
from dpwizard.report import appearance, pdf_objects, phrases, signature_places
from dpwizard.signing.certificates import describe, printable

if TYPE_CHECKING:
    from dpwizard.signing.signature import Signature

ROOM = 4_096  # hexadecimal digits for the signature beside the certificates and the names copied from them
PROPOSALS = (("proposes", "propose"), ("proposes", "approve"))  # who signs to propose need not say so
DIGITS = 20  # of the certificate's fingerprint, in groups of four: what people compare aloud
RANGE_ROOM = 62  # characters kept free for the byte range, which is known last


@dataclass(frozen=True, kw_only=True)
class Place:
    """An empty field for a signature on page one, made when the pages were typeset."""

    field: int  # its object
    role: str  # whose it is; empty: of anybody
    width: float  # points


@dataclass(frozen=True, kw_only=True)
class Increment:
    """The next increment, its signature value still open, and the digest that the signer signs."""

    content: bytes  # with zeros for the CMS container
    opened: int  # where the container begins and ends, counted in the whole file
    closed: int
    digest: bytes
    chain: tuple[bytes, ...]
    place: Place | None

    @cached_property
    def attributes(self) -> Any:
        """Return what the signer's key signs: attributes that name the digest and the certificate."""
        return _attributes(self.digest, self.chain[0])

    @property
    def signed(self) -> bytes:
        """Return the bytes of that."""
        return bytes(self.attributes.untag().dump())


class GrowingPdf:
    """The pages of a record, just typeset, and an increment for each signature: `content` holds them so far."""

    def __init__(self, typeset: bytes, language: str, signatures: Iterable[Signature] = ()) -> None:
        self.content = typeset.removesuffix(b"\n") + b"\n"
        self.language = language
        self.signatures = 0
        pdf = pdf_objects.Document(self.content)
        self._root, self._page = pdf_objects.number_of(pdf.trailer["Root"]), signature_places.first_page(pdf)
        self._free = list(_places(pdf, self._root))
        for signature in signatures:
            self.add(signature)

    def add(self, signature: Signature) -> bytes:
        """Add the increment of SIGNATURE, and return the bytes over which its value in the PDF was made."""
        opened = self.open(
            name=signature.certificate.name, reason=signature.reason, time=signature.time, chain=signature.chain
        )
        self.close(opened, signature.in_pdf)
        return opened.signed

    def open(self, *, name: str, reason: str, time: datetime, chain: tuple[bytes, ...]) -> Increment:
        """Return the increment with which NAME signs for that REASON ("role: verdict") at that TIME."""
        pdf = pdf_objects.Document(self.content)
        value = pdf_objects.dictionary(
            Contents=b"<" + b"0" * _room(chain) + b">",
            ByteRange=b"[]".ljust(RANGE_ROOM),
            Type=b"/Sig",
            Filter=b"/Adobe.PPKLite",
            SubFilter=b"/ETSI.CAdES.detached",
            M=pdf_objects.text(time.strftime("D:%Y%m%d%H%M%SZ")),
            Name=pdf_objects.text(name),
            Reason=pdf_objects.text(reason),
        )
        place = self._place_of(reason.rpartition(": ")[0])
        if place is None:
            objects = self._invisible(pdf, value)
        else:
            lines = _lines(name=name, reason=reason, time=time, chain=chain, language=self.language)
            objects = _visible(pdf, value, place, lines)
        identifiers = (
            pdf_objects.items(pdf.trailer["ID"])[0],
            b"<%s>" % hashlib.sha256(self.content).hexdigest()[:32].encode(),
        )
        content, _ = pdf_objects.section(
            objects,
            len(self.content),
            Size=b"%d" % max(int(pdf.trailer["Size"]), max(objects) + 1),
            Root=pdf.trailer["Root"],
            Info=pdf.trailer["Info"],
            ID=pdf_objects.listed(identifiers),
            Prev=b"%d" % pdf.table,
        )
        return self._with_range(bytearray(content), chain, place)

    def _with_range(self, content: bytearray, chain: tuple[bytes, ...], place: Place | None) -> Increment:
        """Return the increment CONTENT with its byte range, and the digest of all that the range covers."""
        before = len(self.content)
        digits = b"/Contents <" + b"0" * _room(chain) + b">"
        opened = content.index(digits) + len(b"/Contents ")
        closed = opened + len(digits) - len(b"/Contents ")
        covered = b"[0 %d %d %d]" % (before + opened, before + closed, len(content) - closed)
        at = content.index(b"[]", closed)
        content[at : at + len(covered)] = covered
        digest = hashlib.sha256(self.content + bytes(content[:opened]) + bytes(content[closed:])).digest()
        return Increment(
            content=bytes(content),
            opened=before + opened,
            closed=before + closed,
            digest=digest,
            chain=chain,
            place=place,
        )

    def close(self, increment: Increment, value: bytes) -> None:
        """Add the INCREMENT with the signature VALUE in its CMS container."""
        container = _container(increment.chain, increment.attributes, value)
        room = increment.closed - increment.opened - 2
        digits = container.hex().upper().encode().ljust(room, b"0")
        if len(digits) != room:
            raise ValueError("the signature is too large for the space reserved for it")
        whole = self.content + increment.content
        self.content = whole[: increment.opened + 1] + digits + whole[increment.closed - 1 :]
        self.signatures += 1
        if increment.place is not None:
            self._free.remove(increment.place)

    def _place_of(self, role: str) -> Place | None:
        """Return the first free place of ROLE, else the first that is free for anybody."""
        named = role.replace(".", "_")
        places = [place for place in self._free if place.role == named]
        return next(iter((*places, *(place for place in self._free if not place.role))), None)

    def _invisible(self, pdf: pdf_objects.Document, value: bytes) -> dict[int, bytes]:
        """Return the objects of a signature for which page one has no place: its field has no size."""
        field = int(pdf.trailer["Size"])
        form = pdf_objects.number_of(pdf.entries_at(self._root)["AcroForm"])
        annotations = pdf_objects.number_of(pdf.entries_at(self._page)["Annots"])
        number = self.signatures + 1
        return {
            form: pdf_objects.dictionary(
                Fields=pdf_objects.listed(
                    [*pdf_objects.items(pdf.entries_at(form)["Fields"]), pdf_objects.reference(field)]
                ),
                SigFlags=b"3",
            ),
            annotations: pdf_objects.listed([*pdf_objects.items(pdf.at(annotations)), pdf_objects.reference(field)]),
            field: pdf_objects.dictionary(
                FT=b"/Sig",
                T=pdf_objects.text(f"Signature{number}"),
                Type=b"/Annot",
                Subtype=b"/Widget",
                F=b"132",
                Rect=b"[ 0 0 0 0 ]",
                P=pdf_objects.reference(self._page),
                TU=pdf_objects.text(f"Signature {number}"),
                V=pdf_objects.reference(field + 1),
            ),
            field + 1: value,
        }


def _visible(pdf: pdf_objects.Document, value: bytes, place: Place, lines: tuple[str, ...]) -> dict[int, bytes]:
    """Return the objects that fill PLACE: its field, the signature's dictionary, and how LINES look in it."""
    number = int(pdf.trailer["Size"])
    looks = pdf_objects.dictionary(N=pdf_objects.reference(number + 1))
    return {
        place.field: pdf_objects.changed(pdf.at(place.field), AP=looks, V=pdf_objects.reference(number)),
        number: value,
        **appearance.objects(number + 1, lines, place.width),
    }


def _lines(*, name: str, reason: str, time: datetime, chain: tuple[bytes, ...], language: str) -> tuple[str, ...]:
    """Return what a signature says of itself on page one, in LANGUAGE and in characters that Inter has.

    Whether the certificate is trusted is each reader's own to judge: nothing about trust is printed.
    """
    words = phrases.words(language)
    role, _, verdict = reason.rpartition(": ")

    def called(key: str) -> str:
        return words("signature", key) if words.has("signature", key) else printable(key).replace("_", " ")

    day = words("document", "date", day=time.day, month=words("month", f"{time.month:02d}"), year=time.year)
    stated = "signed" if (role, verdict) in PROPOSALS else verdict
    moment = words("signature", "on", verdict=called(stated), day=day, time=time.strftime("%H:%M"))
    number = hashlib.sha256(chain[0]).hexdigest()[:DIGITS].upper()
    grouped = " ".join(number[at : at + 4] for at in range(0, DIGITS, 4))
    lines = (printable(name), moment, words("signature", "number", number=grouped))
    return tuple(glyphs.printable(" ".join(line.split()), everything=False) for line in lines)


def _places(pdf: pdf_objects.Document, root: int) -> Iterable[Place]:
    form = pdf.entries_at(pdf_objects.number_of(pdf.entries_at(root)["AcroForm"]))
    for field in map(pdf_objects.number_of, pdf_objects.items(form["Fields"])):
        entries = pdf.entries_at(field)
        left, _, right, _ = map(float, pdf_objects.items(entries["Rect"]))
        role = pdf_objects.words_of(entries["T"]).partition(" ")[2]
        yield Place(field=field, role=role, width=round(right - left, 2))


def _room(chain: tuple[bytes, ...]) -> int:
    return ROOM + 2 * sum(map(len, chain)) + 4 * len(chain[0])


# --------------------------------------------------------------------------- the container, CMS as PAdES B-B


def _attributes(digest: bytes, certificate: bytes) -> Any:
    """Return what is signed: the kind of content, its DIGEST, and the hash of the signer's CERTIFICATE (CAdES)."""
    from asn1crypto import cms, tsp, x509

    holder = x509.Certificate.load(certificate)
    named = {
        "cert_hash": hashlib.sha256(certificate).digest(),
        "issuer_serial": {
            "issuer": [x509.GeneralName("directory_name", holder.issuer)],
            "serial_number": holder.serial_number,
        },
    }
    identified = tsp.SigningCertificateV2({"certs": [tsp.ESSCertIDv2(named)]})
    stated = (("content_type", "data"), ("message_digest", digest), ("signing_certificate_v2", identified))
    return cms.CMSAttributes([cms.CMSAttribute({"type": kind, "values": (value,)}) for kind, value in stated])


def _container(chain: tuple[bytes, ...], attributes: Any, value: bytes) -> bytes:
    """Return the one encoding of a CMS signature: every byte follows from the certificates, ATTRIBUTES and VALUE."""
    from asn1crypto import cms, x509

    certificates = [x509.Certificate.load(der) for der in chain]
    holder = certificates[0]
    algorithm = "sha256_rsa" if describe(chain[0]).key.startswith("RSA") else "sha256_ecdsa"
    signer = {
        "version": "v1",
        "sid": {"issuer_and_serial_number": {"issuer": holder.issuer, "serial_number": holder.serial_number}},
        "digest_algorithm": {"algorithm": "sha256"},
        "signature_algorithm": {"algorithm": algorithm},
        "signed_attrs": attributes,
        "signature": value,
    }
    content = {
        "version": "v1",
        "digest_algorithms": [{"algorithm": "sha256"}],
        "encap_content_info": {"content_type": "data"},
        "certificates": [cms.CertificateChoices("certificate", certificate) for certificate in certificates],
        "signer_infos": [signer],
    }
    return bytes(cms.ContentInfo({"content_type": "signed_data", "content": cms.SignedData(content)}).dump())
