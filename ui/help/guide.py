"""The pages of the guide: their files, their languages, the search in them, and the button that opens one.

A page is named by its place below docs/guide in English, such as `requirements/rmse.md` or `../record-format.md`.
"""

from __future__ import annotations

import functools
import posixpath
import re
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QPushButton

from dpwizard import decision
from dpwizard.base.language import ENGLISH, spoken
from dpwizard.base.resource_files import DOCUMENTS
from ui.host import Host
from ui.widgets import tr

GUIDE = DOCUMENTS / "guide"
CONTENTS, KEYBOARD, GLOSSARY, STEPS = "README.md", "keyboard.md", "glossary.md", "steps.md"
SECOND_OPINION = "second-opinion.md"
CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
PICTURE = re.compile(r"!\[[^\]]*\]\([^)\s]+\)")
LINK = re.compile(r"(?<!!)\[((?:!\[[^\]]*\]\([^)\s]+\)|[^\[\]])+)\]\(([^)\s]+)\)")
AROUND = 40  # characters on either side of what is found
PICTURES = (".png",)


@dataclass(frozen=True)
class Listed:
    """A line of the contents: a page with its title, or, without a page, the heading of a group."""

    title: str
    page: str


@dataclass(frozen=True)
class Hit:
    """A page in which all words searched for occur, with the place where the first one is met."""

    page: str
    title: str
    around: str


def requirement(kind: str) -> str:
    """Return the page of a KIND of requirement."""
    return f"requirements/{kind}.md"


def place(page: str, language: str) -> Path:
    """Return the file of PAGE in LANGUAGE; the English one where there is no other."""
    other = GUIDE / language / page
    return other if language != ENGLISH and ".." not in page and other.is_file() else GUIDE / page


def exists(page: str) -> bool:
    """Return whether PAGE is a text or a picture of the documents that this installation has."""
    path = (GUIDE / page).resolve()
    return page.endswith((".md", *PICTURES)) and path.is_relative_to(DOCUMENTS) and path.is_file()


def is_picture(page: str) -> bool:
    """Return whether PAGE is a picture to be seen in its full size."""
    return page.endswith(PICTURES)


def translated(page: str, language: str) -> bool:
    """Return whether PAGE can be read in LANGUAGE."""
    return language == ENGLISH or is_picture(page) or place(page, language) != place(page, ENGLISH)


def read(page: str, language: str) -> str:
    """Return the Markdown of PAGE in LANGUAGE, in English where there is no other; "" if the installation lacks it."""
    if is_picture(page):
        name = posixpath.basename(page)
        return f"![{name}]({name})"  # a picture without words would not be set
    return _read(place(page, language))


@functools.cache
def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except OSError:
        return ""


def link_target(page: str, language: str, link: str) -> tuple[str, str]:
    """Return what LINK in the text of PAGE in LANGUAGE leads to: the file itself tells from where it is counted."""
    name, _, heading = link.partition("#")
    if not name:
        return page, heading
    folder = place(page, language).parent
    path = Path(posixpath.normpath(posixpath.join(folder.as_posix(), name)))
    if not path.is_relative_to(DOCUMENTS):
        return "", heading
    in_english = re.sub(r"^guide/[a-z]{2}/", "guide/", path.relative_to(DOCUMENTS).as_posix())
    return posixpath.relpath(in_english, "guide"), heading


def title(text: str) -> str:
    """Return the first heading of a TEXT, without marks."""
    heading = re.search(r"^# +(.+)$", text, re.MULTILINE)
    return plain(heading.group(1)).strip() if heading else ""


def anchor(heading: str) -> str:
    """Return what a link calls a HEADING."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def step_heading(number: int, language: str) -> str:
    """Return the heading, on the page of the steps, of the step of that NUMBER from 0."""
    headings = re.findall(r"^## +(.+)$", read(STEPS, language), re.MULTILINE)
    return anchor(headings[number]) if number < len(headings) else ""


@functools.cache
def contents(language: str) -> tuple[Listed, ...]:
    """Return the groups and pages that the contents name, in their order."""
    pages = [Listed(title(read(CONTENTS, language)), CONTENTS)]
    for line in read(CONTENTS, language).splitlines():
        heading = re.match(r"## +(.+)$", line)
        entry = re.match(r"- \[([^\]]+)\]\(([^)\s]+)\)", line)
        if heading:
            pages.append(Listed(heading.group(1), ""))
        elif entry:
            page, _ = link_target(CONTENTS, language, entry.group(2))
            if exists(page):
                pages.append(Listed(entry.group(1), page))
    return tuple(pages)


def plain(text: str) -> str:
    """Return a Markdown TEXT as it is read: without pictures, links and marks."""
    without = LINK.sub(lambda hit: hit.group(1), PICTURE.sub("", text))
    return re.sub(r"^```.*$|^[-| :]+$|^#+ +|^> ?|[*`|]", "", without, flags=re.MULTILINE)


def search(words: str, language: str) -> tuple[Hit, ...]:
    """Return the pages in which every one of WORDS occurs, whatever its case: those with them in the title first."""
    asked = words.casefold().split()
    hits: list[tuple[int, Hit]] = []
    for listed in contents(language):
        if not asked or not listed.page or listed.page == CONTENTS:
            continue
        text = " ".join(plain(read(listed.page, language)).split())
        folded = text.casefold()
        if not all(word in folded or word in listed.title.casefold() for word in asked):
            continue
        whole = " ".join(asked)
        met = whole if whole in folded else asked[0]
        at = max(0, folded.find(met, len(listed.title)))  # behind the title, which is said anyway
        begin, end = max(0, at - AROUND), at + len(met) + AROUND
        around = f"{'…' if begin else ''}{text[begin:end].strip()}{'…' if end < len(text) else ''}"
        rank = 0 if all(word in listed.title.casefold() for word in asked) else 1 if whole in folded else 2
        hits.append((rank, Hit(listed.page, listed.title, around)))
    return tuple(hit for _, hit in sorted(hits, key=lambda hit: hit[0]))


def offline(page: str, language: str) -> str:
    """Return the Markdown of PAGE as the window shows it: what lies outside the documents is text, not a link."""
    parts: list[str] = []
    at = 0
    text = read(page, language)
    for code in [*CODE.finditer(text), None]:
        end = code.start() if code is not None else len(text)
        parts.append(LINK.sub(lambda hit: _offline(hit, page, language), text[at:end]))
        if code is not None:
            parts.append(code.group())
            at = code.end()
    return "".join(parts)


def _offline(hit: re.Match[str], page: str, language: str) -> str:
    words, link = hit.groups()
    if re.match(r"[a-z]+:", link):
        return f"{words} (`{link}`)"
    name, heading = link_target(page, language, link)
    if exists(name):
        return hit.group() if heading or "#" not in link else f"[{words}]({link.partition('#')[0]})"
    return str(words)  # a picture that enlarges elsewhere, or a file that only the source has


def picture(page: str, language: str, name: str, *, dark: bool) -> Path | None:
    """Return the file of the picture NAME in the text of PAGE, the one for a dark window if asked for and there."""
    path = (place(page, language).parent / name).resolve()
    if not path.is_relative_to(DOCUMENTS):
        return None
    darker = path.with_name(path.name.replace("-light", "-dark"))
    return darker if dark and darker.is_file() else path if path.is_file() else None


class GuideLink(QPushButton):
    """Opens one page of the guide; on the page of the steps, at the STEP named."""

    def __init__(self, host: Host, page: str, about: str, step: str | None = None) -> None:
        super().__init__(tr("Guide"))
        self.setObjectName("small")
        self.page, self.step = page, step
        self.setAccessibleName(tr("Guide: {what}", what=about))
        self.setToolTip(self.accessibleName())
        heading = step_section(step) if step is not None else ""
        self.clicked.connect(lambda: host.show_guide(page, heading))


def step_section(key: str) -> str:
    """Return the heading that speaks of the step KEY, in the language spoken."""
    return step_heading([step.key for step in decision.STEPS].index(key), spoken())
