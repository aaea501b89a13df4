"""The pages in the order of the steps; each is imported and made when it is first needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import import_module

from dpwizard.decision import STEPS
from ui.host import Host
from ui.pages import Page
from ui.session import DocumentSession

KEYS = tuple(step.key for step in STEPS)


def _page_class(step: str) -> type[Page]:
    """Return the class of the page of STEP, such as AdversaryPage of "adversary"."""
    if step not in KEYS:
        raise KeyError(step)
    page_class: type[Page] = getattr(import_module(f"ui.pages.{step}"), f"{step.capitalize()}Page")
    return page_class


class Pages(Mapping[str, Page]):
    """The pages by the key of their step; reading one makes it."""

    def __init__(self, session: DocumentSession, host: Host, begun: Callable[[Page], None]) -> None:
        """Call BEGUN with each page while it is empty, so that it is in the window from the start."""
        self._session, self._host, self._add_to_window = session, host, begun
        self._begun_pages: dict[str, Page] = {}
        self._made_pages: dict[str, Page] = {}
        self._half_made: Page | None = None  # some pieces of it are made, perhaps not in their places yet
        self._pieces = self._make_pieces()

    def __getitem__(self, key: str) -> Page:
        if key not in self._made_pages:
            page = self._begin_page(key)
            page.make()
            self._made_pages[key] = page
        return self._made_pages[key]

    def _begin_page(self, key: str) -> Page:
        """Return the page of the step KEY, perhaps with nothing but its question."""
        if key not in self._begun_pages:
            self._begun_pages[key] = page = _page_class(key)(self._session, self._host)
            self._add_to_window(page)
        return self._begun_pages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(KEYS)

    def __len__(self) -> int:
        return len(KEYS)

    @property
    def made(self) -> tuple[Page, ...]:
        """Return the pages made so far."""
        return tuple(self._made_pages.values())

    def make_next(self) -> bool:
        """Make a piece of the next page; return whether there may be more."""
        return next(self._pieces, True) is None

    def finish(self) -> None:
        """Complete a page that is half made, so that all its pieces are deleted with it."""
        if self._half_made is not None:
            self._half_made.make_technical()

    def _make_pieces(self) -> Iterator[None]:
        import_module("dpwizard.elicitation")  # cards use it to offer questions
        yield
        for key in KEYS:
            _page_class(key)  # imports what it needs
            yield
            page = self._begin_page(key)
            yield
            self._half_made = page
            while page.make_piece():
                yield
            self._half_made = None
            _ = self[key]
            yield
