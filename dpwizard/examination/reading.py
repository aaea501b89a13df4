"""What is examined, from its bytes: an entry of the registry, a record or a decision of ours, or a claim by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dpwizard.base import json_text
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import read
from dpwizard.examination import plain_yaml, recomputed_figures, registry_reading
from dpwizard.examination.claim import Claim
from dpwizard.examination.examining import examine_claim
from dpwizard.examination.finding import ClaimVerdict, Examination
from dpwizard.records import is_record

FORMAT = "dpwizard.claim/1"
OURS = "dpwizard.decision/"


def examine(data: bytes) -> Examination:
    """Return the second opinion on DATA: YAML or JSON, of one of the four kinds.

    Arguments: data, the bytes of the file; at most 256 KiB of YAML. No figure in it is believed. Raises InvalidInput
    naming the field that is wrong; what a claim leaves open is a finding, "not_determined".
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        raw = json_text.parse(data)
        if is_record(raw):
            title, claims, replayed = recomputed_figures.of_record(data)
            return Examination(kind="record", title=title, findings=(*replayed, *_findings(claims)))
        if isinstance(raw, Mapping) and str(raw.get("format", "")).startswith(OURS):
            title, claims = recomputed_figures.of_decision(raw)
            return Examination(kind="decision", title=title, findings=_findings(claims))
        raw = json.loads(data.decode("utf-8-sig"), parse_float=str, parse_int=str)  # as it was printed
    else:
        raw = plain_yaml.parse(data)
    if registry_reading.is_entry(raw):
        return Examination(
            kind="registry", title=registry_reading.title_of(raw), findings=_findings(registry_reading.claims(raw))
        )
    return examine_fields(raw)


def examine_fields(raw: Any) -> Examination:
    """Return the second opinion on the claim in RAW, fields by name; raises InvalidInput as `read_claim` does."""
    claim = read_claim(raw)
    return Examination(kind="claim", title=claim.name or "", findings=examine_claim(claim))


def read_claim(raw: Any) -> Claim:
    """Return the claim in RAW, fields by name as a file or a form gives them; raises InvalidInput naming the field."""
    if not isinstance(raw, Mapping):
        raise InvalidInput("must be an object", "$", "Begin with the name of a field, such as epsilon: 1.68.")
    fields = {name: value for name, value in _without_gaps(raw).items() if name != "format"}
    if (stated := raw.get("format", FORMAT)) != FORMAT:
        problem = message("must be {what}; found {found}", what=FORMAT, found=str(stated)[:40])
        raise InvalidInput(problem, "$.format", "Leave it out.")
    claim: Claim = read(Claim, fields)
    return claim


def _without_gaps(value: Any) -> Any:
    """Return VALUE without what is left empty, which a template does."""
    if isinstance(value, Mapping):
        return {name: _without_gaps(one) for name, one in value.items() if one is not None}
    return [_without_gaps(one) for one in value] if isinstance(value, list) else value


def _findings(claims: tuple[tuple[str, Claim], ...]) -> tuple[ClaimVerdict, ...]:
    """Return what is found on each of CLAIMS; the meaning of a loss for one person is that of the first."""
    return tuple(
        verdict
        for at, (where, claim) in enumerate(claims)
        for verdict in examine_claim(claim, where)
        if at == 0 or verdict.statement != "means"
    )
