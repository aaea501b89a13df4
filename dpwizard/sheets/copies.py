"""Copies of tables: they keep their figures, but claim nothing of whom they share with others, and no share."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from dpwizard.decision import Decision, Part, edits

PARTS = "$.release.parts"
NOT_COPIED = ("share", "group", "disjoint_with", "moves")  # of the same people: a copy shares its units with the first


def duplicated(decision: Decision, rows: Sequence[int]) -> Decision:
    """Return DECISION with a copy of the parts at ROWS behind the last of them, each under a name of its own.

    Marks for the public edition are copied with them.
    """
    parts, after = decision.release.parts, max(rows) + 1
    taken = {part.name for part in parts}
    copies = []
    for row in sorted(rows):
        copies.append(_copied(parts[row], taken))
        taken.add(copies[-1].name)
    called = {parts[row].name: copy.name for row, copy in zip(sorted(rows), copies, strict=True)}
    copies = [_among(copy, called) for copy in copies]
    made = edits.put(decision, PARTS, (*parts, *copies))
    marks = [
        mark.replace(f"{PARTS}[{row}]", f"{PARTS}[{len(parts) + at}]", 1)
        for at, row in enumerate(sorted(rows))
        for mark in decision.withheld
        if mark == f"{PARTS}[{row}]" or mark.startswith(f"{PARTS}[{row}].")
    ]
    made = edits.put(made, "$.withheld", (*made.withheld, *marks)) if marks else made
    order = (*range(after), *range(len(parts), len(parts) + len(copies)), *range(after, len(parts)))
    return edits.arrange(made, PARTS, order)


def _copied(part: Part, taken: Collection[str | None]) -> Part:
    """Return a copy of PART under a name that is not TAKEN."""
    name = part.name
    if name is not None:
        name = next(each for at in range(2, len(taken) + 3) if (each := f"{part.name} ({at})") not in taken)
    nothing = {field: Part.model_fields[field].default for field in NOT_COPIED}
    return part.model_copy(update={"name": name, **nothing})


def _among(part: Part, called: Mapping[str | None, str | None]) -> Part:
    """Return the copy PART adding up to what was copied with it, by what that is CALLED; to nothing else."""
    sums = (one.model_copy(update={"part": called[one.part]}) for one in part.adds_up_to if one.part in called)
    return part.model_copy(update={"adds_up_to": tuple(sums)}) if part.adds_up_to else part
