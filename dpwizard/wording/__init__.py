"""Numbers into plain sentences."""

from dpwizard.wording.catalogue import known_word
from dpwizard.wording.equal_digits import LEAST_PLACES
from dpwizard.wording.explain import bound, position, say, title, told, why, window, word
from dpwizard.wording.field_words import field_label
from dpwizard.wording.figures import (
    chance,
    epsilon_up,
    exactly,
    fear,
    hope,
    in_100,
    limit,
    listed,
    need,
    number,
    quoted,
    share,
    share_up,
    stated,
    times,
    whole,
    written,
)
from dpwizard.wording.needs import figure_asked, tables_asked
from dpwizard.wording.needs import need as need_in_words
from dpwizard.wording.printed_range import (
    End,
    PrintedRange,
    as_typed,
    choice_of,
    printed_limits,
    printed_range,
    range_of,
)
from dpwizard.wording.tolerance import accepted
from dpwizard.wording.typed_chances import ChanceField, chances_said, percent, says_its_unit
from dpwizard.wording.typed_numbers import readings

__all__ = [
    "LEAST_PLACES",
    "ChanceField",
    "End",
    "PrintedRange",
    "accepted",
    "as_typed",
    "bound",
    "chance",
    "chances_said",
    "choice_of",
    "epsilon_up",
    "exactly",
    "explain",
    "fear",
    "field_label",
    "figure_asked",
    "figures",
    "general_promise",
    "hope",
    "in_100",
    "known_word",
    "limit",
    "listed",
    "need",
    "need_in_words",
    "number",
    "percent",
    "persons",
    "plain_sentences",
    "plain_words",
    "plans",
    "position",
    "printed_limits",
    "printed_range",
    "quoted",
    "range_of",
    "readings",
    "say",
    "says_its_unit",
    "share",
    "share_up",
    "stated",
    "tables_asked",
    "times",
    "title",
    "told",
    "whole",
    "why",
    "window",
    "word",
    "written",
]
