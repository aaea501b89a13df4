"""A policy as a text file that people read and change: every field with what it asks for, in the language spoken."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from dpwizard.base.messages import message
from dpwizard.privacy.mechanisms import MECHANISMS
from dpwizard.records.policy import FORMAT, Person, Policy
from dpwizard.records.toml_text import explained, written

EXAMPLES: Mapping[str, Any] = MappingProxyType(  # what a field that asks for nothing could ask for
    {
        "largest_epsilon": 1.0,
        "largest_epsilon_in_all": 4.0,
        "largest_delta": 0.000001,
        "mechanisms": tuple(MECHANISMS)[:2],
        "neighbours": ("add_remove",),
        "roles": ("proposes", "approves"),
        "filled": ("$.details.necessity", "$.details.risks", "$.details.review_date"),
        "exceptions": False,
        "valid_from": "2026-01-01",
        "valid_until": "2026-12-31",
        "signed": True,
    }
)
PERSON = Person(name="Ada Officer", certificate="0" * 64, roles=("proposes",))
HEAD = (
    message("What the office asks of every decision on a privacy budget, and whose signatures count."),
    message("A line that begins with # asks for nothing: remove the # and change what stands there."),
    message("Everybody on this computer is asked under it once it lies in the folder of the office as policy.toml."),
)


def template() -> str:
    """Return a policy that asks for nothing yet, with every field explained."""
    return text(Policy(format=FORMAT, name=message("Policy of the office, first version").said()))


def text(policy: Policy) -> str:
    """Return POLICY as TOML that reads as the same policy, with every field explained and an example where it is
    silent."""
    lines = [f"# {line.said()}" for line in HEAD]
    for name in ("format", "name", *EXAMPLES):
        lines += ["", *explained(Policy, name)]
        value, default = getattr(policy, name), Policy.model_fields[name].default
        silent = name in EXAMPLES and value == default
        lines.append(f"# {name} = {written(EXAMPLES[name])}" if silent else f"{name} = {written(value)}")
    lines += ["", *explained(Policy, "people")]
    for field in Person.model_fields:
        lines += explained(Person, field, "  ")
    people = policy.people or (PERSON,)
    for person in people:
        rows = ["[[people]]", *(f"{field} = {written(getattr(person, field))}" for field in Person.model_fields)]
        lines += ["", *(rows if policy.people else (f"# {row}" for row in rows))]
    return "\n".join(lines) + "\n"
