"""The pages in the order of the steps, each made (and what it needs imported) when it is first wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from dpwizard.decision import STEPS
from ui.host import Host
from ui.pages import Page
from ui.session import Session

KEYS = tuple(step.key for step in STEPS)


def _kind(step: str) -> type[Page]:
    """Return the page of a step. What it needs is imported with it."""
    match step:
        case "release":
            from ui.pages.release import ReleasePage

            return ReleasePage
        case "adversary":
            from ui.pages.adversary import AdversaryPage

            return AdversaryPage
        case "profile":
            from ui.pages.profile import ProfilePage

            return ProfilePage
        case "budget":
            from ui.pages.budget import BudgetPage

            return BudgetPage
        case "accuracy":
            from ui.pages.accuracy import AccuracyPage

            return AccuracyPage
        case "decision":
            from ui.pages.decision import DecisionPage

            return DecisionPage
        case "review":
            from ui.pages.review import ReviewPage

            return ReviewPage
    raise KeyError(step)


class Pages(Mapping[str, Page]):
    """The pages by the key of their step; asking for one makes it."""

    def __init__(self, session: Session, host: Host, made: Callable[[Page], None]) -> None:
        self._session, self._host, self._tell = session, host, made
        self._made: dict[str, Page] = {}

    def __getitem__(self, key: str) -> Page:
        if key not in self._made:
            page = _kind(key)(self._session, self._host)
            self._made[key] = page
            self._tell(page)
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    @property
    def made(self) -> tuple[Page, ...]:
        """Return the pages that have been made so far."""
        return tuple(self._made.values())

    def make_next(self) -> bool:
        """Make the first page that is not made yet; return whether there was one."""
        missing = next((key for key in KEYS if key not in self._made), None)
        if missing is not None:
            _ = self[missing]
        return missing is not None
