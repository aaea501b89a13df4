"""How a budget is shared out among tables that do not state their share: by what each needs, or by weights."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from dpwizard.base.errors import DPWizardError
from dpwizard.decision.histories import disjoint_groups, histories
from dpwizard.decision.number_requirement import NumberRequirement
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement
from dpwizard.decision.settings import NumberSetting, number_of
from dpwizard.decision.shares import used
from dpwizard.decision.stated import Part
from dpwizard.decision.tables import Table
from dpwizard.privacy.mechanisms import IN_RHO

WHOLE = 10**15  # portions are whole numbers of so many parts of the largest, so that they come to 1 exactly


def allotted(release: Release, requirements: Iterable[BaseRequirement]) -> Release:
    """Return RELEASE with a share for each table that states none, as its allocation says.

    Arguments: requirements, of which the enabled needs of accuracy count. By needs, each table gets a share in
    proportion to the least budget of its own that meets its needs, so that what is left over widens all alike; by
    weights, the shares with the least weighted sum of variances. What tables state stays, and the others share what
    that leaves. A table without a need has no share by needs, and neither has any where one is not known yet. The
    release itself is returned where its tables are stated. Source: Theorem 7, docs/methods/programmes.md.
    """
    if release.allocation in (None, "stated"):
        return release
    open_parts = [at for at, part in enumerate(release.parts) if (part.share, part.epsilon, part.rho) == (None,) * 3]
    if not open_parts:
        return release
    tables = {at: release.tables[at] for at in open_parts if not release.tables[at].noise.absent}
    asked = needs(release, requirements) if release.allocation == "needs" else _weighted(release, tables)
    amounts = {at: asked.get(table.name, 0.0) for at, table in tables.items()}
    mixed = release.noise.takes_delta and not release.noise.only_deltas
    fixed = {at for at, table in tables.items() if mixed and not table.noise.takes_delta}
    # beside rho, noise with a largest loss spends what it needs and no more
    changed: dict[int, dict[str, object]] = {at: {"epsilon": amounts[at]} for at in fixed if amounts[at]}
    changed |= _portions(release, {at: table for at, table in tables.items() if at not in fixed}, amounts)
    parts = tuple(_with(part, changed.get(at, {})) for at, part in enumerate(release.parts))
    return release.model_copy(update={"parts": parts})


def _with(part: Part, changes: dict[str, object]) -> Part:
    return part.model_copy(update=changes) if changes else part


def _portions(release: Release, tables: dict[int, Table], amounts: dict[int, float]) -> dict[int, dict[str, object]]:
    """Return the shares of TABLES in proportion to AMOUNTS, as exact fractions of what stated shares leave."""
    most = max((amounts[at] for at in tables), default=0.0)
    if not 0.0 < most < math.inf:
        return {}
    parts = {at: Fraction(math.ceil(amounts[at] / most * WHOLE)) for at in tables if amounts[at] > 0.0}
    whole = used(
        histories(
            (replace(tables[at], portion=part) for at, part in parts.items()), release.at_most_years, release.in_periods
        )
    )
    left = 1 - release.share_total()
    if left <= 0:
        return {}
    shares = {at: left * part / whole for at, part in parts.items()}
    return {at: {"share": f"{share.numerator}/{share.denominator}"} for at, share in shares.items()}


def needs(release: Release, requirements: Iterable[BaseRequirement]) -> dict[str | None, float]:
    """Return the least budget of its own, for all the times it is made, that meets the needs of each table by name.

    It is rho of Gaussian noise and epsilon of other noise; rounded up. inf where no noise is small enough; a table is
    left out where it has no need, or a figure of it is missing.
    """
    found: dict[str | None, float] = {}
    for requirement in requirements:
        if not isinstance(requirement, NumberRequirement) or not requirement.enabled or requirement.missing():
            continue
        for table in requirement.asks_each(release):
            setting = number_of(table, rule=IN_RHO.rule, alone=True)
            if not isinstance(setting, NumberSetting):
                continue
            setting = requirement.summed(setting)
            try:
                limit = requirement.limit(setting)
            except DPWizardError:
                continue
            least = {"allowed": limit.epsilon, "infeasible": math.inf}.get(limit.status)
            if least is not None:
                found[table.name] = max(found.get(table.name, 0.0), setting.need(least))
    return found


def _weighted(release: Release, tables: dict[int, Table]) -> dict[str | None, float]:
    """Return portions with the least weighted sum of variances, those that Gaussian or Laplace noise would have.

    Tables that no unit shares each get what the largest of them gets; where a unit can move from one to another, two
    of them count.
    """
    found: dict[str | None, float] = {}
    weights = {release.tables[at].name: release.parts[at].weight or 1.0 for at in tables}
    for group in disjoint_groups(tables.values()):
        moving = [table for table in group if table.neighbours == "replace" and table.moves is not False]
        counted = 2.0 if len(moving) > 1 else 1.0
        sums: dict[bool, float] = defaultdict(float)
        for table in group:
            normal, distance = table.noise.takes_delta, table.sensitivity or 0.0
            # each of its times has the portion divided by their number, and its variance counts as often
            sums[normal] += weights[table.name] * distance**2 * table.made ** (2 if normal else 3)
        for table in group:
            total = sums[table.noise.takes_delta] / counted
            # a variance of D^2/(2 rho), or of 2 D^2/epsilon^2: Theorem 7
            found[table.name] = math.sqrt(total) if table.noise.takes_delta else math.cbrt(total)
    return found
