"""The pictures that only the tour shows: whom one may fear (tour-gallery), and page one of a record (tour-record)."""

from __future__ import annotations

import secrets
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from PySide6.QtGui import QImage
from screenshots import EXAMPLE, TARGET, Camera, indexed

import dpwizard

DOTS_PER_INCH = "100"


def draw_tour() -> None:
    """Draw them, light."""
    camera = Camera(dark=False)
    window = camera.window
    camera.settle()
    window.prepare()
    window.open_path(EXAMPLE, example=True)
    assert window.session is not None
    assert window.wizard is not None
    window.session.put("Nobody is named yet", "$.requirements", ())
    window.wizard.go("adversary")
    camera.save("tour-gallery")
    window.session.start(window.session.decision)
    window.close()
    _draw_page_one()


def _draw_page_one() -> None:
    with tempfile.TemporaryDirectory() as own:
        folder = Path(own)
        made, passphrase = datetime(2026, 11, 23, 10, tzinfo=UTC), secrets.token_urlsafe()
        ada = dpwizard.make_identity(folder / "ada.p12", name="Ada Example", passphrase=passphrase, at=made)
        decision = dpwizard.read_decision(EXAMPLE)
        signed = dpwizard.sign(decision, folder / "durham", identity=ada, role="proposes", at=made)
        page = folder / "page"
        options = ["-r", DOTS_PER_INCH, "-l", "1", "-png", "-singlefile"]
        subprocess.run(["pdftoppm", *options, str(signed.pdf), str(page)], check=True)
        indexed(QImage(str(page.with_suffix(".png")))).save(str(TARGET / "tour-record.png"), "PNG", 0)
