"""A time-stamp beside a record, fetched from an authority of our own that openssl plays."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dpwizard.signing import RecordFiles
from dpwizard.signing.findings import CheckResult, Verification
from tests.samples.signed_record import DAY, further, judged, new, people, signed, trusting

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
        root = "req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 9 -subj /CN=Root"
        own = "-nodes -keyout tsa.key -out tsa.csr -subj"
        self.run(*root.split())
        self.run("req", "-new", "-newkey", *key, *own.split(), "/CN=County Clock")
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
    return signed(tmp_path, 2)


def line(place: RecordFiles, number: int) -> str:
    return place.line(number).read_text("ascii").rstrip("\n")


def seen(place: RecordFiles, *trusted: Path) -> Verification:
    return judged(place, trusted, now=NOW)


def stamps(found: Verification, check: str = "stamp") -> list[CheckResult]:
    return [finding for finding in found.findings if finding.check == check]


def why(place: RecordFiles, *trusted: Path) -> str:
    """Return what is said of a time-stamp that proves nothing: then the outcome is open."""
    found = seen(place, *trusted)
    assert (found.time_stamps, found.outcome) == ((), "undetermined")
    (finding,) = stamps(found)
    assert finding.ok is None
    assert finding.remedy == "Fetch the time-stamp again, or remove its file."
    return finding.why


@pytest.mark.slow
@pytest.mark.parametrize("number", [2])
def test_time_stamp_shows_when_a_signature_was_there(authority: Authority, place: RecordFiles, number: int) -> None:
    place.time_stamp(number).write_bytes(authority.stamp(line(place, number)))
    (stamp,) = seen(place, authority.root).time_stamps
    assert (stamp.signer, stamp.authority) == (number - 1, "County Clock")
    assert abs(datetime.fromisoformat(stamp.time) - NOW) < DAY
    assert "not trusted here" in why(place)


@pytest.mark.parametrize(("minutes", "fits"), [(59, True), (90, False)])
def test_signature_that_states_a_later_time_than_its_time_stamp_is_refused(
    authority: Authority, tmp_path: Path, minutes: int, fits: bool
) -> None:
    place = new(tmp_path, time=datetime.now(UTC).replace(microsecond=0) + timedelta(minutes=minutes))
    place.time_stamp(1).write_bytes(authority.stamp(line(place, 1)))
    found = judged(place, (authority.root,), now=datetime.now(UTC))
    (said,) = stamps(found, "stamp_time")
    assert said.ok is fits
    assert (found.verdict == "refused") is not fits


@pytest.mark.slow
def test_time_stamp_by_a_key_on_a_curve_and_sha_512_is_read(tmp_path: Path, place: RecordFiles) -> None:
    curve = Authority(tmp_path / "curve", key=("ec", "-pkeyopt", "ec_paramgen_curve:P-256"))
    place.time_stamp(2).write_bytes(curve.stamp(line(place, 2), ask=("-cert", "-sha512")))
    assert len(seen(place, curve.root).time_stamps) == 1


def test_time_stamp_over_another_line_proves_nothing(authority: Authority, place: RecordFiles) -> None:
    place.time_stamp(2).write_bytes(authority.stamp(line(place, 1)))
    assert "is not valid" in why(place, authority.root)


def test_time_stamp_that_carries_its_own_root_is_not_trusted(
    authority: Authority, tmp_path: Path, place: RecordFiles
) -> None:
    stranger = Authority(tmp_path / "stranger")
    (stranger.folder / "line").write_text(line(place, 2), "ascii")
    stranger.run("ts", "-query", "-data", "line", "-out", "line.tsq", "-cert", "-sha256")
    reply = ("-reply", "-config", "tsa.cnf", "-queryfile", "line.tsq", "-signer", "tsa.pem", "-inkey", "tsa.key")
    stranger.run("ts", *reply, "-chain", "root.pem", "-out", "line.tsr")
    place.time_stamp(2).write_bytes((stranger.folder / "line.tsr").read_bytes())
    assert "is not valid" in why(place, authority.root)
    trusted = trusting(tmp_path, *people())[0]
    assert "not trusted here" in why(place, trusted)


@pytest.mark.slow
def test_changed_byte_of_a_time_stamp_leaves_what_it_states_or_proves_nothing(
    authority: Authority, place: RecordFiles
) -> None:
    genuine = authority.stamp(line(place, 2))
    place.time_stamp(2).write_bytes(genuine)
    before = seen(place, authority.root).time_stamps
    for position in range(0, len(genuine), 1201):
        changed = bytearray(genuine)
        changed[position] ^= 0x11
        place.time_stamp(2).write_bytes(bytes(changed))
        found = seen(place, authority.root)
        assert found.time_stamps in ((), before)  # what no signature covers says nothing


@pytest.mark.parametrize("content", [b"", b"no time-stamp", b"\x30\x03\x02\x01\x00", b"\x30\x80" * 500, bytes(99_000)])
def test_bytes_that_are_no_time_stamp_prove_nothing(authority: Authority, place: RecordFiles, content: bytes) -> None:
    place.time_stamp(1).write_bytes(content)
    assert why(place, authority.root).startswith("the time-stamp ")


def test_certificate_that_cannot_be_read_proves_nothing(authority: Authority, place: RecordFiles) -> None:
    version = b"\xa0\x03\x02\x01"  # of X.509; there is no sixth
    token = authority.stamp(line(place, 1)).replace(version + b"\x02", version + b"\x05")
    place.time_stamp(1).write_bytes(token)
    assert why(place, authority.root).startswith("the time-stamp cannot be read as a certificate")


def test_time_stamp_without_its_certificate_says_how_to_ask_for_it(authority: Authority, place: RecordFiles) -> None:
    place.time_stamp(2).write_bytes(authority.stamp(line(place, 2), ask=("-sha256",)))
    assert "-cert" in why(place, authority.root)


def test_later_time_stamp_shows_the_earlier_signature_too(authority: Authority, tmp_path: Path) -> None:
    """A later line names the earlier one, so a time-stamp over it proves both."""
    place = further(new(tmp_path), people()[1])
    place.time_stamp(2).write_bytes(authority.stamp(line(place, 2)))
    found = seen(place, authority.root)
    assert not any("the signer’s own claim" in note for signer in found.signers for note in signer.notes)
