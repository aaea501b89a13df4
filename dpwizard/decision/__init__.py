"""What an officer fills in, and what follows from it: release, requirements, assessment."""

from dpwizard.decision.accounting import Accounting, Conversion, account, deviation, rho_and_mu
from dpwizard.decision.acknowledgement import Acknowledgement
from dpwizard.decision.added_noise import AddedNoise, added_noises, small_groups, widths_of_tables
from dpwizard.decision.adding_up import Group, is_rounded, published_setting, sums_of
from dpwizard.decision.adversaries import ADVERSARIES, Feared, add_feared, feared
from dpwizard.decision.assessment import SETTLED, Answer, Assessment, Window, assess, converted, lengthy
from dpwizard.decision.carried_out import Earlier, as_earlier, counted
from dpwizard.decision.code_lists import with_code_list
from dpwizard.decision.data_description import DataDescription, made_of
from dpwizard.decision.decision import (
    FORMAT,
    Actor,
    Decision,
    Details,
    History,
    Paper,
    Risk,
    new_decision,
    read_decision,
    with_shares,
    written,
)
from dpwizard.decision.digest import Digest
from dpwizard.decision.earlier import Spent
from dpwizard.decision.elicitation_log import (
    ALLOWED,
    MOST_LOOKS,
    Agreed,
    Blur,
    Chance,
    Given,
    Looked,
    Question,
    Reply,
    Session,
    Setup,
    Stands,
    merged,
    read_session,
)
from dpwizard.decision.in_periods import InPeriods, longest_uncut, months
from dpwizard.decision.influence import SHARE, Change, Influence, influences, numbers, smallest_changes
from dpwizard.decision.letterhead import MOST_LINES, Letterhead, OneLine, letterhead_of
from dpwizard.decision.names import attribute_names
from dpwizard.decision.needs_csv import columns_of_needs, with_needs, with_needs_of_tables
from dpwizard.decision.number_requirement import About, NumberRequirement
from dpwizard.decision.other_noise import with_other_noise
from dpwizard.decision.plain_answers import Division
from dpwizard.decision.planning import Plan, Way, plan, ways_out
from dpwizard.decision.reasons import Reason
from dpwizard.decision.recorded import read_assessment
from dpwizard.decision.release import Release, Slice, UnitKind
from dpwizard.decision.requirement import ERROR, BaseRequirement, Limit, Origin
from dpwizard.decision.sensitivity import Derivation, derive, figures
from dpwizard.decision.settings import EachTable, NumberSetting, PrivacySetting
from dpwizard.decision.shares import used
from dpwizard.decision.stated import AddsUpTo, ExactFigure, Part, TableFields, Total
from dpwizard.decision.steps import STEPS, admitted, answered, assumptions, problems, step_of
from dpwizard.decision.table_sums import (
    TableSum,
    Which,
    asked_at,
    chance_of_one,
    readers_add_up,
    sums_read,
    table_sums,
    with_need,
)
from dpwizard.decision.tables import DOUBLE, Neighbours, Table
from dpwizard.decision.trade_off import TradeOff, curve_of_stated
from dpwizard.decision.upgrades import CURRENT, Raw, version
from dpwizard.decision.usual_effect import usual_effect
from dpwizard.decision.worlds import AttributeMoved, UnitPresent, ValueChanged

__all__ = [
    "ADVERSARIES",
    "ALLOWED",
    "CURRENT",
    "DOUBLE",
    "ERROR",
    "FORMAT",
    "MOST_LINES",
    "MOST_LOOKS",
    "SETTLED",
    "SHARE",
    "STEPS",
    "About",
    "Accounting",
    "Acknowledgement",
    "Actor",
    "AddedNoise",
    "AddsUpTo",
    "Agreed",
    "Answer",
    "Assessment",
    "AttributeMoved",
    "BaseRequirement",
    "Blur",
    "Chance",
    "Change",
    "Conversion",
    "DataDescription",
    "Decision",
    "Derivation",
    "Details",
    "Digest",
    "Division",
    "EachTable",
    "Earlier",
    "ExactFigure",
    "Feared",
    "Given",
    "Group",
    "History",
    "InPeriods",
    "Influence",
    "Letterhead",
    "Limit",
    "Looked",
    "Neighbours",
    "NumberRequirement",
    "NumberSetting",
    "OneLine",
    "Origin",
    "Paper",
    "Part",
    "Plan",
    "PrivacySetting",
    "Question",
    "Raw",
    "Reason",
    "Release",
    "Reply",
    "Risk",
    "Session",
    "Setup",
    "Slice",
    "Spent",
    "Stands",
    "Table",
    "TableFields",
    "TableSum",
    "Total",
    "TradeOff",
    "UnitKind",
    "UnitPresent",
    "ValueChanged",
    "Way",
    "Which",
    "Window",
    "account",
    "add_feared",
    "added_noises",
    "admitted",
    "answered",
    "as_earlier",
    "asked_at",
    "assess",
    "assessment",
    "assumptions",
    "attribute_names",
    "chance_of_one",
    "columns_of_needs",
    "converted",
    "counted",
    "curve_of_stated",
    "dependence",
    "derive",
    "derived_fields",
    "deviation",
    "edits",
    "feared",
    "figures",
    "influences",
    "is_rounded",
    "lengthy",
    "letterhead_of",
    "longest_uncut",
    "made_of",
    "merged",
    "months",
    "new_decision",
    "numbers",
    "plan",
    "problems",
    "promises",
    "published_setting",
    "read_assessment",
    "read_decision",
    "read_session",
    "readers_add_up",
    "rho_and_mu",
    "small_groups",
    "smallest_changes",
    "step_of",
    "sums_of",
    "sums_read",
    "table_sums",
    "used",
    "usual_effect",
    "version",
    "ways_out",
    "widths_of_tables",
    "with_code_list",
    "with_need",
    "with_needs",
    "with_needs_of_tables",
    "with_other_noise",
    "with_shares",
    "written",
]
