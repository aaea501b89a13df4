"""The pages in the order of the steps, each made (and what it needs imported) when it is first wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from dpwizard.decision import STEPS
from ui.host import Host
from ui.pages import Page
from ui.session import DocumentSession

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

    def __init__(self, session: DocumentSession, host: Host, begun: Callable[[Page], None]) -> None:
        """Tell BEGUN of each page before anything is on it, so that it has its place in the window from the first."""
        self._session, self._host, self._tell = session, host, begun
        self._begun: dict[str, Page] = {}
        self._made: dict[str, Page] = {}
        self._at_work: Page | None = None  # of which some pieces are made, and may have no place on it yet
        self._pieces = self._in_pieces()

    def __getitem__(self, key: str) -> Page:
        if key not in self._made:
            page = self._begin(key)
            page.make()
            self._made[key] = page
        return self._made[key]

    def _begin(self, key: str) -> Page:
        """Return the page of the step KEY, of which nothing but its question may be made."""
        if key not in self._begun:
            self._begun[key] = page = _kind(key)(self._session, self._host)
            self._tell(page)
        return self._begun[key]

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    @property
    def made(self) -> tuple[Page, ...]:
        """Return the pages that have been made so far."""
        return tuple(self._made.values())

    def make_next(self) -> bool:
        """Make a piece of the first page that is not made yet; return whether there may be more."""
        return next(self._pieces, True) is None

    def finish(self) -> None:
        """Make the rest of a page that is half made: then all of it has its place, and goes with the page."""
        if self._at_work is not None:
            self._at_work.make_technical()

    def _in_pieces(self) -> Iterator[None]:
        import_module("dpwizard.elicitation")  # by which a card tells whether questions can be asked
        yield
        for key in KEYS:
            _kind(key)  # imports what it needs
            yield
            page = self._begin(key)
            yield
            self._at_work = page
            while page.make_piece():
                yield
            self._at_work = None
            _ = self[key]
            yield
