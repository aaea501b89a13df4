"""An entry of the public registry of deployments as claims: its parameters, and the figures its texts state plainly.

Its fields are read by name. Of its prose only three forms are read: an item of a list with one figure whose sub-items
have one each, which are its parts; a rho with the epsilon and the delta it corresponds to; and thresholds, written tau.
Whatever else a text says stays unread, and nothing is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import read
from dpwizard.examination.claim import Claim, Variant

# the names of the registry’s schema, as of commit 3e9c812 of its repository
VARIANTS: Mapping[str, Variant] = {
    "Pure DP": "pure",
    "Approximate DP": "approximate",
    "Zero-concentrated DP": "zcdp",
}
SLICES = ("day", "week", "month", "year")
LONGEST = 50_000  # characters of one text
SUBJECT = ("dp_variant", "privacy_loss", "accounting")  # the sections whose texts are read
_LATEX = re.compile(r"\\+[()]|[{}$*_]|\\,")
_POWER = re.compile(r"(?:(\d+(?:\.\d+)?)\s*(?:×|x|\\times|\\cdot)\s*)?10\s*\^?\s*([-−–]\s*\d{1,3})")
_SIGNS = ((r"\\?epsilon|ε|ϵ", "epsilon"), (r"\\?delta|δ", "delta"), (r"\\?rho|ρ", "rho"), (r"\\?tau\b|τ", "tau"))
_FIGURE = re.compile(
    r"\b(epsilon|delta|rho|tau)(?![a-z])\w{0,2}'?\s*=\s*(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\d.]*\d|\s*[*·×])"
)
_NUMBER = re.compile(r"[\d.eE+-]{1,60}")
_ITEM = re.compile(r"^(\s*)[-•]\s+(.*)$")


@dataclass
class _Item:
    """An item of a list in a text, with those below it."""

    depth: int
    text: str
    below: list[_Item] = field(default_factory=list)


def is_entry(raw: Any) -> bool:
    """Return whether RAW is an entry of the registry."""
    return isinstance(raw, Mapping) and isinstance(raw.get("deployment"), Mapping)


def title_of(raw: Mapping[str, Any]) -> str:
    """Return what an entry calls itself."""
    basic = raw["deployment"].get("basic")
    name = basic.get("name") if isinstance(basic, Mapping) else None
    return name if isinstance(name, str) else ""


def claims(raw: Mapping[str, Any]) -> tuple[tuple[str, Claim], ...]:
    """Return what an entry claims, each with its place: first the parameters, with parts where its text lists them.

    Raises InvalidInput naming the field that is not what the registry's schema says.
    """
    loss, variant = _section(raw, "privacy_loss"), _section(raw, "dp_variant")
    stated = _parameters(loss)
    texts = dict(_texts(raw))
    details = texts.get("$.deployment.privacy_loss.privacy_parameters_details", "")
    name = variant.get("variant_name")
    unit = loss.get("privacy_unit")
    main = {
        **stated,
        "name": title_of(raw)[:1_000],
        **({"variant": VARIANTS.get(str(name), "other")} if name else {}),
        **({"unit": unit.strip()[:1_000]} if isinstance(unit, str) else {}),
        **({"slice": slice_} if (slice_ := _slice(unit)) else {}),
        "parts": _top_parts(details, stated),
        "repeated": _thresholds(texts),
    }
    where = "$.deployment.privacy_loss"
    stated_claims: list[tuple[str, Claim]] = [(where, read(Claim, main, where))]
    for place, text in texts.items():
        stated_claims += [(place, read(Claim, one, place)) for one in _read_from(text)]
    return tuple(stated_claims)


def _section(raw: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    section = raw["deployment"].get(name)
    if section is None:
        return {}
    if not isinstance(section, Mapping):
        raise InvalidInput("must be an object", f"$.deployment.{name}", "See the registry’s schema.")
    return section


def _parameters(loss: Mapping[str, Any]) -> dict[str, str]:
    where = "$.deployment.privacy_loss.privacy_parameters"
    parameters = loss.get("privacy_parameters")
    if parameters is None:
        return {}
    if not isinstance(parameters, Mapping):
        raise InvalidInput("must be an object", where, "See the registry’s schema.")
    known = ("epsilon", "delta", "rho")
    for name in parameters:
        if name not in known:
            raise InvalidInput(
                message('must be one of {choices}; found "{found}"', choices=", ".join(known), found=str(name)[:40]),
                where,
                "See the registry’s schema.",
            )
    if not _NUMBER.fullmatch(str(parameters.get("delta") or "")):  # the schema allows a text, such as a formula
        parameters = {name: value for name, value in parameters.items() if name != "delta"}
    return {name: value for name, value in parameters.items() if value is not None}


def _slice(unit: Any) -> str:
    """Return of how much time a unit is that is called a user-day, a device-day, and the like."""
    words = re.findall(r"[a-z]+", unit.lower()) if isinstance(unit, str) else []
    return next((one for one in SLICES if one in words), "")


def _texts(raw: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the texts that may state figures, each with its place, and its signs written one way."""
    for section in SUBJECT:
        for name, text in _section(raw, section).items():
            if isinstance(text, str) and len(text) <= LONGEST:
                yield f"$.deployment.{section}.{name}", _with_plain_signs(text)


def _with_plain_signs(text: str) -> str:
    """Return TEXT without the marks of formulas, its signs as words and its powers of ten as numbers."""
    plain = text
    for sign, word in _SIGNS:
        plain = re.sub(sign, word, plain)
    plain = _LATEX.sub("", plain)
    return _POWER.sub(
        lambda match: f"{match[1] or '1'}e{match[2].replace('−', '-').replace('–', '-').replace(' ', '')}", plain
    )


def _figures(text: str) -> list[tuple[str, str]]:
    return [(match[1], match[2]) for match in _FIGURE.finditer(text)]


# --------------------------------------------------------------------------------------------- lists in a text


def _items(text: str) -> list[_Item]:
    """Return the items at the top of the list in TEXT, each with those below it; a line without a mark goes on."""
    top: list[_Item] = []
    path: list[_Item] = []
    for line in text.splitlines():
        mark = _ITEM.match(line)
        if mark is None:
            if path and line.strip():
                path[-1].text += f" {line.strip()}"
            continue
        item = _Item(len(mark[1]), mark[2])
        while path and path[-1].depth >= item.depth:
            path.pop()
        (path[-1].below if path else top).append(item)
        path.append(item)
    return top


def _one_figure(item: _Item, quantity: str = "") -> tuple[str, str] | None:
    """Return the only figure of an item, of QUANTITY where it is named; with a rho, its epsilon and delta go along."""
    figures = [figure for figure in _figures(item.text) if figure[0] != "tau"]
    matching = [figure for figure in figures if figure[0] == quantity] if quantity else figures
    if quantity == "epsilon" and any(figure[0] == "rho" for figure in figures):
        return None
    return matching[0] if len(matching) == 1 and (quantity or len(figures) == 1) else None


def _parts(items: list[_Item], quantity: str) -> tuple[dict[str, Any], ...]:
    """Return ITEMS as parts stated in QUANTITY; nothing where one of them does not state it once."""
    stated = [(item, _one_figure(item, quantity)) for item in items]
    if len(items) < 2 or any(one is None for _, one in stated):
        return ()
    return tuple({"name": _name_of(item), quantity: one[1]} for item, one in stated if one is not None)


def _name_of(item: _Item) -> str:
    return re.split(r"[:=(]", item.text, maxsplit=1)[0].strip()[:200] or "-"


def _top_parts(text: str, stated: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """Return the parts that the details of the parameters list: of the whole list, or of the item with the total."""
    quantity = "rho" if "rho" in stated else "epsilon" if "epsilon" in stated else ""
    items = _items(text) if quantity else []
    if parts := _parts(items, quantity):
        return parts
    for item in items:
        figure = _one_figure(item, quantity)
        if figure is not None and figure[1] == str(stated[quantity]) and (parts := _parts(item.below, quantity)):
            return parts
    return ()


def _read_from(text: str) -> Iterator[dict[str, Any]]:
    """Yield the claims in TEXT: totals with parts below them, and each rho with its epsilon and delta."""
    waiting = _items(text)
    while waiting:
        item = waiting.pop(0)
        waiting += item.below
        figure = _one_figure(item)
        if figure is not None and figure[0] == "epsilon" and (parts := _parts(item.below, "epsilon")):
            yield {"name": _name_of(item), "epsilon": figure[1], "parts": parts}
        figures = dict(in_text := _figures(item.text))
        if len(in_text) == 3 and figures.keys() == {"rho", "epsilon", "delta"}:
            yield {"name": _name_of(item), **figures}


def _thresholds(texts: Mapping[str, str]) -> tuple[dict[str, Any], ...]:
    """Return the thresholds of each text, where several state as many: sorted, they are one and the same."""
    stated: list[tuple[str, ...]] = []
    for text in texts.values():
        values_stated = {value for name, value in _figures(text) if name == "tau"}
        if values_stated:
            stated.append(tuple(sorted(values_stated, key=float)))
    if len(stated) < 2 or len({len(one) for one in stated}) > 1:
        return ()
    return tuple(
        {"name": f"tau {at + 1}" if len(stated[0]) > 1 else "tau", "values": values}
        for at, values in enumerate(zip(*stated, strict=True))
    )
