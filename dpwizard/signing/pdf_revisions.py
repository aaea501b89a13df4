"""A signed PDF read strictly: what was typeset, and then one revision for each signature that adds nothing else.

A standard validator says whether a signature is genuine; it allows what PDF allows (an update appended
later, spare bytes beside the signature, an object put in place of another). Here each revision must be of
the one form that :mod:`dpwizard.signing.pdf_signature` writes, object by object and byte by byte.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from dpwizard.errors import DPWizardError, FileProblem, SigningProblem
from dpwizard.messages import message
from dpwizard.signing.pdf_signature import cms_of, field_name, field_title

if TYPE_CHECKING:
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import EmbeddedPdfSignature

LARGEST_PDF = 32_000_000  # bytes
LARGEST_DECODED = 64_000_000  # bytes that the streams read may unfold to
MOST_SIGNATURES = 20
LONGEST_SHOWN = 60  # letters of a name that are said
READS = ("pyhanko.pdf_utils.reader", "pyhanko.pdf_utils.decode_limits", "pyhanko.sign.validation", "asn1crypto.parser")
MARK = b"/ETSI.CAdES.detached"  # stands in every signature of this program
FIELD_KEYS = {"/FT", "/T", "/Type", "/Subtype", "/F", "/Rect", "/P", "/TU", "/V"}
SIGNATURE_KEYS = {"/Contents", "/ByteRange", "/Type", "/Filter", "/SubFilter", "/M", "/Name", "/Reason"}
TRAILER_KEYS = {"/Size", "/Root", "/Info", "/ID", "/Prev"}
_OBJECT = re.compile(rb"([1-9][0-9]{0,8}) 0 obj\n")
_SECTION = re.compile(rb"([0-9]{1,9}) ([0-9]{1,9})\n")
_ENTRY = re.compile(rb"([0-9]{10}) ([0-9]{5}) ([nf])[ \r]\n")
_TAIL = re.compile(rb"startxref\n([0-9]{1,10})\n%%EOF\n")
# nor what turns the direction of writing around
_PLAIN = re.compile(r"[^\\/:\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]{1,255}")
_DATE = re.compile(r"D:[0-9]{14}Z\Z")


@dataclass(frozen=True)
class PdfSignature:
    """One signature found in the PDF, with what it states; whether that is true is for the checks."""

    number: int  # from 1, in the order of signing
    start: int  # where its revision begins
    end: int  # where its revision ends: it covers every byte before, but for itself
    embedded: EmbeddedPdfSignature


@dataclass(frozen=True)
class Revision:
    """What a genuine signature in the PDF states."""

    time: datetime
    name: str
    reason: str
    chain: tuple[bytes, ...]  # DER: the signer's certificate first


@dataclass(frozen=True)
class SignedPdf:
    """A PDF that could be read: its signatures in order, and where what was typeset ends."""

    content: bytes
    reader: PdfFileReader
    signatures: tuple[PdfSignature, ...]
    typeset_bytes: int

    def attached(self) -> bytes:
        """Return the one file attached; raises FileProblem where there is none, or more than one."""
        try:
            files = self.reader.root["/Names"]["/EmbeddedFiles"]
            names, associated = files["/Names"], self.reader.root["/AF"]
            if set(files) != {"/Names"} or len(names) != 2 or len(associated) != 1:
                raise FileProblem("does not hold exactly one attached file", "pdf", "")
            key, plain, full = (_name(place) for place in (names[0], names[1]["/F"], names[1]["/UF"]))
            # beyond ASCII the two are written differently
            if key != plain or (plain != full and (plain.isascii() or full.isascii())):
                raise FileProblem("calls the attached file by different names", "pdf", "")
            versions = names[1]["/EF"]
            if (
                _items(associated) != _items(names)[1:]
                or len({_written(versions.raw_get(key)) for key in versions}) != 1
            ):
                raise FileProblem("names different files as the attached one", "pdf", "")
            return bytes(versions["/F"].data)
        except DPWizardError:
            raise
        except Exception as problem:
            raise FileProblem("holds no attached file that can be read", "pdf", "") from problem


def _name(said: object) -> str:
    """Return an attachment's name as it stands in the PDF; raises FileProblem where it could pass for a path."""
    if not isinstance(said, str) or not _PLAIN.fullmatch(said) or said in (".", ".."):
        shown = re.sub(r"[^\x20-\x7e]", "?", str(said))
        shown = shown if len(shown) <= LONGEST_SHOWN else f"{shown[:LONGEST_SHOWN]}…"
        raise FileProblem(
            message("calls the attached file “{shown}”, which is no plain name", shown=shown),
            "pdf",
            "Save nothing out of it.",
        )
    return said


def open_pdf(pdf: bytes) -> SignedPdf:
    """Return PDF opened with its signatures found; raises FileProblem where it cannot be read, whatever the bytes.

    An installation that lacks a library raises ImportError.
    """
    if len(pdf) > LARGEST_PDF:
        raise FileProblem(
            message("has more than {most:,} bytes", most=LARGEST_PDF), "pdf", "No record of this program is so large."
        )
    for name in READS:
        # here, not where any error is the file's: what the installation lacks is no damage to a file
        import_module(name)
    try:
        return _opened(pdf)
    except DPWizardError:
        raise
    except Exception as problem:
        raise FileProblem("is damaged, or is no PDF", "pdf", "Restore it from a copy.") from problem


def _opened(pdf: bytes) -> SignedPdf:
    import logging

    from pyhanko.pdf_utils.decode_limits import DecodeLimits, DocumentDecodeBudget, StreamDecodeLimits
    from pyhanko.pdf_utils.reader import PdfFileReader

    heard = logging.getLogger("pyhanko")  # it logs what it finds wrong in a file; here that is a finding, not an event
    heard.propagate = False
    if not heard.handlers:
        heard.addHandler(logging.NullHandler())
    limits = DecodeLimits(
        per_stream=StreamDecodeLimits(max_output_size=LARGEST_DECODED),
        document_budget=DocumentDecodeBudget(base_allowance=LARGEST_DECODED, max_ratio=1),
    )
    reader = PdfFileReader(io.BytesIO(pdf), strict=True, decode_limits=limits)
    if reader.encrypted:
        raise FileProblem("is encrypted", "pdf", "Records of this program never are.")
    _require_flat_form(reader)
    found = [(sum(map(int, list(embedded.byte_range)[2:4])), embedded) for embedded in reader.embedded_signatures]
    found.sort(key=lambda pair: pair[0])
    signatures: list[PdfSignature] = []
    typeset = start = _first_revision(pdf, reader) if found else len(pdf)
    for number, (end, embedded) in enumerate(found, 1):
        signatures.append(PdfSignature(number, start, end, embedded))
        start = end
    return SignedPdf(pdf, reader, tuple(signatures), typeset)


def _require_flat_form(reader: PdfFileReader) -> None:
    """Raise unless the form is a short list of signatures: pyHanko walks trees of fields, which can be made endless."""
    root = reader.root
    if "/AcroForm" not in root:
        return
    fields = root["/AcroForm"]["/Fields"]
    if len(fields) > MOST_SIGNATURES:
        raise FileProblem(message("holds more than {most} signatures", most=MOST_SIGNATURES), "pdf", "")
    if any("/Kids" in fields[i] or fields[i]["/FT"] != "/Sig" for i in range(len(fields))):
        raise FileProblem("holds a form that is more than its signatures", "pdf", "")


def _first_revision(pdf: bytes, reader: PdfFileReader) -> int:
    """Return where the bytes that were typeset end: behind the end mark of the first revision and its line break."""
    if reader.xrefs.total_revisions < 2:
        raise FileProblem("holds a signature that was not added to it afterwards", "pdf", "")
    table = reader.xrefs.get_xref_container_info(0)
    mark = pdf.find(b"%%EOF\n", table.end_location)
    if mark < 0:
        raise FileProblem("has no end mark before its first signature", "pdf", "")
    return mark + len(b"%%EOF\n")


# ------------------------------------------------------------------------------- one signature


def check_signature(pdf: SignedPdf, signature: PdfSignature) -> Revision:
    """Return what SIGNATURE states where it is genuine, covers its whole revision and leaves no byte free.

    Raises SigningProblem saying what is not so.
    """
    try:
        return _checked_signature(pdf, signature)
    except DPWizardError:
        raise
    except Exception as problem:
        raise SigningProblem("cannot be read", "pdf", "") from problem


def _checked_signature(pdf: SignedPdf, signature: PdfSignature) -> Revision:
    import asyncio

    embedded = signature.embedded
    der = _covered(pdf.content, signature)
    chain = _exact_parts(embedded.signed_data, der)
    status = asyncio.run(_status(embedded, chain[0]))
    from pyhanko.sign.validation import SignatureCoverageLevel

    if not (status.intact and status.valid):
        raise SigningProblem("is not the one its certificate made over these bytes", "pdf", "")
    last = signature.end == len(pdf.content)
    if status.coverage != (SignatureCoverageLevel.ENTIRE_FILE if last else SignatureCoverageLevel.ENTIRE_REVISION):
        raise SigningProblem("does not cover its whole revision", "pdf", "")
    stated = embedded.sig_object
    return Revision(_date(str(stated["/M"])), str(stated["/Name"]), str(stated["/Reason"]), chain)


def _covered(pdf: bytes, signature: PdfSignature) -> bytes:
    """Return the signature's bytes where they alone are left out of what it covers, and only zeros follow them."""
    from asn1crypto import parser

    ranges = [int(part) for part in signature.embedded.byte_range]
    if len(ranges) != 4 or ranges[0] != 0 or not 0 < ranges[1] < ranges[2] <= signature.end <= len(pdf):
        raise SigningProblem("does not cover the bytes before and after itself", "pdf", "")
    gap = pdf[ranges[1] : ranges[2]]
    digits = gap[1:-1]
    if gap[:1] != b"<" or gap[-1:] != b">" or not re.fullmatch(rb"(?:[0-9A-F]{2})+", digits):
        raise SigningProblem("leaves bytes uncovered that are no signature", "pdf", "")
    raw = bytes.fromhex(digits.decode("ascii"))
    size = sum(map(len, parser.parse(raw)[3:6]))  # header, content and trailer of the one structure at the start
    if raw[size:].strip(b"\0"):
        raise SigningProblem("is followed by bytes that it does not cover", "pdf", "")
    if raw != signature.embedded.pkcs7_content:
        raise SigningProblem("covers other bytes than it leaves out", "pdf", "")
    return raw[:size]


def _exact_parts(signed: Any, der: bytes) -> tuple[bytes, ...]:
    """Return the certificates carried, the signer's first, where the structure around them has its one encoding."""
    (signer,) = signed["signer_infos"]
    serial = signer["sid"].chosen["serial_number"].native
    issuer = signer["sid"].chosen["issuer"].dump()
    carried = [choice.chosen for choice in signed["certificates"]]
    holders = [c for c in carried if c.serial_number == serial and c.issuer.dump() == issuer]
    if len(holders) != 1:
        raise SigningProblem("does not carry its signer's certificate once", "pdf", "")
    chain = tuple(c.dump() for c in (holders[0], *(c for c in carried if c is not holders[0])))
    digest = signer["digest_algorithm"]
    if digest["algorithm"].native != "sha256":
        raise SigningProblem("uses another hash than SHA-256", "pdf", "")
    rebuilt = cms_of(
        chain=chain,
        digest_algorithm=_plain_algorithm(digest, ("sha256",)),
        signature_algorithm=_plain_algorithm(signer["signature_algorithm"], ("sha256_ecdsa", "sha256_rsa")),
        signed_attributes=signer["signed_attrs"],
        signature=signer["signature"].native,
    )
    if rebuilt != der:
        raise SigningProblem("is written in another way than this program writes it", "pdf", "")
    return chain


def _plain_algorithm(found: Any, accepted: tuple[str, ...]) -> Any:
    """Return the algorithm FOUND, one of those ACCEPTED, anew: without anything that may be put beside it."""
    name = found["algorithm"].native
    if name not in accepted:
        raise SigningProblem("uses an algorithm that is not accepted here", "pdf", "")
    return type(found)({"algorithm": name})


async def _status(embedded: EmbeddedPdfSignature, holder: bytes) -> Any:
    """Return what pyHanko finds. Whether the certificate is trusted is judged elsewhere, so here it is taken as
    given."""
    from asn1crypto import x509
    from pyhanko.sign.validation import async_validate_pdf_signature
    from pyhanko.sign.validation.settings import KeyUsageConstraints
    from pyhanko_certvalidator import ValidationContext

    context = ValidationContext(
        trust_roots=[x509.Certificate.load(holder)], moment=_date(str(embedded.sig_object["/M"])), allow_fetching=False
    )
    anything = KeyUsageConstraints(key_usage=set(), extd_key_usage=None)
    # Its comparison of revisions is left out: a hostile file makes it take for ever, and check_revision is stricter.
    return await async_validate_pdf_signature(
        embedded, signer_validation_context=context, key_usage_settings=anything, skip_diff=True
    )


def _date(text: str) -> datetime:
    if not _DATE.match(text):
        raise SigningProblem("states a time in another form than this program writes", "pdf", "")
    try:
        return datetime.strptime(text, "D:%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
    except ValueError:
        raise SigningProblem("states a time that does not exist", "pdf", "") from None


# -------------------------------------------------------------------------------- one revision


def check_revision(pdf: SignedPdf, signature: PdfSignature) -> None:
    """Raise SigningProblem unless the revision of SIGNATURE adds that signature and its field, and nothing else."""
    try:
        _check_revision(pdf, signature)
    except DPWizardError:
        raise
    except Exception as problem:
        raise SigningProblem("cannot be read", "pdf", "") from problem


def _check_revision(pdf: SignedPdf, signature: PdfSignature) -> None:
    number = signature.number
    if pdf.reader.xrefs.total_revisions != len(pdf.signatures) + 1 or pdf.reader.xrefs.hybrid_xrefs_present:
        raise SigningProblem("stands among more or fewer revisions than there are signatures", "pdf", "")
    found = _objects(pdf.content[signature.start : signature.end], signature.start)
    if found != {ref.idnum for ref in pdf.reader.xrefs.explicit_refs_in_revision(number)}:
        raise SigningProblem("holds objects that its table does not list", "pdf", "")
    before, after = (pdf.reader.get_historical_resolver(revision) for revision in (number - 1, number))
    root = pdf.reader.root_ref.idnum
    for revision in (number - 1, number):
        _check_trailer(pdf.reader.trailer.flatten(revision), pdf.reader.trailer.flatten(0))
    new_root = _at(after, root)
    form = new_root.raw_get("/AcroForm").reference.idnum
    fields = _at(after, form)["/Fields"]
    added = fields[-1] if not hasattr(fields, "raw_get") else fields.raw_get(len(fields) - 1)
    field = added.reference.idnum
    content = _at(after, field)
    value, page = content.raw_get("/V").reference.idnum, content.raw_get("/P").reference.idnum
    _check_field(content, number)
    _check_value(_at(after, value), pdf.content, signature, value)
    allowed = {root, form, field, value, page} | _check_page(before, after, page, added)
    if not {field, value} <= found <= allowed or not (_is_new(pdf, field, number) and _is_new(pdf, value, number)):
        raise SigningProblem("changes more than the signature it adds", "pdf", "")
    old_root = _at(before, root)
    if number == 1:
        same = "/AcroForm" not in old_root and _written(_without(new_root, "/AcroForm")) == _written(old_root)
        old_fields: list[bytes] = []
    else:
        same = _written(new_root) == _written(old_root)
        old_fields = _items(_at(before, form)["/Fields"])
    if not same:
        raise SigningProblem("changes the document beside the signature it adds", "pdf", "")
    form_keys = set(_at(after, form))
    if (
        form_keys != {"/Fields", "/SigFlags"}
        or _at(after, form)["/SigFlags"] != 3
        or _items(fields) != [*old_fields, _written(added)]
    ):
        raise SigningProblem("changes the form beside the signature it adds", "pdf", "")


def _check_trailer(trailer: Any, first: Any) -> None:
    for key in ("/Root", "/Info"):
        if (key in trailer) != (key in first) or (
            key in first and _written(trailer.raw_get(key)) != _written(first.raw_get(key))
        ):
            raise SigningProblem("points to another document than the one typeset", "pdf", "")
    if not set(trailer) <= TRAILER_KEYS:
        raise SigningProblem("says more in its trailer than a signature needs", "pdf", "")


def _check_field(field: Any, number: int) -> None:
    plain = {"/FT": b"/Sig", "/Type": b"/Annot", "/Subtype": b"/Widget", "/F": b"132", "/Rect": b"[ 0 0 0 0 ]"}
    right = set(field) == FIELD_KEYS and all(_written(field.raw_get(key)) == text for key, text in plain.items())
    if not right or field["/T"] != field_name(number) or field["/TU"] != field_title(number):
        raise SigningProblem("adds a field that is not the signature's", "pdf", "")


def _check_value(value: Any, pdf: bytes, signature: PdfSignature, idnum: int) -> None:
    plain = {"/Type": b"/Sig", "/Filter": b"/Adobe.PPKLite", "/SubFilter": MARK}
    right = set(value) == SIGNATURE_KEYS and all(_written(value.raw_get(key)) == text for key, text in plain.items())
    head = b"%d 0 obj\n<<\n/Contents " % idnum
    gap = int(signature.embedded.byte_range[1])
    if not right or pdf[gap - len(head) : gap] != head:
        raise SigningProblem("adds a signature that is not of the form this program writes", "pdf", "")


def _check_page(before: Any, after: Any, page: int, added: Any) -> set[int]:
    """Check that the page gained the field as its last annotation; return the objects that hold annotations."""
    old, new = _at(before, page), _at(after, page)
    if _written(_without(old, "/Annots")) != _written(_without(new, "/Annots")):
        raise SigningProblem("changes the page beside the signature it adds", "pdf", "")
    old_items = _items(old["/Annots"]) if "/Annots" in old else []
    if _items(new["/Annots"]) != [*old_items, _written(added)]:
        raise SigningProblem("changes what is on the page beside the signature it adds", "pdf", "")
    held = new.raw_get("/Annots")
    if not hasattr(held, "reference"):
        return set()
    if "/Annots" in old and _written(old.raw_get("/Annots")) != _written(held):
        raise SigningProblem("changes where the page keeps its annotations", "pdf", "")
    return {held.reference.idnum}


def _objects(revision: bytes, offset: int) -> set[int]:
    """Return the numbers of the objects in a REVISION that holds them, their table, its end, and nothing else."""
    position, places = 0, dict[int, int]()
    while head := _OBJECT.match(revision, position):
        end = revision.find(b"\nendobj\n", head.end())
        if end < 0 or int(head[1]) in places:
            raise SigningProblem("holds an object that does not end, or twice the same", "pdf", "")
        places[int(head[1])] = offset + position
        position = end + len(b"\nendobj\n")
    table = offset + position
    if revision[position : position + 5] != b"xref\n":
        raise SigningProblem("holds bytes that are no object", "pdf", "")
    listed, position = _table(revision, position + 5)
    if revision[position : position + 8] != b"trailer\n" or listed != places:
        raise SigningProblem("has a table that does not fit its objects", "pdf", "")
    tail = _TAIL.search(revision, position)
    if not tail or tail.end() != len(revision) or int(tail[1]) != table or revision.count(b"%%EOF", position) != 1:
        raise SigningProblem("does not end where its end mark stands", "pdf", "")
    return set(places)


def _table(revision: bytes, position: int) -> tuple[dict[int, int], int]:
    """Return where the cross-reference table at POSITION says the objects are, and where it ends."""
    listed: dict[int, int] = {}
    while section := _SECTION.match(revision, position):
        position = section.end()
        for number in range(int(section[1]), int(section[1]) + int(section[2])):
            entry = _ENTRY.match(revision, position)
            if not entry or (entry[3] == b"f") != (number == 0):
                raise SigningProblem("has a table that cannot be read", "pdf", "")
            if number:
                listed[number] = int(entry[1])
            position = entry.end()
    return listed, position


def _at(resolver: Any, number: int) -> Any:
    from pyhanko.pdf_utils.generic import Reference

    return resolver.get_object(Reference(number, 0, resolver))


def _is_new(pdf: SignedPdf, number: int, revision: int) -> bool:
    from pyhanko.pdf_utils.generic import Reference

    return bool(pdf.reader.xrefs.get_introducing_revision(Reference(number, 0, pdf.reader)) == revision)


def _without(dictionary: Any, key: str) -> Any:
    from pyhanko.pdf_utils import generic

    make: Any = generic.DictionaryObject
    return make({name: dictionary.raw_get(name) for name in dictionary if name != key})


def _items(array: Any) -> list[bytes]:
    return [_written(array.raw_get(position)) for position in range(len(array))]


def _written(value: Any) -> bytes:
    """Return VALUE as PDF spells it, references unresolved: equal bytes are equal values."""
    out = io.BytesIO()
    value.write_to_stream(out, None)
    return out.getvalue().strip()
