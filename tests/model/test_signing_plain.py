"""What was typeset acts on nothing: what a first signer puts into the pages is refused, genuinely signed or not."""

from __future__ import annotations

import re

import pytest

from dpwizard.errors import FileProblem
from dpwizard.signing.pdf_revisions import open_pdf
from dpwizard.signing.pdf_text import _of_stream
from dpwizard.signing.signing import verify_record
from tests.samples.signed_record import people, pyhanko_signed, signed, typeset

OBJECT = re.compile(rb"(?<=\n)([0-9]+) 0 obj\n(.*?)\nendobj\n", re.DOTALL)
FORM = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 0>>stream\n\nendstream"


def rewritten(pdf: bytes, changes: dict[str, bytes], *more: bytes, between: bytes = b"") -> bytes:
    """Return PDF as the typesetter would write it with keys put into its catalogue or page, and objects MORE.

    CHANGES are by the kind of object that they are put into; BETWEEN stands before its second object.
    """
    parts = {int(found[1]): found[2] for found in OBJECT.finditer(pdf)}
    for kind, text in changes.items():
        number = next(n for n, body in parts.items() if re.match(rb"<</Type/%s\b(?!s)" % kind.encode(), body))
        parts[number] = parts[number].replace(b"<<", b"<<" + text.replace(b"NEW", b"%d" % (max(parts) + 1)), 1)
    for body in more:
        parts[max(parts) + 1] = body
    out, places = pdf[: pdf.index(b"1 0 obj")], {}
    for number, body in sorted(parts.items()):
        out += between if number == 2 else b""
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n\r\n" % places[number] for number in sorted(parts))
    trailer = re.sub(
        rb"/Size \d+", b"/Size %d" % (len(parts) + 1), pdf[pdf.rindex(b"trailer\n") : pdf.rindex(b"startxref")]
    )
    end = b"startxref\n%d\n%%%%EOF" % len(out)
    return out + b"xref\n0 %d\n0000000000 65535 f\r\n" % (len(parts) + 1) + table + trailer + end


HOSTILE = {
    "a script on opening": ({"Catalog": b"/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>"}, ()),
    "an address on opening": ({"Catalog": b"/OpenAction<</S/URI/URI(http://a)>>"}, ()),
    "a page to begin with": ({"Catalog": b"/OpenAction[NEW 0 R/Fit]"}, (b"null",)),
    "an action of the document": ({"Catalog": b"/AA<</WP NEW 0 R>>"}, (b"<</Type/Action/S/Launch/F(x)>>",)),
    "an action of a page": ({"Page": b"/AA<</O NEW 0 R>>"}, (b"<</S/JavaScript/JS(1)>>",)),
    "a named script": ({"Catalog": b"/Foo<</JavaScript NEW 0 R>>"}, (b"<</Names[(a) <</S/JavaScript/JS(1)>>]>>",)),
    "layers": ({"Catalog": b"/OCProperties<</OCGs[NEW 0 R]/D<<>>>>"}, (b"<</Type/OCG/Name(a)>>",)),
    "a layer alone": ({"Page": b"/Foo NEW 0 R"}, (b"<</Type/OCG/Name(a)>>",)),
    "a file attached to a page": ({"Page": b"/AF[NEW 0 R]"}, (b"<</Type/Filespec/F(a)/UF(a)>>",)),
    "a second file": ({"Page": b"/Foo NEW 0 R"}, (b"<</Type/EmbeddedFile/Length 1>>stream\na\nendstream",)),
    "a file in an annotation": ({"Page": b"/Foo NEW 0 R"}, (b"<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]>>",)),
    "a stamp over the page": ({"Page": b"/Foo NEW 0 R"}, (b"<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]>>",)),
    "a link that acts": ({"Page": b"/Foo NEW 0 R"}, (b"<</Type/Annot/Subtype/Link/A<</S/URI/URI(http://a)>>>>",)),
    "another form": ({"Catalog": b"/AcroForm<</Fields[]/XFA NEW 0 R>>"}, (FORM,)),
    "a form of text": ({"Catalog": b"/AcroForm<</Fields[NEW 0 R]>>"}, (b"<</FT/Tx/T(a)/V(REJECTED)>>",)),
    "a collection": ({"Catalog": b"/Collection<</Type/Collection>>"}, ()),
    "a page that turns itself": ({"Page": b"/Trans<</S/Fade>>/Dur 1"}, ()),
}


def test_what_was_typeset_and_the_same_written_again_are_plain() -> None:
    open_pdf(typeset()).document.require_plain()
    again = rewritten(typeset(), {})
    assert again == typeset()
    open_pdf(again).document.require_plain()


@pytest.mark.parametrize("what", HOSTILE)
def test_a_first_revision_that_acts_hides_or_holds_more_is_refused_alone_and_signed(what: str) -> None:
    changes, more = HOSTILE[what]
    hostile = rewritten(typeset(), changes, *more)
    with pytest.raises(FileProblem):
        open_pdf(hostile).document.require_plain()
    assert verify_record(None, pyhanko_signed(hostile, 1, people()[0], "proposes: approve"), None).verdict == "changed"


AMBIGUOUS = {
    "a comment between objects": lambda pdf: rewritten(pdf, {}, between=b"% a comment\n"),
    "an object within another": lambda pdf: rewritten(pdf, {"Page": b"/Foo(endobj)>>endobj 1 0 obj<</Bar 1"}),
    "an object twice": lambda pdf: rewritten(pdf, {}, between=b"1 0 obj\n<<>>\nendobj\n"),
    "another head": lambda pdf: pdf.replace(b"%PDF-1.7", b"%PDF-1.4", 1),
    "bytes before the head": lambda pdf: b"\n" + pdf,
    "a second end": lambda pdf: pdf + b"\nstartxref\n0\n%%EOF",
    "a comment in the trailer": lambda pdf: pdf.replace(b"trailer\n<<", b"trailer\n%\n<<", 1),
}


@pytest.mark.parametrize("what", AMBIGUOUS)
def test_a_first_revision_that_readers_may_read_in_two_ways_is_refused(what: str) -> None:
    hostile = AMBIGUOUS[what](typeset())
    assert hostile != typeset()
    with pytest.raises(FileProblem):
        open_pdf(hostile).document.require_plain()


def test_a_text_may_say_what_ends_an_object() -> None:
    open_pdf(rewritten(typeset(), {"Page": b"/Foo(a\\)(endobj) endobj 1 0 obj)"})).document.require_plain()


def test_a_section_more_before_the_first_signature_is_refused() -> None:
    unsigned = signed(1).pdf_bytes[: len(typeset()) + 1]
    attacked = unsigned + b"9999 0 obj\n<<>>\nendobj\nxref\n9999 1\n%010d 00000 n \n" % len(unsigned)
    root = re.findall(rb"/Root (\d+ 0 R)", unsigned)[-1]
    before = unsigned[unsigned.rindex(b"startxref\n") + 10 :].split(b"\n")[0]
    place = len(unsigned) + len(b"9999 0 obj\n<<>>\nendobj\n")
    attacked += b"trailer\n<</Size 10000/Root %s/Prev %s>>\nstartxref\n%d\n%%%%EOF\n" % (root, before, place)
    with pytest.raises(FileProblem):
        open_pdf(attacked).document.require_plain()


def test_a_form_that_draws_itself_is_read_in_bounded_time() -> None:
    form = b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</a NEW 0 R>>>>/Length 11>>\n"
    form += b"stream\n/a Do /a Do\nendstream"
    number = max(int(found[1]) for found in OBJECT.finditer(typeset())) + 1
    pdf = rewritten(typeset(), {"Page": b"/Foo NEW 0 R"}, form.replace(b"NEW", b"%d" % number))
    document = open_pdf(pdf).document
    with pytest.raises(FileProblem):
        tuple(_of_stream(0, document.at(document.page), document.at(number), [100_000]))
