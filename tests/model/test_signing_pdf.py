"""A signature in the PDF: what it leaves as it was, and what counts as one."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from typing import Any

import pytest
from pyhanko.pdf_utils import generic
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.reader import PdfFileReader

from dpwizard.errors import FileProblem
from dpwizard.signing import RecordFiles
from dpwizard.signing.pdf_revisions import check_revision, check_signature, open_pdf
from dpwizard.signing.pdf_signature import sign_pdf
from dpwizard.signing.record_files import verify
from dpwizard.signing.signing import verify_record
from tests.samples.signed_record import JSON, NOW, SOURCE, people, pyhanko_signed, signed, typeset


def one_more(pdf: bytes, number: int, who: int = 1) -> bytes:
    """Return PDF signed by a program that builds on whatever lies there."""
    return pyhanko_signed(pdf, number, people()[who], "approves: approve")


def updated(pdf: bytes, change: Any) -> bytes:
    """Return PDF with an update appended that CHANGE (a function of the writer) makes."""
    writer = IncrementalPdfFileWriter(io.BytesIO(pdf))
    change(writer)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def verdict(pdf: bytes) -> str:
    found = verify_record(None, pdf, None)
    assert found.sentence
    return found.verdict


def test_signing_keeps_every_byte_before_and_adds_one_revision_each() -> None:
    pdf = typeset()
    for count in (1, 2, 3):
        after = signed(count).pdf_bytes
        assert after.startswith(pdf)
        pdf = after
    opened = open_pdf(pdf)
    assert len(opened.signatures) == 3
    assert opened.typeset_bytes == len(typeset()) + 1  # Typst's last line has no line break; signing adds it
    assert opened.attached() == JSON


def test_title_version_tags_and_metadata_stay_as_typeset() -> None:
    before, after = (PdfFileReader(io.BytesIO(pdf)) for pdf in (typeset(), signed(3).pdf_bytes))
    assert after.input_version == before.input_version == (1, 7)
    assert "/Version" not in after.root
    for key in (
        "/Metadata",
        "/StructTreeRoot",
        "/MarkInfo",
        "/Lang",
        "/ViewerPreferences",
        "/OutputIntents",
        "/Names",
        "/AF",
    ):
        assert repr(after.root.raw_get(key)) == repr(before.root.raw_get(key))
    assert after.root["/Metadata"].data == before.root["/Metadata"].data
    assert dict(after.trailer["/Info"]) == dict(before.trailer["/Info"])


def test_the_field_takes_no_room_and_is_printable_and_described() -> None:
    fields = PdfFileReader(io.BytesIO(signed(2).pdf_bytes)).root["/AcroForm"]["/Fields"]
    for number in (1, 2):
        field = fields[number - 1]
        assert list(field["/Rect"]) == [0, 0, 0, 0]
        assert field["/F"] & 4  # PDF/A: printed
        assert not field["/F"] & (1 | 2 | 32)  # PDF/A: not invisible, hidden or shown on no screen
        assert field["/TU"] == f"Signature {number}"
        assert "/AP" not in field


def test_the_only_time_written_is_the_one_stated() -> None:
    added = signed(3).pdf_bytes[len(typeset()) :]
    assert re.findall(rb"[0-9]{14}Z", added) == [b"20260301120000Z"] * 3
    assert b"Date" not in added


def test_the_same_signer_and_time_write_the_same_but_for_identifier_and_signature() -> None:
    first, second = (one_more(typeset(), 1) for _ in range(2))
    varying = [rb"/Contents <[0-9A-F]+>", rb"/ID \[.*?\]"]
    for pattern in varying:
        first, second = (re.sub(pattern, b"", pdf) for pdf in (first, second))
    assert first == second


@pytest.mark.parametrize("junk", [b"", b"no PDF", b"%PDF-1.7\n", bytes(1000), b"%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"])
def test_bytes_that_are_no_pdf_are_refused_in_words(junk: bytes) -> None:
    with pytest.raises(FileProblem):
        sign_pdf(pdf=junk, identity=people()[0], number=1, time=NOW, reason="a: b")
    with pytest.raises(FileProblem):
        open_pdf(junk)
    assert verdict(junk) == "changed"


# --------------------------------------------------------------------------------- what is added later


def _retitle(writer: Any) -> None:
    writer.root["/Lang"] = generic.TextStringObject("de")
    writer.update_root()


def _annotate(writer: Any) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    note = generic.DictionaryObject(
        {
            generic.pdf_name("/Type"): generic.pdf_name("/Annot"),
            generic.pdf_name("/Subtype"): generic.pdf_name("/FreeText"),
        }
    )
    page["/Annots"].append(writer.add_object(note))
    writer.update_container(page["/Annots"])


def _repaint(writer: Any) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    page[generic.pdf_name("/Contents")] = writer.add_object(
        generic.StreamObject(stream_data=b"1 0 0 rg 0 0 900 900 re f")
    )
    writer.update_container(page)


def _replace_page_object(writer: Any) -> None:
    page = writer.root["/Pages"]["/Kids"][0]
    reference = page.raw_get("/Contents").reference
    writer.objects[(reference.generation, reference.idnum)] = generic.StreamObject(stream_data=b"0 0 900 900 re f")


def _swap_attachment(writer: Any) -> None:
    described = writer.root["/Names"]["/EmbeddedFiles"]["/Names"][1]
    stream = writer.add_object(generic.StreamObject(stream_data=JSON.replace(b"2.19", b"9.99")))
    for key in list(described["/EF"]):
        described["/EF"][generic.pdf_name(key)] = stream
    writer.update_container(described)


def _add_attachment(writer: Any) -> None:
    names = writer.root["/Names"]["/EmbeddedFiles"]["/Names"]
    names.append(generic.TextStringObject("other.json"))
    names.append(names.raw_get(1))
    writer.update_container(names)


def called(name: str, key: str | None = None, *, typed: bytes | None = None) -> Any:
    """Return a change that calls the attached file NAME: everywhere, or in KEY of its description alone."""

    def change(writer: Any) -> None:
        names = writer.root["/Names"]["/EmbeddedFiles"]["/Names"]
        said = generic.TextStringObject(name) if typed is None else generic.ByteStringObject(typed)
        if key is None:
            names[0] = said
            writer.update_container(names)
        for each in ("/F", "/UF") if key is None else (key,):
            names[1][generic.pdf_name(each)] = said
        writer.update_container(names[1])

    return change


PATHS = (
    "../../x.json",
    "/etc/passwd",
    "C:\\x.json",
    "\\\\host\\x.json",
    "a:b",
    "..",
    ".",
    "",
    "a\x00.json",
    "a\nb",
    "x" * 10_000,
    "nosj.\u202eexe",
)


@pytest.mark.parametrize("name", PATHS, ids=[ascii(name)[:20] for name in PATHS])
def test_a_file_attached_under_a_path_is_refused_in_words_and_nothing_is_written(
    name: str, tmp_path: Any, monkeypatch: Any
) -> None:
    inside = tmp_path / "a" / "b" / "c"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    (inside / "record.json").write_bytes(JSON)
    hostile = updated(typeset(), called(name))
    (inside / "record.pdf").write_bytes(hostile)
    with pytest.raises(FileProblem, match="no plain name") as problem:
        open_pdf(hostile).attached()
    assert len(str(problem.value)) < 250
    assert str(problem.value).isprintable()
    found = verify(RecordFiles.beside(inside / "record.pdf"), (), NOW)
    assert not found.ok
    assert any(one.check == "attachment" and one.ok is False and "no plain name" in one.why for one in found.findings)
    assert sorted(path.name for path in tmp_path.rglob("*") if path.is_file()) == ["record.json", "record.pdf"]


def test_an_attached_file_of_two_names_is_refused_and_odd_plain_names_are_read() -> None:
    for key in ("/F", "/UF"):
        with pytest.raises(FileProblem, match="different names"):
            open_pdf(updated(typeset(), called("other.json", key))).attached()
    with pytest.raises(FileProblem, match="no plain name"):
        open_pdf(updated(typeset(), called("", typed=b"record.json\x00../../x"))).attached()
    for name in ("Säuglinge – 乳児 2020.json", "x" * 255, " ", ".profile"):
        source = SOURCE.replace('"record.json"', f'"{name}"')
        assert open_pdf(typeset(source=source)).attached() == JSON


def _act_on_open(writer: Any) -> None:
    action = {"/S": generic.pdf_name("/JavaScript"), "/JS": generic.TextStringObject("app.alert(1)")}
    writer.root[generic.pdf_name("/OpenAction")] = generic.DictionaryObject(
        {generic.pdf_name(k): v for k, v in action.items()}
    )
    writer.update_root()


def _new_metadata(writer: Any) -> None:
    writer.update_root()  # with the metadata that pyHanko then writes anew


def _overwrite_signature(writer: Any) -> None:
    field = writer.root["/AcroForm"]["/Fields"][0]
    field["/V"][generic.pdf_name("/Reason")] = generic.TextStringObject("approves: reject")
    writer.update_container(field["/V"])


def _drop_field(writer: Any) -> None:
    del writer.root["/AcroForm"]["/Fields"][0]
    writer.update_container(writer.root["/AcroForm"]["/Fields"])


def _drop_form(writer: Any) -> None:
    del writer.root["/AcroForm"]
    writer.update_root()


CHANGES = [
    _retitle,
    _annotate,
    _repaint,
    _replace_page_object,
    _swap_attachment,
    _add_attachment,
    _act_on_open,
    _new_metadata,
    _overwrite_signature,
    _drop_field,
    _drop_form,
]


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_appended_after_the_last_signature_is_found(change: Any) -> None:
    assert verdict(updated(signed(2).pdf_bytes, change)) == "changed"


@pytest.mark.parametrize("change", CHANGES)
def test_an_update_hidden_under_a_later_genuine_signature_is_found(change: Any) -> None:
    """The shadow attacks: whoever signs next changes what the one before signed, and signs that."""
    assert verdict(one_more(updated(signed(1).pdf_bytes, change), 2)) == "changed"


@pytest.mark.parametrize("change", CHANGES[:8])
def test_a_signature_whose_own_revision_changes_the_document_too_is_found(
    change: Any,
) -> None:
    def dishonest(writer: Any) -> None:
        change(writer)
        if change is _new_metadata:
            info = writer.trailer["/Info"]
            info[generic.pdf_name("/Title")] = generic.TextStringObject("Another title")
            writer.update_container(info)

    attacked = pyhanko_signed(signed(1).pdf_bytes, 2, people()[1], "approves: approve", dishonest)
    assert verdict(attacked) == "changed"


def test_a_first_signature_that_changes_what_was_typeset_is_found() -> None:
    assert verdict(pyhanko_signed(typeset(), 1, people()[0], "proposes: approve", _repaint)) == "changed"


def test_what_another_program_signs_in_the_same_form_is_accepted() -> None:
    assert verdict(one_more(pyhanko_signed(typeset(), 1, people()[0], "proposes: approve"), 2)) == "unchanged"


@pytest.mark.parametrize(
    "tail", [b"\n", b" ", b"\0", b"%", b"%%EOF\n", b"startxref\n0\n%%EOF\n", b"1 0 obj\n<<>>\nendobj\n"]
)
def test_bytes_appended_to_the_pdf_are_found(tail: bytes) -> None:
    assert verdict(signed(2).pdf_bytes + tail) == "changed"


def test_bytes_slipped_in_between_two_revisions_are_found() -> None:
    with_comment = signed(1).pdf_bytes + b"% a comment\n"
    assert verdict(one_more(with_comment, 2)) == "changed"


def test_a_pdf_cut_after_an_earlier_signature_is_the_record_as_it_stood_then() -> None:
    found = verify_record(None, signed(2).pdf_bytes[: len(signed(1).pdf_bytes)], None)
    assert (found.verdict, len(found.signers)) == ("unchanged", 1)


@pytest.mark.slow
def test_spare_digits_beside_the_signature_must_be_zeros() -> None:
    pdf = signed(1).pdf_bytes
    gap = re.search(rb"/Contents <([0-9A-F]+)>", pdf)
    assert gap
    for position in (gap.end(1) - 1, gap.end(1) - 200):
        for digit in b"1F":
            broken = bytearray(pdf)
            broken[position] = digit
            assert verdict(bytes(broken)) == "changed"
    lower = pdf[: gap.start(1)] + gap[1].lower() + pdf[gap.end(1) :]
    assert verdict(lower) == "changed"


def test_a_signed_pdf_that_was_rewritten_by_another_program_is_found(tmp_path: Any) -> None:
    source, target = tmp_path / "a.pdf", tmp_path / "b.pdf"
    source.write_bytes(signed(2).pdf_bytes)
    subprocess.run(["qpdf", "--linearize", str(source), str(target)], check=True, capture_output=True)
    assert verdict(target.read_bytes()) == "changed"


def test_each_revision_and_signature_of_a_record_passes_on_its_own() -> None:
    opened = open_pdf(signed(3).pdf_bytes)
    for signature, who in zip(opened.signatures, people(), strict=True):
        check_revision(opened, signature)
        stated = check_signature(opened, signature)
        assert (stated.chain[0], stated.time, stated.name) == (who.chain[0], NOW, who.certificate.name)


# ------------------------------------------------------------------------------ hostile documents


def _built(objects: dict[int, bytes], trailer: bytes = b"") -> bytes:
    out, places = b"%PDF-1.7\n%\x80\x80\x80\x80\n", {}
    for number, body in objects.items():
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % places.get(n, 0) for n in range(1, max(objects) + 1))
    size = max(objects) + 1
    end = b"trailer\n<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF\n" % (size, trailer, len(out))
    return out + b"xref\n0 %d\n0000000000 65535 f \n" % size + table + end


ROOT, PAGES = b"<</Type/Catalog/Pages 2 0 R/AcroForm 3 0 R>>", b"<</Type/Pages/Count 0/Kids[]>>"
HOSTILE = {
    "a loop of fields": _built({1: ROOT, 2: PAGES, 3: b"<</Fields[4 0 R]>>", 4: b"<</T(a)/Kids[4 0 R 4 0 R]>>"}),
    "a tree of fields that doubles": _built(
        {
            1: ROOT,
            2: PAGES,
            3: b"<</Fields[4 0 R]>>",
            **{n: b"<</T(a)/Kids[%d 0 R %d 0 R]>>" % (n + 1, n + 1) for n in range(4, 60)},
        }
    ),
    "many fields": _built({1: ROOT, 2: PAGES, 3: b"<</Fields[%s]>>" % (b"4 0 R " * 20_000), 4: b"<</FT/Sig>>"}),
    "a reference to itself": _built({1: ROOT, 2: PAGES, 3: b"3 0 R"}),
    "deep brackets": _built({1: ROOT, 2: PAGES, 3: b"<</Fields " + b"[" * 50_000 + b"]" * 50_000 + b">>"}),
    "a revision before itself": _built({1: ROOT, 2: PAGES, 3: b"<</Fields[]>>"}, b"/Prev 200"),
    "a huge number": _built({1: ROOT, 2: PAGES, 3: b"<</Fields[%s]>>" % (b"9" * 50_000)}),
    "a signature that is no signature": _built(
        {
            1: ROOT,
            2: PAGES,
            3: b"<</Fields[4 0 R]>>",
            4: b"<</FT/Sig/T(a)/V 5 0 R>>",
            5: b"<</Type/Sig/ByteRange[0 1 2 3]/Contents<%s>>>" % (b"3080" * 10_000),
        }
    ),
    "a huge table": typeset().replace(b"xref\n0 ", b"xref\n0 9999999"),
    "many end marks": typeset() + b"\n%%EOF" * 20_000,
}


@pytest.mark.parametrize("what", list(HOSTILE))
def test_a_hostile_pdf_is_judged_without_a_crash_or_a_hang(what: str) -> None:
    found = verify_record(None, HOSTILE[what], None)
    assert found.verdict in ("changed", "unsigned")
    assert not found.ok


def test_a_document_of_many_paths_is_judged_in_bounded_time() -> None:
    """Comparing revisions along every path through such a document would take two to the power of sixty steps."""
    doubling = {n: b"<</A %d 0 R/B %d 0 R>>" % (n + 1, n + 1) for n in range(10, 70)}
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/X 10 0 R>>"
    pages = b"<</Type/Pages/Count 1/Kids[3 0 R]>>"
    pdf = _built({1: b"<</Type/Catalog/Pages 2 0 R/Y 10 0 R>>", 2: pages, 3: page, **doubling, 70: b"<<>>"})
    attacked = one_more(one_more(pdf, 1), 2)
    assert len(open_pdf(attacked).signatures) == 2
    assert not verify_record(None, attacked, None).ok


@pytest.mark.parametrize("lacking", ["pyhanko.pdf_utils.reader", "pyhanko.sign.validation", "asn1crypto.parser"])
def test_an_installation_that_lacks_a_library_does_not_call_the_file_damaged(
    lacking: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, lacking, None)
    with pytest.raises(ImportError, match=re.escape(lacking)):
        verify_record(None, b"%PDF-1.7", None)


def test_an_installation_that_lacks_a_library_does_not_refuse_the_file_to_be_signed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pyhanko.sign.signers.pdf_cms", None)
    with pytest.raises(ImportError):
        sign_pdf(pdf=typeset(), identity=people()[0], number=1, time=NOW, reason="a: b")
