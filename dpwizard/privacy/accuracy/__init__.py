"""How accurate a release is: error, noise interval, exact release and threshold switch, and the budget each needs."""

from dpwizard.privacy.accuracy.by_name import (
    all_within,
    drop_rate,
    epsilon_for_all_within,
    epsilon_for_drop_rate,
    epsilon_for_exact_probability,
    epsilon_for_interval,
    epsilon_for_mean_absolute_error,
    epsilon_for_relative_error,
    epsilon_for_rmse,
    epsilon_for_share_within,
    epsilon_for_spurious_rate,
    epsilon_for_sum_within,
    relative_error,
    rho_for_all_within,
    rho_for_drop_rate,
    rho_for_relative_error,
    rho_for_share_within,
    rho_for_spurious_rate,
    rho_for_sum_within,
    share_within,
    spurious_rate,
)
from dpwizard.privacy.accuracy.functions import (
    Target,
    epsilon_for_switch,
    noise,
    noise_cdf,
    noise_interval,
    sum_beyond,
    sum_within,
    switch_probability,
    switch_rate,
)
from dpwizard.privacy.accuracy.number_noise import Interval, NumberNoise
from dpwizard.privacy.accuracy.small_counts import bias_of_clamped_zero, published_as, to_tenths
from dpwizard.privacy.accuracy.statistics import (
    AllWithin,
    Cells,
    DropRate,
    ExactProbability,
    MarginOfError,
    MeanAbsoluteError,
    NoiseInterval,
    RelativeError,
    Rmse,
    ShareWithin,
    SpuriousRate,
    Statistic,
    SumWithin,
    Switch,
    largest_scale,
    least_budget,
)
from dpwizard.privacy.accuracy.sum_noise import SumNoise
