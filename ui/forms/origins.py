"""Where a number comes from that one might look up in the confidential data: public, assumed, or test data."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dpwizard.decision import Decision, Origin, edits
from dpwizard.wording import word
from ui.forms.choice_editors import ChoiceEditor
from ui.session import DocumentSession
from ui.widgets import tr

KEYS = ("public", "assumed", "test_data")
REQUIREMENT = re.compile(r"(\$\.requirements\[\d+\])\.(.+)")


class OriginChoice(ChoiceEditor):
    """Under a field of a requirement: where its number comes from, kept in the requirement's own list of origins."""

    def __init__(self, session: DocumentSession, field: str, of: str) -> None:
        self.session = session
        place = REQUIREMENT.fullmatch(field)
        self.requirement, self.field = place.groups() if place else ("", field)
        label, offered = tr("Source of this number"), tuple((key, word("origin", key)) for key in KEYS)
        super().__init__(label, tr("Never from the confidential data."), offered)
        self.setObjectName(f"{self.requirement}.origins.{self.field}")
        self.explain(
            tr("Never enter a confidential value. Choose where this comes from: public, assumed, or test data.")
        )
        text = tr("{group}: {what}", group=of, what=label)  # there may be several on a card
        self.box.setAccessibleName(text)
        self.ask.setAccessibleName(tr("What “{field}” means", field=text))
        self.edited.connect(lambda key, _: self._put(key))
        self.hide()  # until it has its place, and its field a value

    def _put(self, key: str | None) -> None:
        kept = tuple(each for each in self._all() if each.field != self.field)
        origins = ({"field": self.field, "origin": key},) if key else ()
        self.session.put(tr("State where a number comes from"), f"{self.requirement}.origins", (*kept, *origins))

    def _all(self) -> tuple[Origin, ...]:
        return edits.get(self.session.decision, f"{self.requirement}.origins") or ()

    def refresh(self) -> None:
        """Show what the requirement says of its field."""
        known = next((each.origin for each in self._all() if each.field == self.field), None)
        self.show_value(known)
        origin = edits.get(self.session.decision, f"{self.requirement}.{self.field}")
        self.setVisible(known is not None or origin is not None)  # nothing to ask about a number that is not there


def origin_of(decision: Decision, where: str) -> str | None:
    """Return the stated origin of the value at WHERE, a field of a requirement; None if there is none."""
    place = REQUIREMENT.fullmatch(where)
    origins = edits.get(decision, f"{place.group(1)}.origins") if place else None
    return next((each.origin for each in origins or () if place and each.field == place.group(2)), None)


def with_origins_moved(decision: Decision, where: str, order: Sequence[int]) -> Decision:
    """Return DECISION with the origins of the rows in the list at WHERE moved along: row i was row ORDER[i]."""
    place = REQUIREMENT.fullmatch(where)
    origins = edits.get(decision, f"{place.group(1)}.origins") if place else ()
    if not place or not origins:
        return decision
    row, moved = re.compile(re.escape(place.group(2)) + r"\[(\d+)\](.*)"), []
    for origin in origins:
        hit = row.fullmatch(origin.field)
        if hit is None:
            moved.append(origin)
        elif int(hit.group(1)) in order:
            moved.append(
                origin.model_copy(update={"field": f"{place.group(2)}[{order.index(int(hit.group(1)))}]{hit.group(2)}"})
            )
    return edits.put(decision, f"{place.group(1)}.origins", tuple(moved))
