"""Which quantiles of bootstrap draws are the ends of an interval."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from runs.analysis.statistics.bootstrap import corrected_tails, expanded_tails


def test_expanded_percentiles() -> None:
    # Two tasks: t(1) leaves 90 % in the middle at tan(0.45 π) = 6.3138; Φ(−√2 · 6.3138) = 2.2e−19.
    # Twenty: t(19) = 2.0930, √(20/19) · 2.0930 = 2.1474, Φ(−2.1474) = 0.01588.
    assert expanded_tails(2)[0] == pytest.approx(0, abs=1e-18)
    assert expanded_tails(20) == pytest.approx((0.01588, 0.98412), abs=1e-5)
    assert expanded_tails(10**6) == pytest.approx((0.025, 0.975), abs=1e-6)


def test_with_expanded_percentiles_a_mean_has_the_interval_of_its_t_test() -> None:
    # Evenly spread and symmetric, so that means of draws are nearly normal.
    values = np.linspace(-1, 1, 12)
    draws = np.random.default_rng(0).choice(values, (200_000, 12)).mean(axis=1)
    theirs = scipy.stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert np.quantile(draws, expanded_tails(12)) == pytest.approx(list(theirs), abs=0.01)


def test_corrected_tails_follow_bias_and_skewness() -> None:
    # 30 of 100 draws lie below: z₀ = −0.524401. Left out: deviations −1, −1, 2: a = 6 ÷ (6 · 6^1.5) = 0.068041.
    # low: −0.524401 − 1.959964 = −2.484365, ÷ (1 + 0.068041 · 2.484365) = −2.125132, Φ(−2.649533) = 0.004030
    # high: −0.524401 + 1.959964 = 1.435563, ÷ (1 − 0.068041 · 1.435563) = 1.590955, Φ(1.066554) = 0.856914
    drawn = np.arange(100.0)
    found = corrected_tails(29.5, drawn, np.array([2.0, 2.0, -1.0]))
    assert found == pytest.approx((0.004030, 0.856914), abs=2e-5)


def test_tails_stay_where_no_correction_is_known() -> None:
    drawn, skewed = np.arange(100.0), np.array([1.0, 2.0, 5.0])
    assert corrected_tails(-1.0, drawn, skewed, (0.1, 0.9)) == (0.1, 0.9)  # all draws lie above
    assert corrected_tails(29.5, drawn, np.full(3, 2.0), (0.1, 0.9)) == (0.1, 0.9)
    assert corrected_tails(29.5, drawn, skewed, (0.0, 1.0)) == (0.0, 1.0)
