"""A time-stamp beside a record, fetched from an authority of our own that openssl plays."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dpwizard.errors import SigningProblem
from dpwizard.signing import RecordFiles, record_files, time_stamp
from tests.samples.signed_record import DAY, people, sign, signed, typeset, written

NOW = datetime.now(UTC)  # openssl stamps with the clock of this computer
CONFIG = """
[tsa]
default_tsa = here
[here]
dir = .
serial = ./serial
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
signer_digest = sha256
ess_cert_id_alg = sha256
ordering = yes
tsa_name = yes
"""


class Authority:
    """A time-stamping authority: a root, and a certificate with a purpose, in one folder."""

    def __init__(
        self, folder: Path, purpose: str = "critical,timeStamping", key: tuple[str, ...] = ("rsa:2048",)
    ) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        (folder / "serial").write_text("01\n")
        (folder / "tsa.cnf").write_text(CONFIG)
        (folder / "purpose").write_text(f"keyUsage=critical,digitalSignature\nextendedKeyUsage={purpose}\n")
        self.run(
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-keyout",
            "root.key",
            "-out",
            "root.pem",
            "-subj",
            "/CN=Time Root",
            "-days",
            "9",
        )
        self.run(
            "req",
            "-new",
            "-newkey",
            *key,
            "-nodes",
            "-keyout",
            "tsa.key",
            "-out",
            "tsa.csr",
            "-subj",
            "/CN=County Clock",
        )
        extra = ("-CAcreateserial", "-days", "9", "-extfile", "purpose")
        self.run("x509", "-req", "-in", "tsa.csr", "-CA", "root.pem", "-CAkey", "root.key", "-out", "tsa.pem", *extra)

    def run(self, *arguments: str) -> None:
        done = subprocess.run(["openssl", *arguments], cwd=self.folder, capture_output=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr.decode()

    def stamp(self, line: str, *, ask: tuple[str, ...] = ("-cert", "-sha256")) -> bytes:
        """Return a time-stamp over LINE, as record-format.md says to fetch one."""
        (self.folder / "line").write_text(line, "ascii")
        self.run("ts", "-query", "-data", "line", "-out", "line.tsq", *ask)
        self.run(
            "ts",
            "-reply",
            "-config",
            "tsa.cnf",
            "-queryfile",
            "line.tsq",
            "-signer",
            "tsa.pem",
            "-inkey",
            "tsa.key",
            "-out",
            "line.tsr",
        )
        return (self.folder / "line.tsr").read_bytes()

    @property
    def root(self) -> Path:
        return self.folder / "root.pem"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def place(tmp_path: Path) -> RecordFiles:
    """Return a record of two signatures."""
    return RecordFiles.beside(written(tmp_path, signed(2))[0])


def lines(place: RecordFiles) -> list[str]:
    return place.jws.read_text("ascii").splitlines()


def why(place: RecordFiles, trusted: tuple[Path, ...] = ()) -> str:
    found = record_files.verify(place, trusted, NOW)
    assert found.ok  # a time-stamp changes nothing about the record
    assert found.time_stamp is None
    (finding,) = (finding for finding in found.findings if finding.check == "stamp")
    assert finding.ok is False
    return finding.why


@pytest.mark.slow
@pytest.mark.parametrize("position", [0, 1])
def test_a_time_stamp_says_which_signature_was_there_when_and_by_whose_clock(
    authority: Authority, place: RecordFiles, position: int
) -> None:
    place.stamp.write_bytes(authority.stamp(lines(place)[position]))
    found = record_files.verify(place, (), NOW)
    assert found.ok
    assert found.time_stamp is not None
    assert (found.time_stamp.signer, found.time_stamp.authority, found.time_stamp.trusted) == (
        position,
        "County Clock",
        False,
    )
    assert abs(datetime.fromisoformat(found.time_stamp.time) - NOW) < DAY
    trusted = record_files.verify(place, (authority.root,), NOW)
    assert trusted.time_stamp is not None
    assert trusted.time_stamp.trusted
    assert "Time Root" in trusted.time_stamp.why


@pytest.mark.parametrize(("minutes", "fits"), [(-60, True), (59, True), (90, False)])
def test_a_signature_that_states_a_later_time_than_its_time_stamp_is_remarked_on(
    authority: Authority, tmp_path: Path, minutes: int, fits: bool
) -> None:
    one = sign(typeset(), people()[0], time=datetime.now(UTC) + timedelta(minutes=minutes))
    place = RecordFiles.beside(written(tmp_path, one)[0])
    place.stamp.write_bytes(authority.stamp(lines(place)[0]))
    found = record_files.verify(place, (), datetime.now(UTC))
    assert found.ok  # who stamped it may have had a wrong clock, too
    (said,) = (finding for finding in found.findings if finding.check == "stamp_time")
    assert (said.ok, "a later time" in said.why) == (fits, not fits)


@pytest.mark.slow
def test_an_authority_with_a_key_on_a_curve_and_sha_512_is_read_too(tmp_path: Path, place: RecordFiles) -> None:
    curve = Authority(tmp_path / "curve", key=("ec", "-pkeyopt", "ec_paramgen_curve:P-256"))
    place.stamp.write_bytes(curve.stamp(lines(place)[1], ask=("-cert", "-sha512")))
    found = record_files.verify(place, (curve.root,), NOW)
    assert found.time_stamp is not None
    assert found.time_stamp.trusted


def test_a_record_without_a_time_stamp_says_nothing_of_one(place: RecordFiles) -> None:
    found = record_files.verify(place, (), NOW)
    assert found.time_stamp is None
    assert all(finding.check != "stamp" for finding in found.findings)


def test_a_time_stamp_over_something_else_is_said_to_be_none_of_this_record(
    authority: Authority, place: RecordFiles
) -> None:
    place.stamp.write_bytes(authority.stamp("another line"))
    assert "over something else" in why(place, (authority.root,))


@pytest.mark.slow
def test_every_changed_byte_of_a_time_stamp_is_found_or_leaves_what_it_states(
    authority: Authority, place: RecordFiles
) -> None:
    genuine = authority.stamp(lines(place)[1])
    place.stamp.write_bytes(genuine)
    before = record_files.verify(place, (), NOW).time_stamp
    for position in range(0, len(genuine), 41):
        changed = bytearray(genuine)
        changed[position] ^= 0x11
        place.stamp.write_bytes(bytes(changed))
        found = record_files.verify(place, (), NOW)
        assert found.ok
        assert (
            found.time_stamp is None or found.time_stamp == before
        )  # what no signature covers says nothing: the issuer's own certificates


@pytest.mark.parametrize("content", [b"", b"no time-stamp", b"\x30\x03\x02\x01\x00", b"\x30\x80" * 500, bytes(200_000)])
def test_bytes_that_are_no_time_stamp_are_refused_in_words(place: RecordFiles, content: bytes) -> None:
    place.stamp.write_bytes(content)
    assert why(place).startswith("the time-stamp ")


@pytest.mark.slow
@pytest.mark.parametrize(
    "purpose", ["critical,emailProtection", "timeStamping", "critical,timeStamping,emailProtection"]
)
def test_a_certificate_that_is_not_for_time_stamping_alone_stamps_nothing(tmp_path: Path, purpose: str) -> None:
    other = Authority(tmp_path / "other")  # openssl itself refuses to stamp with such a certificate
    (tmp_path / "other" / "purpose").write_text(f"keyUsage=critical,digitalSignature\nextendedKeyUsage={purpose}\n")
    extra = ("-CAcreateserial", "-days", "9", "-extfile", "purpose", "-outform", "der")
    other.run("x509", "-req", "-in", "tsa.csr", "-CA", "root.pem", "-CAkey", "root.key", "-out", "bad.der", *extra)
    with pytest.raises(SigningProblem, match="not one for time-stamping"):
        time_stamp._check_purpose((tmp_path / "other" / "bad.der").read_bytes())


def test_a_time_stamp_without_its_certificate_says_how_to_ask_for_it(authority: Authority, place: RecordFiles) -> None:
    place.stamp.write_bytes(authority.stamp(lines(place)[1], ask=("-sha256",)))
    assert "-cert" in why(place, (authority.root,))
