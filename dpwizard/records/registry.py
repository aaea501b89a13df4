"""The entry of a record for the public registry of deployments: what its schema asks for, from the decision itself."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from fractions import Fraction
from types import MappingProxyType
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import rounded_up
from dpwizard.base.language import ENGLISH
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import plain
from dpwizard.decision import OVER_TIME, Release, edits, to_json
from dpwizard.privacy.mechanisms import mechanisms_named
from dpwizard.records.record import Record, is_day
from dpwizard.records.sentences import sentences
from dpwizard.wording import word

REGISTRY_SCHEMA = "the schema of commit 3e9c812 (15 July 2026) of the registry's repository"
ZERO_CONCENTRATED = "Zero-concentrated DP"  # what the registry calls a promise in rho
APPROXIMATE, CUSTOM = "Approximate DP", "Custom"
MODELS = MappingProxyType({"local": "Local", "shuffle": "Shuffle", "several": "Varies"})
SEVERAL = "Several offices add the noise together; none of them holds all the data."
NEAR = 1e-9  # relative: what the noise of tables, rounded up, may be off
NEIGHBOURS = MappingProxyType(
    {
        "add_remove": ("any number of", "Adjacent data sets differ by one unit, which one of them lacks"),
        "replace": ("a fixed number of", "Adjacent data sets differ by what one unit holds"),
    }
)
REQUIRED = {  # the registry's required fields under deployment.basic, and the place of each in a decision
    "name": "$.title",
    "data_curators": "$.details.curators",
    "intended_use": "$.details.intended_use",
    "description": "$.release.description",
    "data_product_type": "$.details.product_type",
    "data_product_region": "$.details.region",
    "publication_date": "$.details.publication_date",
}


def registry_entry(record: Record, json_sha256: str, *, tier: int = 3) -> dict[str, Any]:
    """Return the entry of a record for the public Differential Privacy Deployments Registry.

    Arguments: record; json_sha256, the hash of its JSON file, in hexadecimal; tier, 1 to 3.
    Raises InvalidInput naming the first required field that the decision lacks.
    """
    decision, read = to_json(record.decision), record.planned.release
    release, details = decision.get("release", {}), decision.get("details", {})
    mechanisms: list[str] = sorted({mechanism.name for mechanism in read.noise.each})
    basic = {name: plain(edits.get(record.decision, place)) for name, place in REQUIRED.items()}
    for name, place in REQUIRED.items():
        if not basic[name]:
            raise InvalidInput("is missing, and the registry requires it", place, "Answer it in the last step.")
    if not is_day(published := str(basic["publication_date"])):
        why = message('must be a date as year-month-day; found "{found}"', found=published[:40])
        raise InvalidInput(why, REQUIRED["publication_date"], "Write it as 2026-11-21.")
    if not 1 <= tier <= 3:
        raise InvalidInput(message("must be 1, 2 or 3; found {tier}", tier=tier), "tier", "Choose one of these.")
    repetitions = release.get("repetitions", 1)
    once = repetitions == 1 and read.slice not in OVER_TIME
    parameters = _parameters(record, mechanisms)
    deployment = {
        "basic": basic | {"data_product_sector": details.get("sector")},
        "dp_variant": {
            "variant_name": _variant(parameters, mechanisms),
            "data_domain": _domain(release, details),
            "unprotected_quantities": read.unprotected,
        },
        "privacy_loss": {
            "privacy_unit": release.get("unit"),
            "privacy_unit_details": _adjacent(read),
            "privacy_parameters": {name: value for name, value in parameters.items() if value is not None},
            "privacy_parameters_details": "\n".join(_of_parameters(record, parameters)),
        },
        "deployment_model": {
            "model_name": MODELS.get(release.get("trust_model"), "Central"),
            "model_name_details": SEVERAL if release.get("trust_model") == "several" else None,
            "actors": "\n".join(_actors(details)) or None,
            "release_type": "One release" if once else "Many releases",
            "data_source_type": "Static" if once else None,  # a decision does not say whether data change
            "access_type": "Non-interactive",
        },
        "accounting": {
            "post_processing": ", ".join(release.get("post_processing", ())) or None,
            "composition": "\n".join(_composition(record, repetitions)),
        },
        "implementation": {
            "preprocessing_and_hyperparameter_tuning": "\n".join(_tuning(details)) or None,
            "mechanisms": ", ".join(mechanisms),
            "justification": _justification(record),
        },
        "administrative": {
            "registry_authors": list(details.get("authors", ())) or list(details.get("curators", ())),
            "notes": f"decision record, SHA-256 {json_sha256}",
        },
    }
    return {
        "url_slug": slug(str(basic["name"])),
        "status": "Draft",  # an office hands it in, not this program
        "tier": tier,
        "deployment": _without_gaps(deployment),
    }


def _parameters(record: Record, mechanisms: list[str]) -> dict[str, Any]:
    """Return what all repetitions lose: epsilon and delta, or rho where the decision states that."""
    if record.decision.rho is not None:
        return {"rho": _rho(record)}
    delta = record.accounting.delta_in_all if mechanisms_named(mechanisms).needs_delta else None
    return {"epsilon": record.accounting.all_repetitions, "delta": delta}


def _rho(record: Record) -> float:
    """Return what all repetitions lose in rho; never less than the decision states of one."""
    return max(rounded_up(record.decision.rho or 0.0), record.assessment.accounting.rho or 0.0)


def _variant(parameters: dict[str, Any], mechanisms: list[str]) -> str:
    """Return the registry's name of the guarantee: with bounded and unbounded noise together, the weaker one."""
    mechanism = mechanisms_named(mechanisms).one
    if "rho" in parameters:
        return ZERO_CONCENTRATED
    if mechanism is not None or not mechanisms:
        return mechanism.variant if mechanism is not None else CUSTOM
    return APPROXIMATE if parameters.get("delta") is not None else CUSTOM


def _domain(release: dict[str, Any], details: dict[str, Any]) -> str | None:
    """Return which data sets are protected; None where the release does not say how two of them differ."""
    if release.get("neighbours") not in NEIGHBOURS or not release.get("unit"):
        return None
    many, _ = NEIGHBOURS[release["neighbours"]]
    values = f" Possible values: {details['data_domain']}" if details.get("data_domain") else ""
    return f"Data sets of {many} units; one unit is {release['unit']}. Region: {details['region']}.{values}"


def _actors(details: dict[str, Any]) -> Iterator[str]:
    """Yield who has to do with the data, in what role, and the most that reaches them."""
    for actor in details.get("actors", ()):
        role, sees = (word(name, actor.get(name), ENGLISH) if actor.get(name) else "" for name in ("role", "sees"))
        text = "; ".join(piece for piece in (role, f"sees: {sees}" if sees else "") if piece)
        if name := actor.get("name") or (text and "not named"):
            yield f"{name}: {text}" if text else str(name)


def _tuning(details: dict[str, Any]) -> Iterator[str]:
    """Yield on what parameters were tried, and how; with what the possible values are known from."""
    for name, label in (("tuned_on", "Parameters were tried on"), ("domain_source", "Possible values known from")):
        if details.get(name):
            yield f"{label}: {word(name, details[name], ENGLISH)}."
    if details.get("tuning"):
        yield str(details["tuning"])


def _adjacent(release: Release) -> str | None:
    """Return which data sets are adjacent, how much one unit may hold, and of how many units one person may be."""
    if release.neighbours is None:
        return None
    _, differ = NEIGHBOURS[release.neighbours]
    rows, units = release.contributions, release.units_of_a_person or 1
    sentences = [f"{differ}.", f"One unit is in at most {rows} {'row' if rows == 1 else 'rows'}."]
    return " ".join([*sentences, f"One person may be {units} units."] if units > 1 else sentences)


def _of_parameters(record: Record, parameters: dict[str, Any]) -> Iterator[str]:
    """Yield notes on the parameters: the allowed range, and the budget of each of several tables if these add up."""
    yield sentences(record).window
    name = "rho" if "rho" in parameters else "epsilon"
    total, rows = parameters.get(name), record.implementation
    shares = [row.rho if name == "rho" else row.epsilon for row in rows]
    if total is None or len(rows) < 2 or any(share is None for share in shares):
        return
    whole = sum((decimal(share) for share in shares if share is not None), start=Fraction(0))
    if abs(whole - decimal(total)) > NEAR * whole:
        return  # tables of different people, or several repetitions: they do not add up to the total
    for at, (row, share) in enumerate(zip(rows, shares, strict=True)):
        called = re.sub(r"[^\w ,.%/-]+", " ", str(row.part or f"table {at + 1}")).strip()
        yield f"- {called or at + 1}: {name} = {share!r}"


def _composition(record: Record, repetitions: int) -> Iterator[str]:
    """Yield by what rule losses add up, and what rho comes to as epsilon at delta by each rule."""
    times = "repetition" if repetitions == 1 else "repetitions"
    yield f"{record.accounting.rule}; {repetitions} {times}"
    rho, delta = _rho(record), record.assessment.accounting.delta
    for row in record.assessment.accounting.conversions:
        if rho and delta is not None:
            yield f"- By the rule {row.rule}: rho = {rho!r} (epsilon = {row.epsilon!r}, delta = {delta!r})"


def registry_yaml(entry: dict[str, Any]) -> str:
    """Return a registry entry as YAML, headed by the version of the schema it follows."""
    import yaml

    body = yaml.safe_dump(entry, sort_keys=False, allow_unicode=True, width=100)
    return f"# Follows {REGISTRY_SCHEMA}.\n{body}"


def slug(title: str) -> str:
    """Return TITLE as part of an address: lower-case letters, digits and hyphens."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode("ascii").lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:80] or "decision"


def _justification(record: Record) -> str:
    texts = [f"{answer.title}: {answer.bound}. {answer.why}".rstrip() for answer in sentences(record).answers]
    return "\n".join(text for text in (record.decision.justification, *texts) if text)


def _without_gaps(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_gaps(item) for name, item in value.items() if item not in (None, "", [], {})}
    return value
