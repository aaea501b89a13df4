"""Numbers into plain sentences."""

from dpwizard.base.language import known_word, word
from dpwizard.wording import (
    assessments,
    figures,
    general_guarantee,
    persons,
    plain_sentences,
    plain_words,
    plans,
    texts,
)
from dpwizard.wording.assessments import bound, position, title, why, window
from dpwizard.wording.equal_digits import LEAST_PLACES
from dpwizard.wording.field_words import field_label
from dpwizard.wording.figures import (
    all_digits,
    chance,
    chance_down,
    chance_up,
    entered_chance,
    epsilon_up,
    format_max,
    format_min,
    in_100,
    listed,
    number,
    quoted,
    share,
    share_up,
    times,
    whole,
    written,
)
from dpwizard.wording.needs import need as need_in_words
from dpwizard.wording.needs import required_figure, tables_asked
from dpwizard.wording.printed_range import (
    End,
    PrintedRange,
    as_typed,
    choice_of,
    printed_limits,
    printed_range,
    range_of,
)
from dpwizard.wording.texts import describe, format_text
from dpwizard.wording.tolerance import accepted
from dpwizard.wording.typed_chances import ChanceField, chances_in, percent
from dpwizard.wording.typed_numbers import readings
