"""Attacks on a record, made anew by each run: none of them passes. Each row says who can do it and what meets it."""

from __future__ import annotations

import base64
import random
import re
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from dpwizard.base import json_text
from dpwizard.report.pdf_objects import Document, dictionary, reference, section, stream
from dpwizard.signing import RecordFiles, signature_log
from dpwizard.signing.findings import Verification
from dpwizard.signing.signature import read_signature
from tests.samples.attacks import Steps, forge, leaves, put, unreadable_pages
from tests.samples.decisions import example, recorded
from tests.samples.signed_record import (
    DAY,
    NOW,
    ROLES,
    an_authority,
    further,
    judged,
    new,
    people,
    person,
    signed,
    small,
    trusting,
)


def unsigned(folder: Path) -> RecordFiles:
    """Return where the JSON of a record lies that nobody has signed."""
    place = signed(folder, 1)
    place.line(1).unlink()
    place.pdf.unlink()
    return place


def refused(found: Verification) -> bool:
    return found.outcome == "failed" and found.verdict in ("changed", "refused")


def test_generator_without_a_change_makes_what_the_program_makes(tmp_path: Path) -> None:
    trusted = trusting(tmp_path, *people())
    assert judged(forge(unsigned(tmp_path), Steps()), trusted).outcome == "passed"


@pytest.mark.parametrize("name", ["r.json", "r.pdf", "r.1.jws", "r.2.jws"])
def test_one_changed_byte_never_passes(tmp_path: Path, name: str) -> None:
    trusted = trusting(tmp_path, *people())
    place = signed(tmp_path)
    path = tmp_path / name
    content = path.read_bytes()
    drawn = random.Random(name)
    for at in sorted(drawn.sample(range(len(content)), 12)):
        other = bytes([content[at] ^ (1 << drawn.randrange(8))])
        path.write_bytes(content[:at] + other + content[at + 1 :])
        assert judged(place, trusted).outcome != "passed", f"{name}, byte {at}"


@pytest.mark.parametrize("name", ["r.json", "r.pdf", "r.1.jws", "r.2.jws"])
@pytest.mark.parametrize("how", ["cut", "grown", "doubled", "empty", "gone", "blank", "crlf"])
def test_damaged_file_never_passes(tmp_path: Path, name: str, how: str) -> None:
    trusted = trusting(tmp_path, *people())
    place = signed(tmp_path)
    path = tmp_path / name
    content = path.read_bytes()
    changes: dict[str, Callable[[], object]] = {
        "cut": lambda: path.write_bytes(content[:-1]),
        "grown": lambda: path.write_bytes(content + b"\n"),
        "doubled": lambda: path.write_bytes(content * 2),
        "empty": lambda: path.write_bytes(b""),
        "gone": path.unlink,
        "blank": lambda: path.write_bytes(b" " + content),
        "crlf": lambda: path.write_bytes(content.replace(b"\n", b"\r\n")),
    }
    changes[how]()
    last_gone = how == "gone" and name == "r.2.jws"
    assert judged(place, trusted).outcome != "passed" or last_gone  # see the log, below


def test_files_of_two_records_do_not_mix(tmp_path: Path) -> None:
    trusted = trusting(tmp_path, *people())
    one, other = tmp_path / "one", tmp_path / "other"
    one.mkdir(), other.mkdir()
    signed(one)
    new(other, decision=small(title="Another one"))
    further(RecordFiles(folder=other, name="r"), people()[1])
    for name in ("r.json", "r.pdf", "r.1.jws", "r.2.jws"):
        mixed = tmp_path / f"mixed {name}"
        mixed.mkdir()
        for path in one.iterdir():
            source = other / path.name if path.name == name else path
            (mixed / path.name).write_bytes(source.read_bytes())
        assert refused(judged(RecordFiles(folder=mixed, name="r"), trusted)), name


def test_lines_in_another_order_are_refused(tmp_path: Path) -> None:
    place = signed(tmp_path, 3)
    lines = [place.line(number).read_bytes() for number in (1, 2, 3)]
    for order in ((0, 2, 1), (1, 0, 2), (2, 1, 0), (0, 0, 2), (1, 1, 2)):
        for number, which in enumerate(order, 1):
            place.line(number).write_bytes(lines[which])
        assert refused(judged(place))


def _repaint(content: bytes) -> bytes:
    """Add a section that replaces what page one shows."""
    pdf = Document(content)
    page = next(number for number in range(1, int(pdf.trailer["Size"])) if b"/Type/Page/" in pdf.at(number))
    other = int(pdf.trailer["Size"])
    objects = {
        page: dictionary(**(pdf.entries_at(page) | {"Contents": reference(other)})),
        other: stream(b"BT /f0 40 Tf 100 400 Td (epsilon 0.1) Tj ET"),
    }
    added, _ = section(
        objects,
        len(content),
        Size=b"%d" % (other + 1),
        Root=pdf.trailer["Root"],
        ID=pdf.trailer["ID"],
        Prev=b"%d" % pdf.table,
    )
    return content + added


def _catalog(content: bytes, **more: bytes) -> bytes:
    """Add a section whose catalog says more."""
    pdf = Document(content)
    root = int(pdf.trailer["Root"].split()[0])
    added, _ = section(
        {root: dictionary(**(pdf.entries_at(root) | more))},
        len(content),
        Size=pdf.trailer["Size"],
        Root=pdf.trailer["Root"],
        ID=pdf.trailer["ID"],
        Prev=b"%d" % pdf.table,
    )
    return content + added


def _in_a_stream(content: bytes) -> bytes:
    """Change the text in the last compressed stream that can be: same length, other bytes."""
    for found in reversed(list(re.finditer(rb"/Filter/FlateDecode[^>]*>>\nstream\n(.*?)\nendstream", content, re.S))):
        packed = found[1]
        text = zlib.decompress(packed)
        for level in range(10):
            again = zlib.compress(text.replace(b"0", b"1", 1), level)
            if len(again) <= len(packed):
                return content[: found.start(1)] + again.ljust(len(packed), b"\0") + content[found.end(1) :]
    raise AssertionError("no stream can be changed")


PAGES: dict[str, Callable[[bytes], bytes]] = {
    "an increment that repaints page one": _repaint,
    "another text in a stream": _in_a_stream,
    "the pages of another record": lambda _: unreadable_pages(),
    "a title of its own": lambda content: content.replace(b"/Title(", b"/TitlE(", 1),
    "a script when it opens": lambda content: _catalog(content, OpenAction=b"<</S/JavaScript/JS(x)>>"),
    "a layer": lambda content: _catalog(content, OCProperties=b"<</OCGs[]/D<<>>>>"),
    "a file that opens with it": lambda content: _catalog(content, AF=b"[]"),
    "a second hidden file": lambda content: _catalog(content, Names=b"<</EmbeddedFiles<</Names[]>>>>"),
    "a former version before it": lambda content: content + content,
    "something behind its end": lambda content: content + b"PK\x03\x04",
    "a comment after the header": lambda content: content.replace(b"%\x80\x80\x80\x80", b"%\x80\x80\x80\x81", 1),
    "another font size": lambda content: content.replace(b"/FontBBox[", b"/FontBBoX[", 1),
    "another attachment name": lambda content: content.replace(b"(r.json)", b"(s.json)", 1),
    "another language": lambda content: content.replace(b"/Lang(en)", b"/Lang(de)", 1),
    "another entry of the table": lambda content: content.replace(b" 00000 n", b" 00001 n", 1),
    "another identifier": lambda content: re.sub(rb"/ID\[\((.)", b"/ID[(x", content, count=1),
}


@pytest.mark.parametrize("what", PAGES)
def test_pages_that_do_not_follow_are_refused(tmp_path: Path, what: str) -> None:
    found = judged(forge(unsigned(tmp_path), Steps(pages=PAGES[what])), trusting(tmp_path, *people()))
    assert refused(found), found.sentence


INCREMENTS: dict[str, Callable[[bytes], bytes]] = {
    "a section after the signature": lambda content: _repaint(content),
    "bytes after the end": lambda content: content + b"% seen\n",
    "another reason": lambda content: content.replace(b"(proposes: approve)", b"(proposes: disavow)", 1),
    "another name": lambda content: content.replace(b"/Reason", b"/Location (x)\n/Reason", 1),
    "another time": lambda content: re.sub(rb"/M \(D:20\d\d", b"/M (D:1999", content, count=1),
    "another appearance": lambda content: content.replace(b"0.106 0.122 0.141 rg", b"1.000 1.000 1.000 rg", 1),
    "a byte range that leaves the end out": lambda content: re.sub(
        rb"(/ByteRange \[0 \d+ \d+ )(\d+)", lambda m: m[1] + b"%0*d" % (len(m[2]), int(m[2]) - 1), content, count=1
    ),
    "other padding": lambda content: re.sub(rb"00>\n/ByteRange", b"01>\n/ByteRange", content, count=1),
}


@pytest.mark.parametrize(
    ("step", "what"),
    [*(("increment", what) for what in INCREMENTS), ("pdf", "bytes after the end"), ("pdf", "other padding")],
)
def test_increment_that_does_not_follow_is_refused(tmp_path: Path, step: str, what: str) -> None:
    found = judged(forge(unsigned(tmp_path), Steps(**{step: INCREMENTS[what]})), trusting(tmp_path, *people()))
    assert refused(found), found.sentence


def test_bomb_in_the_pdf_is_never_unpacked(tmp_path: Path) -> None:
    place = signed(tmp_path)
    bomb = zlib.compress(bytes(50_000_000), 9)
    place.pdf.write_bytes(b"%PDF-1.7\n1 0 obj\n<</Filter/FlateDecode>>\nstream\n" + bomb + b"\nendstream\nendobj\n")
    assert refused(judged(place))


def _numbers() -> list[tuple[Any, ...]]:
    """Return the paths of numbers that are solved, a few of each block."""
    members = json_text.parse(_json_of_the_example())
    found = []
    for block in ("assessment", "accounting", "implementation", "drawn"):
        numbers = [path for path in leaves(members[block], (block,)) if isinstance(_at(members, path), int | float)]
        found += random.Random(block).sample(numbers, min(2, len(numbers)))
    return found


def _json_of_the_example() -> bytes:
    from dpwizard import records

    return records.write(recorded(example("durham", outcome="approve")))


def _at(members: Any, path: tuple[Any, ...]) -> Any:
    for step in path:
        members = members[step]
    return members


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else value * 1.001 + 1e-4


@pytest.mark.parametrize("path", _numbers(), ids=lambda path: ".".join(map(str, path)))
def test_false_number_is_refused(tmp_path: Path, path: tuple[Any, ...]) -> None:
    steps = Steps(members=lambda members: put(members, path, _other))
    assert refused(judged(forge(unsigned(tmp_path), steps), trusting(tmp_path, *people())))


MEMBERS: dict[str, Callable[[dict[str, Any]], object]] = {
    "a sentence": lambda m: m.update(sentences={"meaning": ["Nobody learns anything."]}),
    "a member of its own": lambda m: m.update(note="x"),
    "another name": lambda m: m.update(name="other"),
    "an earlier document": lambda m: m.update(document="0.9"),
    "an internal record that it is not of": lambda m: m.update(
        edition="public", salt="", public={"internal_sha256": "0" * 64, "requirements": 9, "of": 1}
    ),
    "answers by other words": lambda m: m["assessment"]["answers"][0].update(grounds="proved by the county"),
    "a time before the calendar": lambda m: m["made"].update(time="0001-01-01T00:00:00+14:00"),
    "a noise of no table": lambda m: m["implementation"].append(m["implementation"][0]),
}


@pytest.mark.parametrize("what", MEMBERS)
def test_false_member_never_passes(tmp_path: Path, what: str) -> None:
    found = judged(forge(unsigned(tmp_path), Steps(members=MEMBERS[what])), trusting(tmp_path, *people()))
    assert found.outcome != "passed", what


SPELLINGS: dict[str, Callable[[bytes], bytes]] = {
    "other blanks": lambda content: content.replace(b"  ", b"   ", 1),
    "a key twice": lambda content: content.replace(b'"edition"', b'"edition": "public",\n  "edition"', 1),
    "a byte order mark": lambda content: b"\xef\xbb\xbf" + content,
}


@pytest.mark.parametrize("what", SPELLINGS)
def test_other_spelling_is_refused(tmp_path: Path, what: str) -> None:
    place = unsigned(tmp_path)
    before = place.json.read_bytes()
    assert SPELLINGS[what](before) != before
    assert refused(judged(forge(place, Steps(json=SPELLINGS[what])), trusting(tmp_path, *people())))


def test_other_version_is_never_checked_less(tmp_path: Path) -> None:
    """The version names the pages; it never takes a check away."""

    def older(members: dict[str, Any]) -> None:
        members["program"]["version"] = "0.9.1"
        members["assessment"]["window"]["upper"] += 1.0

    found = judged(forge(unsigned(tmp_path), Steps(members=older)), trusting(tmp_path, *people()))
    assert found.outcome == "undetermined"
    assert found.remedy == "Verify it with version 0.9.1."


def test_unknown_version_of_the_pages_compares_hashes_only(tmp_path: Path) -> None:
    trusted = trusting(tmp_path, *people())
    place = forge(unsigned(tmp_path), Steps(members=lambda m: m.update(document="0.1")))
    found = judged(place, trusted)
    assert found.outcome == "undetermined"
    assert "only hashes were compared" in found.sentence
    place.pdf.write_bytes(place.pdf.read_bytes() + b"x")
    assert refused(judged(place, trusted))


LINES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a role nobody knows": lambda said: said.update(role="certifies"),
    "a role in other letters": lambda said: said.update(role="Approves"),
    "another JSON": lambda said: said.update(json_sha256="0" * 64),
    "another line before": lambda said: said.update(previous="0" * 64),
    "another PDF": lambda said: said.update(pdf_sha256="0" * 64),
    "another length": lambda said: said.update(pdf_bytes=1),
    "no signature in the PDF": lambda said: said.update(pdf_signature=""),
    "a signature of other bytes in the PDF": lambda said: said.update(
        pdf_signature=base64.b64encode(people()[0].sign(b"other")).decode()
    ),
    "a time in the future": lambda said: said.update(time="2036-03-01T12:00:00Z"),
    "a member of its own": lambda said: said.update(note="x"),
}


@pytest.mark.parametrize("what", LINES)
def test_false_line_is_refused(tmp_path: Path, what: str) -> None:
    found = judged(forge(unsigned(tmp_path), Steps(line=LINES[what])), trusting(tmp_path, *people()))
    assert refused(found), found.sentence


def test_other_value_of_s_is_refused(tmp_path: Path) -> None:
    """Both values are genuine; only the low one is taken, in the line and in the PDF."""
    from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature, encode_dss_signature

    from tests.samples.signed_record import P256

    def high(said: dict[str, Any]) -> None:
        r, s = decode_dss_signature(base64.b64decode(said["pdf_signature"]))
        said["pdf_signature"] = base64.b64encode(encode_dss_signature(r, P256 - s)).decode()

    assert refused(judged(forge(unsigned(tmp_path), Steps(line=high))))


def test_two_names_with_one_key_are_one_person(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    one, other = person("Ann", key), person("Bert", key)
    place = forge(forge(unsigned(tmp_path), Steps(), one), Steps(), other, "approves")
    found = judged(place, trusting(tmp_path, one, other))
    assert refused(found)
    assert "the same person proposes and approves" in found.sentence


@pytest.mark.parametrize(
    "name",
    [
        "ann müller",
        "Ann  Müller",
        "ANN MÜLLER",
        "Ann\u00a0Müller",
        "Ann Mu\u0308ller",
        "Ann\u200b Müller",
        "Ａｎｎ  MÜLLER",
    ],
)
def test_one_name_folded_is_one_person(tmp_path: Path, name: str) -> None:
    other = person(name)
    place = forge(forge(unsigned(tmp_path), Steps()), Steps(), other, "approves")
    assert refused(judged(place, trusting(tmp_path, people()[0], other)))


def test_revoked_signer_who_leaves_her_authority_out_is_refused(tmp_path: Path) -> None:
    from tests.model.test_signing_trust import revoking

    key, root = an_authority()
    signer = person("Erin", issuer=(key, root))
    certificate = signer.chain[0]
    bare = type(signer)(signer._key, (certificate,))
    place = forge(unsigned(tmp_path), Steps(), bare)
    lists = [revoking(key, root, certificate, NOW + DAY)]
    assert judged(place, trusting(tmp_path, root)).outcome == "passed"
    found = judged(place, trusting(tmp_path, root, lists=lists))
    assert refused(found)
    assert "was revoked" in found.sentence
    pinned = trusting(tmp_path, signer, lists=lists)
    (pinned[0] / "0.pem").write_bytes(signer.certificate_pem())
    assert judged(place, pinned).outcome == "undetermined"  # the list's maker is not at hand


def test_removed_signature_is_missed_by_the_log(tmp_path: Path) -> None:
    log, trusted = tmp_path / "log", trusting(tmp_path, *people())
    signature_log.begin(log)
    place = signed(tmp_path, 2)
    for number in (1, 2):
        signature_log.note(log, read_signature(place.line(number).read_text().strip()))
    assert judged(place, trusted, log=log).outcome == "passed"
    place.line(2).unlink()
    place.pdf.write_bytes(place.pdf.read_bytes())
    found = judged(place, trusted, log=log)
    assert found.outcome == "failed"


@pytest.mark.parametrize("left", [0, 1])
def test_entry_that_its_signer_spoiled_leaves_the_record_open(tmp_path: Path, left: int) -> None:
    """Who regrets takes the signature out of the record, and empties its entry or puts an older signature there."""
    log, copy = tmp_path / "log", tmp_path / "copy"
    signature_log.begin(log)
    copy.mkdir()
    signature_log.note(log, read_signature(signed(copy, 2).line(2).read_text().strip()))
    (entry,) = log.iterdir()
    entry.write_bytes(signed(tmp_path, 1).line(1).read_bytes() * left)
    found = judged(signed(tmp_path, 1), trusting(tmp_path, *people()), log=log)
    assert (found.outcome, found.remedy) == ("undetermined", "Have the office look at its log.")
    assert entry.name in found.sentence


def test_two_continuations_are_both_missed_by_the_log(tmp_path: Path) -> None:
    log, trusted = tmp_path / "log", trusting(tmp_path, *people())
    signature_log.begin(log)
    copies = []
    for name, who in (("one", people()[1]), ("two", people()[2])):
        folder = tmp_path / name
        folder.mkdir()
        copies.append(further(signed(folder, 1), who, "approves"))
        signature_log.note(log, read_signature(copies[-1].line(2).read_text().strip()))
    for place in copies:
        found = judged(place, trusted, log=log)
        assert refused(found)
        assert "the office’s log" in found.sentence


def test_line_of_a_stranger_in_the_log_refuses_nothing(tmp_path: Path) -> None:
    """Anybody can make a key, sign the record with it, and lay the line into the log alone."""
    log, trusted = tmp_path / "log", trusting(tmp_path, *people())
    signature_log.begin(log)
    copy = tmp_path / "copy"
    copy.mkdir()
    stranger = forge(signed(copy, 1), Steps(), person("Mallory"), "approves")
    signature_log.note(log, read_signature(stranger.line(2).read_text().strip()))
    found = judged(signed(tmp_path, 2), trusted, log=log)
    assert (found.outcome, found.remedy) == ("undetermined", "Ask the office whose signature that is.")
    assert "by someone not trusted here: Mallory, approves: approve" in found.sentence
    further(signed(tmp_path, 2), people()[2], ROLES[2], log=log)  # nor does it keep others from signing
