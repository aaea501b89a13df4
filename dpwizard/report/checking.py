"""How a record is checked: with this program, and with poppler, openssl or any library for JOSE."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from dpwizard.base.resource_files import resource
from dpwizard.report.blocks import Block, Paragraph
from dpwizard.report.phrases import Words

STEPS = ("intro", "own", "replay", "pdf", "attached", "hash", "jose", "openssl")


def step(key: str, name: str, words: Words) -> Iterator[Block]:
    """Yield one step, a key of STEPS, for the record called NAME: what it shows, and the command if there is one."""
    names = {"json": f"{name}.json", "pdf": f"{name}.pdf", "jws": f"{name}.1.jws", "next": f"{name}.2.jws"}
    yield Paragraph(text=words("verify", key, **names))
    if words.has("verify", f"{key}_command"):
        quoted = {file: shlex.quote(called) for file, called in names.items()}
        yield Paragraph(text=words("verify", f"{key}_command", **quoted), style="code")


def recipe(name: str, words: Words) -> tuple[Block, ...]:
    """Return every step for the record called NAME, and the script that needs openssl alone."""
    script = resource("report", "verify_with_openssl.sh").read_text("utf-8").strip()
    return (
        *(block for key in STEPS for block in step(key, name, words)),
        Paragraph(text=f"name={shlex.quote(name)}\n{script}", style="code"),
        Paragraph(text=words("verify", "claim")),
    )
