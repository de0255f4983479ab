"""Intervals of rates, with the arithmetic beside the value that is expected."""

from __future__ import annotations

import pytest

from runs.analysis.intervals import wilson, wilson_half_width
from runs.published.published import IDE_BENCH, table


class TestWilson:
    def test_nothing_known_gives_no_interval(self) -> None:
        assert wilson(0.0, 0) is None

    def test_one_task_gives_a_wide_one(self) -> None:
        # centre (0 + 3.8416/2) / 4.8416 = 0.39673, half width the same
        interval = wilson(0.0, 1)
        assert interval is not None
        assert interval.low == pytest.approx(0.0)
        assert interval.high == pytest.approx(0.79346, abs=1e-5)

    def test_certainty_is_not_claimed_at_the_edge(self) -> None:
        interval = wilson(1.0, 80)
        assert interval is not None
        assert interval.high == pytest.approx(1.0)
        # 1 / (1 + 3.8416 / 80)
        assert interval.low == pytest.approx(0.95418, abs=1e-5)

    def test_a_rate_beyond_one_is_refused(self) -> None:
        with pytest.raises(ValueError, match="a rate of"):
            wilson(1.1, 5)

    @pytest.mark.parametrize("column", ["pass_at_1", "pass_at_5"])
    def test_the_published_half_widths_are_wilsons_over_eighty_tasks(self, column: str) -> None:
        printed = table(IDE_BENCH, 1)
        rate = printed.columns.index(f"{column}_pct")
        half = printed.columns.index(f"{column}_halfwidth")

        assert len(printed.rows) == 15
        for row in printed.rows:
            ours = 100 * wilson_half_width(float(row[rate]) / 100, 80)
            assert f"{ours:.2f}" == row[half], row[0]
