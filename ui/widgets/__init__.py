"""The small parts all pages are built of."""

from ui.widgets.dialogs import (
    breakable,
    close_menus,
    column_of,
    complain,
    is_small,
    on_screen,
    open_once,
    scrolled,
    within_reach,
)
from ui.widgets.folding import Card, Fold, MenuButton, chevron
from ui.widgets.link import Caption, InlineLink, Link, broken
from ui.widgets.parts import added, button_for, clear, drop, fill, laid_out, named, plain, restyle, unmnemonic
from ui.widgets.side_by_side import FieldGrid, SideBySide, Words, in_a_row, later
from ui.widgets.warning import Notice, Problem, Status, WarningBox, WarningSign, paint_warning_sign
from ui.widgets.words import moment, tr, within

__all__ = [
    "Caption",
    "Card",
    "FieldGrid",
    "Fold",
    "InlineLink",
    "Link",
    "MenuButton",
    "Notice",
    "Problem",
    "SideBySide",
    "Status",
    "WarningBox",
    "WarningSign",
    "Words",
    "added",
    "breakable",
    "broken",
    "button_for",
    "chevron",
    "clear",
    "close_menus",
    "column_of",
    "complain",
    "drop",
    "fill",
    "in_a_row",
    "is_small",
    "laid_out",
    "later",
    "moment",
    "named",
    "on_screen",
    "open_once",
    "paint_warning_sign",
    "plain",
    "restyle",
    "scrolled",
    "theme",
    "tr",
    "unmnemonic",
    "within",
    "within_reach",
]
