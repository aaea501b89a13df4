"""Other people's programs judge what this one signs: pdfsig, pdfinfo, qpdf, openssl, jwcrypto, pyHanko's own validator.

They come from Debian (poppler-utils, qpdf, libnss3-tools, openssl), which `make test` installs.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from jwcrypto import jwk, jws
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.validation import SignatureCoverageLevel, async_validate_pdf_signature
from pyhanko_certvalidator import ValidationContext

from dpwizard import records
from dpwizard.base.resource_files import resource
from dpwizard.report import document, notice
from dpwizard.signing import RecordFiles, identity
from dpwizard.signing.identity import ROUNDS, create_identity, open_identity
from tests.samples.signed_record import DAY, NOW, PASSPHRASE, new, people, signed


def run(*command: str | Path, ok: bool = True) -> str:
    """Return what COMMAND prints; it must be installed, and succeed."""
    assert shutil.which(str(command[0])), f"{command[0]} is missing: install poppler-utils qpdf libnss3-tools openssl"
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0 or not ok, done.stderr
    return str(done.stdout + done.stderr)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> RecordFiles:
    """Return a record that three people have signed; nobody changes it."""
    return signed(tmp_path_factory.mktemp("record"), 3)


def lines(place: RecordFiles) -> list[str]:
    return [place.line(number).read_text("ascii").strip() for number in (1, 2, 3)]


def trusting(folder: Path, *holders: tuple[bytes, str]) -> Path:
    """Return a certificate store of NSS that trusts each certificate (PEM) as told."""
    store = folder / "nss"
    store.mkdir()
    run("certutil", "-N", "-d", store, "--empty-password")
    for number, (pem, trust) in enumerate(holders):
        path = folder / f"{number}.pem"
        path.write_bytes(pem)
        run("certutil", "-A", "-d", store, "-n", f"holder {number}", "-t", trust, "-i", path)
    return store


# ------------------------------------------------------------------------------------------ the PDF


@pytest.mark.slow
def test_pdfsig_confirms_every_signature_and_trusts_what_certutil_trusts(place: RecordFiles, tmp_path: Path) -> None:
    store = trusting(tmp_path, *((who.certificate_pem(), "Pu,Pu,Pu") for who in people()))
    said = run("pdfsig", "-nssdir", store, place.pdf)
    assert said.count("Signature is Valid") == 3
    assert said.count("Certificate is Trusted") == 3
    assert said.count("ETSI.CAdES.detached") == 3
    assert said.count("Not total document signed") == 2
    assert said.count("  - Total document signed") == 1
    assert "Mar 01 2026" in said


def test_pdfsig_calls_a_signer_it_does_not_know_unknown(place: RecordFiles, tmp_path: Path) -> None:
    said = run("pdfsig", "-nssdir", trusting(tmp_path), place.pdf)
    assert said.count("Signature is Valid") == 3
    assert "Certificate is Trusted" not in said


@pytest.mark.slow
def test_pdfsig_accepts_an_identity_made_here(tmp_path: Path) -> None:
    made = open_identity(
        pkcs12=create_identity(name="Ann", passphrase=PASSPHRASE, now=NOW - DAY), passphrase=PASSPHRASE
    )
    path = new(tmp_path, made).pdf
    said = run("pdfsig", "-nssdir", trusting(tmp_path, (made.certificate_pem(), "Pu,Pu,Pu")), path)
    assert "Signature is Valid" in said
    assert "Certificate is Trusted" in said


@pytest.mark.slow
def test_pdfinfo_shows_a_tagged_titled_pdf_before_and_after_signing(place: RecordFiles, tmp_path: Path) -> None:
    before = tmp_path / "before.pdf"
    before.write_bytes(document.typeset(records.read(place.json.read_bytes())))
    dates, tagged = [], []
    for path in (before, place.pdf):
        said = run("pdfinfo", path)
        dates.append(re.findall(r"(?:Creation|Mod)Date: .*", said))
        assert re.search(r"Title: +Infant deaths in Durham County", said)
        assert re.search(r"Tagged: +yes", said)
        assert re.search(r"PDF version: +1\.7", said)
        assert re.search(r"JavaScript: +no", said)
        tagged.append(run("pdfinfo", "-struct", path))
        metadata = run("pdfinfo", "-meta", path)
        assert "<pdfaid:part>3</pdfaid:part>" in metadata
        assert "<pdfuaid:part>1</pdfuaid:part>" in metadata
    assert tagged[0] == tagged[1]
    one_page = tmp_path / "notice.pdf"  # to find the text of a whole record by its structure takes seconds
    one_page.write_bytes(notice.notice_pdf(records.read(place.json.read_bytes()), ""))
    assert '"Public notice"' in run("pdfinfo", "-struct-text", one_page)
    assert dates[0] == dates[1]
    assert len(dates[0]) == 2


def test_openssl_verifies_each_signature_in_the_pdf(place: RecordFiles, tmp_path: Path) -> None:
    pdf, holders = place.pdf.read_bytes(), tmp_path / "holders.pem"
    holders.write_bytes(b"".join(who.certificate_pem() for who in people()))
    found = re.findall(rb"/ByteRange \[0 (\d+) (\d+) (\d+)\]", pdf)
    assert len(found) == 3
    for head, tail, rest in (tuple(map(int, numbers)) for numbers in found):
        structure, content = tmp_path / "cms.der", tmp_path / "content"
        structure.write_bytes(bytes.fromhex(pdf[head + 1 : tail - 1].decode()))
        content.write_bytes(pdf[:head] + pdf[tail : tail + rest])
        trust = ["-CAfile", str(holders), "-partial_chain", "-purpose", "any"]
        command = ["openssl", "cms", "-verify", "-binary", "-inform", "DER", "-cades", *trust, "-out", "/dev/null"]
        assert "successful" in run(*command, "-in", structure, "-content", content).lower()
        content.write_bytes(content.read_bytes() + b" ")
        assert "successful" not in run(*command, "-in", structure, "-content", content, ok=False).lower()


def test_pyhankos_own_validator_with_its_own_comparison_of_revisions_agrees(place: RecordFiles) -> None:
    reader = PdfFileReader(io.BytesIO(place.pdf.read_bytes()), strict=True)
    found = list(reader.embedded_signatures)
    assert len(found) == 3
    for number, embedded in enumerate(found, 1):
        context = ValidationContext(trust_roots=[embedded.signer_cert], moment=NOW, allow_fetching=False)
        status = asyncio.run(async_validate_pdf_signature(embedded, signer_validation_context=context))
        assert status.bottom_line
        assert status.coverage == (
            SignatureCoverageLevel.ENTIRE_FILE if number == 3 else SignatureCoverageLevel.ENTIRE_REVISION
        )
        assert status.signer_reported_dt == NOW


# ------------------------------------------------------------------------------------ the JSON lines


def test_jwcrypto_verifies_each_line(place: RecordFiles) -> None:
    for which, line in enumerate(lines(place)):
        token = jws.JWS()
        token.deserialize(line)
        token.verify(jwk.JWK.from_pem(people()[which].certificate_pem()))
        assert b'"json_sha256":"' + hashlib.sha256(place.json.read_bytes()).hexdigest().encode() in token.payload
        with pytest.raises(jws.InvalidJWSSignature):
            token.verify(jwk.JWK.from_pem(people()[(which + 1) % 3].certificate_pem()))


def test_node_verifies_each_line_with_nothing_but_its_own_crypto(place: RecordFiles) -> None:
    script = """
        const crypto = require('crypto'), fs = require('fs');
        for (const path of process.argv.slice(1)) {
            const [header, payload, signature] = fs.readFileSync(path, 'ascii').trim().split('.');
            const said = JSON.parse(Buffer.from(header, 'base64url'));
            const key = new crypto.X509Certificate(Buffer.from(said.x5c[0], 'base64')).publicKey;
            const how = said.alg.startsWith('ES') ? {key, dsaEncoding: 'ieee-p1363'}
                : {key, padding: crypto.constants.RSA_PKCS1_PSS_PADDING, saltLength: 32};
            const text = Buffer.from(header + '.' + payload), bytes = Buffer.from(signature, 'base64url');
            console.log(crypto.verify('sha' + said.alg.slice(2), text, how, bytes));
        }
    """
    assert run("node", "-e", script, *(place.line(number) for number in (1, 2, 3))).split() == ["true"] * 3


@pytest.mark.slow
@pytest.mark.parametrize("which", [0, 1, 2])
def test_the_script_of_the_report_verifies_a_line_of_every_kind_of_key(which: int, tmp_path: Path) -> None:
    place = new(tmp_path, people()[which])
    line = place.line(1).read_text()
    script = f"name=r\n{resource('report', 'verify_with_openssl.sh').read_text('utf-8')}"
    for text, genuine in ((line, True), (line.replace(".", ".e", 1), False)):
        place.line(1).write_text(text)
        done = subprocess.run(["sh", "-c", script], cwd=tmp_path, capture_output=True, check=False, timeout=60)
        assert (b"Verified OK" in done.stdout) == genuine, done.stderr


# -------------------------------------------------------------------------------------- the key file


@pytest.mark.slow
def test_openssl_opens_a_key_file_made_here_and_sees_its_rounds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(identity, "ROUNDS", ROUNDS)
    path = tmp_path / "ann.p12"
    path.write_bytes(create_identity(name="Ann", organisation="Office", passphrase="pässwort €", now=NOW))
    said = run("openssl", "pkcs12", "-in", path, "-info", "-noout", "-passin", "pass:pässwort €")
    assert "MAC: sha256, Iteration 600000" in said
    assert said.count("PBES2, PBKDF2, AES-256-CBC, Iteration 600000, PRF hmacWithSHA256") == 2
    assert "invalid password" in run("openssl", "pkcs12", "-in", path, "-noout", "-passin", "pass:another", ok=False)
