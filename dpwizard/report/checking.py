"""Annex A5: how to check a record: with this program, and with poppler, openssl or any JOSE library."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from dpwizard.base.resource_files import resource
from dpwizard.report.blocks import Block, Pairs, Paragraph
from dpwizard.report.content import Content
from dpwizard.report.phrases import Words
from dpwizard.report.release_sections import head

STEPS = ("intro", "own", "replay", "pdf", "attached", "hash", "jose", "openssl")


def step(key: str, name: str, words: Words) -> Iterator[Block]:
    """Yield one of STEPS for the record NAME: its explanation, and its command if there is one."""
    names = {"json": f"{name}.json", "pdf": f"{name}.pdf", "jws": f"{name}.1.jws", "next": f"{name}.2.jws"}
    yield Paragraph(text=words("verify", key, **names))
    if words.has("verify", f"{key}_command"):
        quoted = {file: shlex.quote(called) for file, called in names.items()}
        yield Paragraph(text=words("verify", f"{key}_command", **quoted), style="code")


def recipe(name: str, words: Words) -> tuple[Block, ...]:
    """Return every step for the record NAME, and the script that needs only openssl."""
    script = resource("report", "verify_with_openssl.sh").read_text("utf-8").strip()
    return (
        *(block for key in STEPS for block in step(key, name, words)),
        Paragraph(text=f"name={shlex.quote(name)}\n{script}", style="code"),
        Paragraph(text=words("verify", "claim")),
    )


def checking_section(report: Content) -> Iterator[Block]:
    """Yield how to check the record with this program, and where to find the steps for others."""
    for key in ("intro", "own", "replay", "others"):
        yield from step(key, report.record.name, report.words)
    yield Paragraph(text=report.words("verify", "claim"))


def integrity_section(report: Content) -> Iterator[Block]:
    words, record = report.words, report.record
    yield head(report, "integrity")
    time = f"{record.made.time}, {words('integrity', f'time_{record.made.time_source}')}"
    rows = [
        (words("integrity", "hash", json=report.name), report.sha256),
        (words("integrity", "time"), time),
        (words("integrity", "format"), ", ".join((record.format, report.decision.format))),
        (words("integrity", "program"), f"{record.program.name} {record.program.version}"),
        (words("integrity", "supersedes"), report.decision.details.supersedes or words("accounting", "nothing")),
    ]
    if report.decision.details.superseded_sha256:
        rows.append((words("integrity", "supersedes_hash"), report.decision.details.superseded_sha256))
    if record.policy is not None:
        line = words("integrity", "policy_line", name=record.policy.name, hash=record.policy.sha256)
        rows.append((words("integrity", "policy"), line))
    if record.public is not None:
        rows.append((words("edition", "of"), record.public.internal_sha256))
    yield Pairs(rows=tuple(rows))
    yield Paragraph(text=words("integrity", "glyphs", json=report.name), style="quiet")
