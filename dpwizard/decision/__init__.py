"""The officer's input and the results: release, requirements, assessment."""

from dpwizard.decision import assessment, dependence, derived_fields, edits, release_flaws
from dpwizard.decision.accounting import Accounting, Conversion, account, deviation, rho_and_mu
from dpwizard.decision.accuracy_requirement import About, AccuracyRequirement
from dpwizard.decision.added_noise import AddedNoise, added_noises, small_groups, widths_of_tables
from dpwizard.decision.adding_up import Group, is_rounded, published_setting, sums_of
from dpwizard.decision.adversaries import ADVERSARIES, AdversaryTemplate, add_feared, feared, usual_effect
from dpwizard.decision.assessment import (
    AllowedRange,
    Assessment,
    RequirementResult,
    assess,
    slow_requirements,
)
from dpwizard.decision.carried_out import Earlier, counted, to_earlier_releases
from dpwizard.decision.data_description import DataDescription, breakdown, with_code_list
from dpwizard.decision.decision import (
    FORMAT,
    Acknowledgement,
    Actor,
    Decision,
    Details,
    History,
    Paper,
    ResidualRisk,
    new_decision,
    read_decision,
    to_json,
    with_shares,
)
from dpwizard.decision.earlier import Digest, EarlierRelease
from dpwizard.decision.elicitation_log import (
    ALLOWED,
    MOST_LOOKS,
    AccuracyOption,
    Agreed,
    Chance,
    ElicitationSession,
    Given,
    Looked,
    Question,
    Reply,
    Setup,
    Stands,
    merged,
    read_session,
)
from dpwizard.decision.in_periods import InPeriods, longest_uncut, months
from dpwizard.decision.letterhead import MOST_LINES, Letterhead, OneLine, letterhead_of
from dpwizard.decision.names import attribute_names
from dpwizard.decision.needs_csv import columns_of_needs, with_needs, with_needs_of_tables
from dpwizard.decision.neighbouring import AddOrRemoveOne, AttributeChange, ReplaceOne
from dpwizard.decision.number_changes import (
    MinimalChange,
    OneAtATimeEffect,
    decided_numbers,
    one_at_a_time_effects,
    smallest_changes,
)
from dpwizard.decision.plain_answers import Division
from dpwizard.decision.planning import Plan, Way, plan, resolutions, with_other_noise
from dpwizard.decision.reasons import Reason
from dpwizard.decision.recorded import read_assessment
from dpwizard.decision.release import OVER_TIME, PARTS_OF_PERSON, Release, Slice, UnitKind
from dpwizard.decision.requirement import ERROR, SETTLED, BaseRequirement, Limit, Origin
from dpwizard.decision.sensitivity import Derivation, derive, figures
from dpwizard.decision.settings import AccuracyInputs, EachTable, PrivacyInputs
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
from dpwizard.decision.tables import DOUBLE, NeighbouringRelation, Table
from dpwizard.decision.trade_off import TradeOff, curve_of_stated
from dpwizard.decision.upgrades import CURRENT, Raw, version
