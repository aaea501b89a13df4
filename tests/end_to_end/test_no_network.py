"""No network, ever: the program runs its whole story under a filter that ends it at the first socket that is not a
local one."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.samples.wheels import unpacked_wheel

ROOT = Path(__file__).resolve().parents[2]
RUNNER = ROOT / "tests" / "samples" / "without_sockets.py"

pytestmark = pytest.mark.slow


def run_without_sockets(*command: str, cwd: Path, packages: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run COMMAND under the filter, with a home of its own and no display; it finds dpwizard among PACKAGES."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(cwd),
        "LANG": "C.UTF-8",
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(packages),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return subprocess.run(
        [sys.executable, str(RUNNER), *command],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_the_filter_ends_a_program_that_opens_a_socket_unless_it_is_a_local_one(tmp_path: Path) -> None:
    for family, kind, status in (
        ("AF_INET", "SOCK_STREAM", -signal.SIGSYS),
        ("AF_INET6", "SOCK_STREAM", -signal.SIGSYS),
        ("AF_NETLINK", "SOCK_RAW", -signal.SIGSYS),
        ("AF_UNIX", "SOCK_STREAM", 0),
    ):
        code = f"import socket; socket.socket(socket.{family}, socket.{kind}).close()"
        assert run_without_sockets(sys.executable, "-c", code, cwd=tmp_path).returncode == status, family


@pytest.mark.soak
def test_the_window_of_the_wheel_shows_every_page_of_every_example_and_of_the_guide_without_a_socket(
    tmp_path: Path,
) -> None:
    packages = unpacked_wheel(tmp_path)
    found = run_without_sockets(sys.executable, "-m", "dpwizard", "--self-test", cwd=tmp_path, packages=packages)
    assert found.returncode == 0, found.stderr
    shown = {line.partition(":")[0] for line in found.stdout.splitlines() if "pages shown" in line}
    assert shown == {path.name for path in (ROOT / "resources" / "examples").glob("*.json")} | {"guide"}
    assert "typeset in a process of its own" in found.stdout  # under the same filter


def test_a_decision_is_solved_signed_verified_and_replayed_without_a_socket(tmp_path: Path) -> None:
    example = ROOT / "resources" / "examples" / "durham.json"
    (tmp_path / "passphrase").write_text("one two three four")
    key = ("--identity", "officer.p12", "--passphrase-file", "passphrase")
    commands = (
        ("solve", str(example)),
        ("identity", "create", "--name", "Officer", "--out", "officer.p12", "--passphrase-file", "passphrase"),
        ("sign", str(example), *key, "--out", "record"),
        ("verify", "record.json", "--trust", "officer.crt"),
        ("replay", "record.json"),
    )
    code = f"import sys; from dpwizard import cli; sys.exit(max(map(cli.main, {[list(each) for each in commands]})))"
    found = run_without_sockets(sys.executable, "-c", code, cwd=tmp_path)
    assert found.returncode == 0, found.stderr
    assert (tmp_path / "record.1.jws").exists()
