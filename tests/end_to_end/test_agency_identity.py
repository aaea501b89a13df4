"""The agency's own identities: keys and certificate chains made with openssl, with the intermediate authority inside
the PKCS#12 file."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from dpwizard.base.resource_files import FOLDER
from tests.end_to_end.whole_way import run

pytestmark = pytest.mark.slow  # openssl makes keys
DURHAM = str(FOLDER / "examples" / "durham.json")
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
    "rsa": "-newkey rsa:3072",
    "p256": "-newkey ec -pkeyopt ec_paramgen_curve:P-256",
    "p384": "-newkey ec -pkeyopt ec_paramgen_curve:P-384",
}


def openssl(folder: Path, command: str) -> None:
    assert shutil.which("openssl"), "install openssl"
    words = ["openssl", *shlex.split(command)]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr


def issue(folder: Path, name: str, subject: str, kind: str, issuer: str, extensions: str) -> None:
    openssl(folder, f'req {KEYS[kind]} -nodes -keyout {name}.key -out {name}.csr -subj "{subject}"')
    openssl(
        folder,
        f"x509 -req -in {name}.csr -CA {issuer}.pem -CAkey {issuer}.key -CAcreateserial -out {name}.pem -days 1500 "
        f"-extfile extensions -extensions {extensions}",
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
        'req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -subj "/CN=State root" -days 3650 '
        "-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign",
    )
    issue(folder, "office", "/CN=Office authority", "p256", "root", "authority")
    for kind in KEYS:
        issue(folder, kind, f"/O=State office/CN=Officer {kind}", kind, "office", "person")
        openssl(
            folder,
            f"pkcs12 -export -inkey {kind}.key -in {kind}.pem -certfile office.pem -out {kind}.p12 "
            "-passout file:passphrase -iter 10000",
        )
    (folder / "office.toml").write_text('format = "dpwizard.policy/1"\nname = "State"\nroles = ["proposes"]\n')
    (folder / "trust").mkdir()
    shutil.copy(folder / "root.pem", folder / "trust")
    return folder


@pytest.mark.parametrize("kind", KEYS)
def test_a_record_signed_with_the_agencys_key_is_trusted_by_its_root_alone(
    agency: Path, tmp_path: Path, kind: str
) -> None:
    out, key = tmp_path / "durham", ("--identity", str(agency / f"{kind}.p12"))
    passphrase, policy = ("--passphrase-file", str(agency / "passphrase")), ("--policy", str(agency / "office.toml"))
    signed = run("sign", DURHAM, *key, *passphrase, *policy, "--out", str(out))
    assert signed.status == 0, signed
    unknown = json.loads(run("verify", str(out), "--json").out)
    assert (unknown["verdict"], unknown["signers"][0]["standing"]) == ("unchanged", "unknown_issuer")
    for options in (("--trust", str(agency / "root.pem")), ("--trust", str(agency / "trust")), policy):
        found = json.loads(run("verify", str(out), "--json", *options).out)
        assert found["verdict"] == "trusted", found["sentence"]
        assert "State root" in found["signers"][0]["why"]
        assert (found["signers"][0]["name"], found["signers"][0]["organisation"]) == (f"Officer {kind}", "State office")
    if kind == "rsa":
        pdfsig_follows_the_chain(agency, tmp_path)


def pdfsig_follows_the_chain(agency: Path, folder: Path) -> None:
    """Require that poppler finds the authority inside the signature, as long as it trusts the root."""
    store = folder / "nss"
    store.mkdir()
    for command in (
        ["certutil", "-N", "-d", str(store), "--empty-password"],
        ["certutil", "-A", "-d", str(store), "-n", "root", "-t", "CT,CT,CT", "-i", str(agency / "root.pem")],
    ):
        subprocess.run(command, check=True, timeout=60, capture_output=True)
    asked = ["pdfsig", "-nssdir", str(store), str(folder / "durham.pdf")]
    said = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60).stdout
    assert "Signature is Valid" in said
    assert "Certificate is Trusted" in said
