"""The pages in the order of the steps, each made (and what it needs imported) when it is first wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ui import theme
from ui.pages.page import Page
from ui.session import Session

Maker = Callable[[Session, theme.Colours], Page]


def _release(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.release import ReleasePage

    return ReleasePage(session, colours)


def _adversary(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.adversary import AdversaryPage

    return AdversaryPage(session, colours)


def _profile(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.profile import ProfilePage

    return ProfilePage(session, colours)


def _budget(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.budget import BudgetPage

    return BudgetPage(session, colours)


def _accuracy(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.accuracy import AccuracyPage

    return AccuracyPage(session, colours)


def _decision(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.decision import DecisionPage

    return DecisionPage(session, colours)


def _review(session: Session, colours: theme.Colours) -> Page:
    from ui.pages.review import ReviewPage

    return ReviewPage(session, colours)


MAKERS: Mapping[str, Maker] = {
    "release": _release,
    "adversary": _adversary,
    "profile": _profile,
    "budget": _budget,
    "accuracy": _accuracy,
    "decision": _decision,
    "review": _review,
}


class Pages(Mapping[str, Page]):
    """The pages by the key of their step; asking for one makes it."""

    def __init__(self, session: Session, colours: theme.Colours, made: Callable[[Page], None]) -> None:
        self._session, self._colours, self._tell = session, colours, made
        self._made: dict[str, Page] = {}

    def __getitem__(self, key: str) -> Page:
        if key not in self._made:
            page = MAKERS[key](self._session, self._colours)
            self._made[key] = page
            self._tell(page)
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(MAKERS)

    def __len__(self) -> int:
        return len(MAKERS)

    @property
    def made(self) -> tuple[Page, ...]:
        """Return the pages that have been made so far."""
        return tuple(self._made.values())

    def make_next(self) -> bool:
        """Make the first page that is not made yet; return whether there was one."""
        missing = next((key for key in MAKERS if key not in self._made), None)
        if missing is not None:
            _ = self[missing]
        return missing is not None
