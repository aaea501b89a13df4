"""Empty signature fields at the foot of page one.

The typesetter draws lines with roles and names; there is a field below each. The fields are tagged, as PDF/UA requires,
and have an appearance, as PDF/A requires: a text that they are not signed yet.
"""

from __future__ import annotations

from dataclasses import dataclass

from dpwizard.report import appearance
from dpwizard.report.pdf_objects import (
    Document,
    changed,
    dictionary,
    entries,
    items,
    listed,
    number_of,
    reference,
    section,
    text,
)

FEW, MOST_ACROSS = 2, 3  # places in a row
SHEETS = {"a4": (595.2756, 841.8898), "us-letter": (612.0, 792.0)}  # points
MARGIN = 70.8661  # points: 25 mm
GAP, BETWEEN = 18.0, 10.0  # points between places in a row, and between rows
ROW = 82.0  # points: height of a place; the field is at its foot
PREFIX = "Place"


@dataclass(frozen=True, kw_only=True)
class Place:
    """A place for one signature: its role and title, and its position on page one, in points from the lower left."""

    role: str  # of the policy or predefined; "": any other signer
    title: str
    left: float
    bottom: float
    width: float


def across(count: int) -> int:
    """Return the number of places in a row, for COUNT places."""
    return FEW if count <= FEW else MOST_ACROSS


def places(roles: tuple[tuple[str, str], ...], paper: str) -> tuple[Place, ...]:
    """Return the places of ROLES, each with its title, row by row at the foot of a sheet of PAPER."""
    beside = across(len(roles))
    width = (SHEETS[paper][0] - 2 * MARGIN - (beside - 1) * GAP) / beside
    rows = -(-len(roles) // beside)
    return tuple(
        Place(
            role=role,
            title=title,
            left=round(MARGIN + (index % beside) * (width + GAP), 2),
            bottom=round(MARGIN + (rows - 1 - index // beside) * (ROW + BETWEEN), 2),
            width=round(width, 2),
        )
        for index, (role, title) in enumerate(roles)
    )


def field_name(number: int, role: str) -> str:
    """Return the name of the field of place NUMBER, from 1; a point in it would separate two names."""
    return f"{PREFIX}{number} {role}".strip().replace(".", "_")


def with_places(typeset: bytes, laid_out: tuple[Place, ...], unsigned: str) -> bytes:
    """Return the TYPESET PDF with a field for each of the places LAID_OUT, showing the text UNSIGNED.

    The fields are an incremental update.
    """
    before = typeset.removesuffix(b"\n") + b"\n"
    if not laid_out:
        return before
    pdf = Document(before)
    root = number_of(pdf.trailer["Root"])
    catalogue = pdf.entries_at(root)
    page, tree = first_page(pdf), number_of(catalogue["StructTreeRoot"])
    structure = pdf.entries_at(tree)
    top = number_of(items(structure["K"])[0])
    key, size = int(structure["ParentTreeNextKey"]), int(pdf.trailer["Size"])
    form, annotations, empty = size, size + 1, size + 2
    drawn = appearance.objects(empty, (unsigned,), laid_out[0].width)
    fields = [max(drawn) + 1 + 2 * index for index in range(len(laid_out))]
    parents = [b"%d %d 0 R" % (key + index, field + 1) for index, field in enumerate(fields)]
    numbered = items(entries(structure["ParentTree"])["Nums"])
    objects = {
        root: changed(pdf.at(root), AcroForm=reference(form)),
        page: changed(pdf.at(page), Annots=reference(annotations)),
        form: dictionary(Fields=listed(map(reference, fields)), SigFlags=b"3"),
        annotations: listed([*annotations_of(pdf, page), *map(reference, fields)]),
        **drawn,
        tree: changed(
            pdf.at(tree),
            ParentTree=dictionary(Nums=listed([*numbered, *parents])),
            ParentTreeNextKey=b"%d" % (key + len(laid_out)),
        ),
        top: changed(
            pdf.at(top), K=listed([*items(pdf.entries_at(top)["K"]), *(reference(field + 1) for field in fields)])
        ),
    }
    for index, (place, field) in enumerate(zip(laid_out, fields, strict=True)):
        objects[field] = dictionary(
            FT=b"/Sig",
            T=text(field_name(index + 1, place.role)),
            Type=b"/Annot",
            Subtype=b"/Widget",
            F=b"132",
            Rect=b"[ %.2f %.2f %.2f %.2f ]"
            % (place.left, place.bottom, place.left + place.width, place.bottom + appearance.FIELD),
            P=reference(page),
            TU=text(place.title),
            StructParent=b"%d" % (key + index),
            AP=dictionary(N=reference(empty)),
        )
        objects[field + 1] = dictionary(
            Type=b"/StructElem",
            S=b"/Form",
            P=reference(top),
            Alt=text(place.title),
            K=dictionary(Type=b"/OBJR", Obj=reference(field), Pg=reference(page)),
        )
    update, _ = section(
        objects,
        len(before),
        Size=b"%d" % (fields[-1] + 2),
        Root=pdf.trailer["Root"],
        Info=pdf.trailer["Info"],
        ID=pdf.trailer["ID"],
        Prev=b"%d" % pdf.table,
    )
    return before + update


def first_page(pdf: Document) -> int:
    """Return the number of page one."""
    number = number_of(pdf.entries_at(number_of(pdf.trailer["Root"]))["Pages"])
    while "Kids" in (node := pdf.entries_at(number)):
        number = number_of(items(node["Kids"])[0])
    return number


def annotations_of(pdf: Document, page: int) -> list[bytes]:
    """Return the annotations of a PAGE, which are in the page or in a separate object."""
    spelled = pdf.entries_at(page).get("Annots", b"[ ]")
    return items(spelled if spelled.startswith(b"[") else pdf.at(number_of(spelled)))
