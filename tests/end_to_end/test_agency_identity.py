"""The agency's own identities: keys and certificate chains made with openssl, with the intermediate authority inside
the PKCS#12 file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dpwizard.base.resource_files import FOLDER

pytestmark = pytest.mark.slow  # openssl makes keys, and each command is a process of its own

MAIN = FOLDER.parent / "main.py"
EXTENSIONS = """
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
[person]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature, nonRepudiation
extendedKeyUsage = 1.3.6.1.5.5.7.3.36, emailProtection
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
"""
KEYS = {
    "rsa": ("-newkey", "rsa:3072"),
    "p256": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
    "p384": ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384"),
}


def openssl(folder: Path, *command: str) -> None:
    assert shutil.which("openssl"), "install openssl"
    done = subprocess.run(["openssl", *command], cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def wizard(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, MAIN, *map(str, command)], capture_output=True, text=True, check=False, timeout=120
    )


@pytest.fixture(scope="module")
def agency(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an authority (RSA), an authority under it (P-256), and three people under that one, each as
    PKCS#12."""
    folder = tmp_path_factory.mktemp("agency")
    (folder / "extensions").write_text(EXTENSIONS)
    (folder / "passphrase").write_text("the agency's own secret\n")
    openssl(
        folder,
        "req",
        "-x509",
        *KEYS["rsa"],
        "-nodes",
        "-keyout",
        "root.key",
        "-out",
        "root.pem",
        "-subj",
        "/CN=State root",
        "-days",
        "3650",
        "-addext",
        "basicConstraints=critical,CA:TRUE",
        "-addext",
        "keyUsage=critical,keyCertSign,cRLSign",
    )
    issue(folder, "office", "/CN=Office authority", "p256", "root", "authority")
    for kind in KEYS:
        issue(folder, kind, f"/O=State office/CN=Officer {kind}", kind, "office", "person")
        openssl(
            folder,
            "pkcs12",
            "-export",
            "-inkey",
            f"{kind}.key",
            "-in",
            f"{kind}.pem",
            "-certfile",
            "office.pem",
            "-out",
            f"{kind}.p12",
            "-passout",
            "file:passphrase",
            "-iter",
            "600000",
        )
    (folder / "office.toml").write_text('format = "dpwizard.policy/1"\nname = "State"\nroles = ["proposes"]\n')
    (folder / "trust").mkdir()
    shutil.copy(folder / "root.pem", folder / "trust")
    return folder


def issue(folder: Path, name: str, subject: str, kind: str, issuer: str, extensions: str) -> None:
    openssl(folder, "req", *KEYS[kind], "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", subject)
    openssl(
        folder,
        "x509",
        "-req",
        "-in",
        f"{name}.csr",
        "-CA",
        f"{issuer}.pem",
        "-CAkey",
        f"{issuer}.key",
        "-CAcreateserial",
        "-out",
        f"{name}.pem",
        "-days",
        "1500",
        "-extfile",
        "extensions",
        "-extensions",
        extensions,
    )


@pytest.mark.parametrize("kind", KEYS)
def test_a_record_signed_with_the_agencys_key_is_trusted_by_its_root_alone(
    agency: Path, tmp_path: Path, kind: str
) -> None:
    out = tmp_path / "durham"
    signed = wizard(
        "sign",
        FOLDER / "examples" / "durham.json",
        "--identity",
        agency / f"{kind}.p12",
        "--passphrase-file",
        agency / "passphrase",
        "--policy",
        agency / "office.toml",
        "--out",
        out,
    )
    assert signed.returncode == 0, signed.stdout + signed.stderr
    unknown = json.loads(wizard("verify", out, "--json").stdout)
    assert (unknown["verdict"], unknown["signers"][0]["standing"]) == ("unchanged", "unknown_issuer")
    for options in (
        ("--trust", agency / "root.pem"),
        ("--trust", agency / "trust"),
        ("--policy", agency / "office.toml"),
    ):
        found = json.loads(wizard("verify", out, "--json", *options).stdout)
        assert found["verdict"] == "trusted", found["sentence"]
        assert "State root" in found["signers"][0]["why"]
        assert (found["signers"][0]["name"], found["signers"][0]["organisation"]) == (f"Officer {kind}", "State office")


def test_pdfsig_follows_the_chain_inside_the_signature(agency: Path, tmp_path: Path) -> None:
    out = tmp_path / "durham"
    wizard(
        "sign",
        FOLDER / "examples" / "durham.json",
        "--identity",
        agency / "rsa.p12",
        "--passphrase-file",
        agency / "passphrase",
        "--out",
        out,
    )
    store = tmp_path / "nss"
    store.mkdir()
    for command in (
        ["certutil", "-N", "-d", str(store), "--empty-password"],
        ["certutil", "-A", "-d", str(store), "-n", "root", "-t", "CT,CT,CT", "-i", str(agency / "root.pem")],
    ):
        subprocess.run(command, check=True, timeout=60, capture_output=True)
    said = subprocess.run(
        ["pdfsig", "-nssdir", str(store), f"{out}.pdf"], capture_output=True, text=True, check=False, timeout=60
    ).stdout
    assert "Signature is Valid" in said
    assert "Certificate is Trusted" in said
