"""What was typeset, read once: the objects a signature builds on, the file attached, and that nothing in it acts.

Only the bytes before the first signature are read here. They must be of the one plain form that the typesetter
writes, so that every reader of PDF finds the same objects in them.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

from dpwizard import json_text
from dpwizard.errors import DPWizardError, FileProblem
from dpwizard.messages import message
from dpwizard.records import DOCUMENT
from dpwizard.report import pdf_objects, signature_places, versions

MOST_OBJECTS = 20_000
MOST_PLACES = 18
DEEPEST = 60  # dictionaries and lists inside one another, and pages in a tree
LONGEST_SHOWN = 60  # letters of a name that are said
# nor what turns the direction of writing around
_PLAIN = re.compile(r"[^\\/:\x00-\x1f\x7f\u202a-\u202e\u2066-\u2069]{1,255}")
_HEADER = b"%PDF-1.7\n%\x80\x80\x80\x80\n\n"
_TABLE = re.compile(rb"xref\n0 ([0-9]{1,9})\n0000000000 65535 f\r\n((?:[0-9]{10} 00000 n\r\n)*)trailer\n")
_END = re.compile(rb"startxref\n([0-9]{1,10})\n%%EOF\n?\Z")
_STREAM, _LENGTH = re.compile(rb">>\nstream\n"), re.compile(rb"/Length ([0-9]{1,9})(?![0-9 ])")
_ENTRY = 20  # bytes of one line of a table
_BEFORE = re.compile(rb"/Prev ([0-9]{1,10})[\n/>]")
MOST_TABLES = 2  # the typesetter's, and that of the places for signatures
LONGEST_TABLE = 20_000  # bytes, of one that is not plain
# what makes a reader do something, shows more than the page, or hides a part of it
ACTING = frozenset(
    {"/AA", "/OpenAction", "/JS", "/JavaScript", "/URI", "/XFA", "/NeedAppearances", "/Collection", "/Encrypt"}
    | {"/OCProperties", "/OCGs", "/OC", "/PieceInfo", "/Requirements", "/Perms", "/Threads", "/Alternates", "/Trans"}
    | {"/Movie", "/Sound", "/RichMediaContent", "/RichMediaSettings", "/3DD", "/PresSteps", "/Popup"}
)
ACTIONS = frozenset(
    {"/GoTo", "/GoToR", "/GoToE", "/GoToDp", "/Launch", "/Thread", "/URI", "/Sound", "/Movie", "/Hide", "/Named"}
    | {"/SubmitForm", "/ResetForm", "/ImportData", "/JavaScript", "/SetOCGState", "/Rendition", "/Trans"}
    | {"/GoTo3DView", "/RichMediaExecute"}
)
ANNOTATIONS = ("/Link", "/Widget")


@dataclass(frozen=True, kw_only=True)
class Empty:
    """An empty field for one signature: its object, and the place it was made for."""

    number: int
    place: signature_places.Place


class Document:
    """A PDF before its first signature; raises FileProblem where it cannot be read."""

    def __init__(self, typeset: bytes) -> None:
        self.typeset = typeset
        _require_bounded(typeset)
        self._reader = pdf_objects.reader(typeset)
        if self._reader.encrypted:
            raise FileProblem("is encrypted", "pdf", "Records of this program never are.")
        trailer = self._reader.trailer
        self.root = int(trailer.raw_get("/Root").idnum)
        self.info = int(trailer.raw_get("/Info").idnum) if "/Info" in trailer else None
        self.identifier = bytes(trailer["/ID"][0].original_bytes) if "/ID" in trailer else bytes(16)
        self.size = int(trailer["/Size"])
        self.page, self.annotations = self._first_page()
        self.form, self.places = self._places()

    @property
    def language(self) -> str:
        """Return the language the document says it is in."""
        return str(self.catalogue["/Lang"]) if "/Lang" in self.catalogue else "en"

    @functools.cached_property
    def version(self) -> int:
        """Return the version of the document that the attached record states, or today's if it states none."""
        try:
            stated = json_text.parse(self.attached()).get("document")
        except (DPWizardError, AttributeError):
            return DOCUMENT
        return stated if isinstance(stated, int) and stated in versions.TYPESETTERS else DOCUMENT

    def _first_page(self) -> tuple[int, int | None]:
        """Return the numbers of page one and of the list of its annotations, where that stands apart."""
        reference = self._reader.root.raw_get("/Pages")
        for _ in range(DEEPEST):
            node = reference.get_object()
            if "/Kids" not in node:
                held: Any = node.raw_get("/Annots") if "/Annots" in node else None
                return int(reference.idnum), int(held.idnum) if hasattr(held, "idnum") else None
            reference = node["/Kids"].raw_get(0)
        raise FileProblem("has no first page", "pdf", "")

    def _places(self) -> tuple[int, tuple[Empty, ...]]:
        """Return the number of the form, 0 without one, and the empty fields in it."""
        if "/AcroForm" not in self.catalogue:
            return 0, ()
        form, found = self.catalogue.raw_get("/AcroForm"), list[Empty]()
        fields = form.get_object()["/Fields"]
        if len(fields) > MOST_PLACES:
            raise FileProblem("holds a form that is more than places for signatures", "pdf", "")
        for index in range(len(fields)):
            field = fields[index]
            if field["/FT"] != "/Sig" or "/V" in field or "/Kids" in field:
                raise FileProblem("holds a form that is more than places for signatures", "pdf", "")
            left, bottom, right, _ = (float(edge) for edge in field["/Rect"])
            _, _, role = str(field["/T"]).partition(" ")
            place = signature_places.Place(
                role=role, title=str(field["/TU"]), left=left, bottom=bottom, width=round(right - left, 2)
            )
            found.append(Empty(number=int(fields.raw_get(index).idnum), place=place))
        return int(form.idnum), tuple(found)

    def at(self, number: int) -> Any:
        """Return the object NUMBER."""
        from pyhanko.pdf_utils.generic import Reference

        return self._reader.get_object(Reference(number, 0, self._reader))

    @property
    def catalogue(self) -> Any:
        """Return the catalogue of the document."""
        return self._reader.root

    # ------------------------------------------------------------------------ the attached file

    def attached_name(self) -> str:
        """Return what the attached file is called; raises FileProblem where there is none, or more than one."""
        return self._file()[0]

    def attached(self) -> bytes:
        """Return the one file attached; raises FileProblem where there is none, or more than one."""
        return self._file()[1]

    def _file(self) -> tuple[str, bytes]:
        try:
            files = self.catalogue["/Names"]["/EmbeddedFiles"]
            names, associated = files["/Names"], self.catalogue["/AF"]
            if set(files) != {"/Names"} or len(names) != 2 or len(associated) != 1:
                raise FileProblem("does not hold exactly one attached file", "pdf", "")
            key, plain, full = (_name(place) for place in (names[0], names[1]["/F"], names[1]["/UF"]))
            # beyond ASCII the two are written differently
            if key != plain or (plain != full and (plain.isascii() or full.isascii())):
                raise FileProblem("calls the attached file by different names", "pdf", "")
            kept = names[1]["/EF"]
            first, second = (pdf_objects.written(each.raw_get(at)) for each, at in ((associated, 0), (names, 1)))
            if first != second or len({pdf_objects.written(kept.raw_get(each)) for each in kept}) != 1:
                raise FileProblem("names different files as the attached one", "pdf", "")
            return full, bytes(kept["/F"].data)
        except DPWizardError:
            raise
        except Exception as problem:
            raise FileProblem("holds no attached file that can be read", "pdf", "") from problem

    # -------------------------------------------------------------------- nothing in it that acts

    def require_plain(self) -> None:
        """Raise FileProblem unless every reader finds the same objects here, and none acts or hides anything."""
        try:
            _require_plain_form(self._without_places())
            files = sum(self._found_in(self.at(number), number) for number in range(1, self.size))
        except DPWizardError:
            raise
        except Exception as problem:
            raise FileProblem("holds objects that cannot be read", "pdf", "") from problem
        if files > 1:
            raise FileProblem("holds a second file", "pdf", "")

    def _without_places(self) -> bytes:
        """Return what the typesetter wrote; raises FileProblem where more follows than the places it has."""
        if not self.form:
            return self.typeset.removesuffix(b"\n")
        before = int(self._reader.trailer["/Prev"])
        end = self.typeset.index(b"%%EOF\n", before) + len(b"%%EOF\n")
        written_by_us = signature_places.with_places(self.typeset[:end], tuple(one.place for one in self.places))
        if written_by_us != self.typeset:
            raise FileProblem("holds a form that is more than places for signatures", "pdf", "")
        return self.typeset[: end - 1]

    def _found_in(self, thing: Any, number: int, depth: int = 0) -> int:
        """Return how many files are embedded in THING, the object NUMBER or a part of it; raise if it acts."""
        if depth > DEEPEST:
            raise FileProblem("nests its objects too deeply", "pdf", "")
        if hasattr(thing, "keys"):
            keys = set(thing.keys())
            kind, under = str(thing.get("/Type", "")), str(thing.get("/Subtype", ""))
            action = str(thing.get("/S", "")) if "/S" in keys else ""
            if keys & ACTING or action in ACTIONS or kind in ("/Action", "/OCG", "/OCMD"):
                raise FileProblem("holds an action, a script or a hidden layer", "pdf", "")
            if kind == "/Annot" and (under not in ANNOTATIONS or "/A" in keys):
                raise FileProblem("holds an annotation that is no link within it", "pdf", "")
            if "/AF" in keys and number != self.root:
                raise FileProblem("holds a file attached to a part of it", "pdf", "")
            inner = [thing.raw_get(key) for key in thing]
            return (kind == "/EmbeddedFile") + sum(self._found_in(each, number, depth + 1) for each in inner)
        if hasattr(thing, "raw_get"):
            inner = [thing.raw_get(index) for index in range(len(thing))]
            return sum(self._found_in(each, number, depth + 1) for each in inner)
        return 0


def _require_bounded(typeset: bytes) -> None:
    """Raise unless TYPESET ends where its end mark stands and has few tables, short or plain ones.

    pyHanko goes through whatever follows the end mark, and through tables of a million parts, for seconds.
    """
    end = _END.search(typeset, max(0, len(typeset) - 40))
    place: int | None = int(end[1]) if end else None
    for _ in range(MOST_TABLES):
        if place is None or not typeset.startswith(b"xref\n", place):
            break
        begins, plain = typeset.find(b"trailer\n", place), _TABLE.match(typeset, place)
        trailer = typeset[begins : typeset.find(b"startxref\n", begins)]
        short = begins - place <= LONGEST_TABLE or (plain is not None and int(plain[1]) <= MOST_OBJECTS)
        if begins < 0 or not short or len(trailer) > LONGEST_TABLE or b"#" in trailer or b"/XRefStm" in trailer:
            break
        before = _BEFORE.search(trailer)
        if before is None and b"/Prev" not in trailer:
            return
        place = int(before[1]) if before else None
    raise FileProblem("is not written as the typesetter writes", "pdf", "")


def _require_plain_form(typeset: bytes) -> None:
    """Raise unless TYPESET is objects, each listed once where it stands, one table and one trailer, and no more."""
    end = _END.search(typeset, max(0, len(typeset) - 40))
    table = _TABLE.match(typeset, int(end[1])) if end else None
    if end is None or table is None or not typeset.startswith(_HEADER) or typeset.count(b"%%EOF") < 1:
        raise FileProblem("is not written as the typesetter writes", "pdf", "")
    places = [int(table[2][at : at + 10]) for at in range(0, len(table[2]), _ENTRY)]
    trailer = typeset[table.end() : end.start()]
    plain = (
        trailer.startswith(b"<<") and trailer.endswith(b">>\n") and b"%" not in trailer and b"\n" not in trailer[:-1]
    )
    if int(table[1]) != len(places) + 1 or not plain or len(places) > MOST_OBJECTS:
        raise FileProblem("has a table that does not fit its objects", "pdf", "")
    order = sorted(range(len(places)), key=places.__getitem__)
    ends = [*(places[which] for which in order[1:]), table.start()]
    starts = len(_HEADER)
    for which, stop in zip(order, ends, strict=True):
        begins, head = places[which], b"%d 0 obj\n" % (which + 1)
        if begins != starts or not typeset.startswith(head, begins) or not _is_one(typeset[begins + len(head) : stop]):
            raise FileProblem("holds bytes that its table does not list", "pdf", "")
        starts = stop


def _is_one(body: bytes) -> bool:
    """Return whether BODY is that of one object: with a stream exactly as long as it says, or with no other in it."""
    packed = _STREAM.search(body)
    if packed is None:
        return body.endswith(b"\nendobj\n") and (body.count(b"endobj") == 1 or _unquoted(body).count(b"endobj") == 1)
    long = _LENGTH.findall(body, 0, packed.end())
    return len(long) == 1 and body[packed.end() + int(long[0]) :] == b"\nendstream\nendobj\n"


def _unquoted(body: bytes) -> bytes:
    """Return BODY without what stands in its strings, where somebody's text may say anything."""
    body = re.sub(rb"\\.", b"", body, flags=re.DOTALL)
    for _ in range(DEEPEST):  # each round takes the innermost ones
        body = re.sub(rb"\([^()]*\)", b"", body)
    return body


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
