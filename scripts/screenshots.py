"""Draw the pictures of docs/images/ anew: `python scripts/screenshots.py`, or with a part's name only that part.

    pages       the start page and every step but the budget, which no document shows
    questions   the questions: two releases to choose from, the closing look
    tour        what only the tour shows: the list of adversaries, and page one of a record

Commit only the pictures of pages that changed.
"""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from camera import EXAMPLE, ROOT, TARGET, Camera, save_picture
from PySide6.QtGui import QImage
from question_pictures import draw_questions

import dpwizard

RATIO = 6.0  # a looser promise than the example's, so that the allowed range is not empty
EPSILON = 2.3
DOTS_PER_INCH = "100"
PAGES_SET = 5_000  # milliseconds in which the record's pages are set


def draw_pages() -> None:
    """Draw the start page and every step but the budget."""
    camera = Camera(dark=False)
    camera.save("start-light-1x")
    _open_with_a_range(camera)
    for key in (step for step in camera.window.wizard.pages if step != "budget"):
        camera.window.wizard.go(key)
        if key == "review":
            camera.settle(PAGES_SET)
        camera.save(f"{key}-light-1x")
    camera.close()


def _open_with_a_range(camera: Camera) -> None:
    session = camera.open_example()
    session.put("Set largest ratio", "$.requirements[0].profile.ratio", RATIO)
    session.put("Set posterior cap", "$.requirements[0].profile.posterior", RATIO / 10)
    session.put("Choose epsilon", "$.epsilon", EPSILON)


def draw_tour() -> None:
    """Draw the list of adversaries and page one of a signed record."""
    camera = Camera(dark=False)
    camera.open_example().put("Nobody is named yet", "$.requirements", ())
    camera.window.wizard.go("adversary")
    camera.save("tour-gallery")
    camera.close()
    with tempfile.TemporaryDirectory() as folder:
        save_picture(_first_page(Path(folder)), "tour-record")


def _first_page(folder: Path) -> QImage:
    signed_at, passphrase = datetime(2026, 11, 23, 10, tzinfo=UTC), secrets.token_urlsafe()
    ada = dpwizard.make_identity(folder / "ada.p12", name="Ada Example", passphrase=passphrase, at=signed_at)
    decision = dpwizard.read_decision(EXAMPLE)
    signed = dpwizard.sign(decision, folder / "durham", identity=ada, role="proposes", at=signed_at)
    page = folder / "page"
    options = ["-r", DOTS_PER_INCH, "-l", "1", "-png", "-singlefile"]
    subprocess.run(["pdftoppm", *options, str(signed.pdf), str(page)], check=True)
    return QImage(str(page.with_suffix(".png")))


PARTS = {"pages": draw_pages, "questions": draw_questions, "tour": draw_tour}


def main(chosen: list[str]) -> int:
    """Draw the chosen parts, or all, each in a process with a window of its own."""
    unknown = [name for name in chosen if name not in PARTS]
    if unknown:
        print(f"There is no part {', '.join(unknown)}. Parts: {', '.join(PARTS)}.", file=sys.stderr)
        return 2
    TARGET.mkdir(parents=True, exist_ok=True)
    if len(chosen) == 1:
        PARTS[chosen[0]]()
        return 0
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": "1"}
    for name in chosen or PARTS:
        subprocess.run([sys.executable, __file__, name], check=True, env=environment, cwd=ROOT)
    return 0


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    sys.exit(main(sys.argv[1:]))
