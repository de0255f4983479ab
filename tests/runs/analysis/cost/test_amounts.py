"""Sums and means of expenses, some of them unknown."""

from __future__ import annotations

import pytest

from runs.analysis.cost.amounts import amounts, cached_share
from runs.analysis.estimate import Estimate


def test_sequences_are_of_one_length() -> None:
    with pytest.raises(ValueError, match="2 amounts and 1 outcomes"):
        amounts([1.0, 2.0], [True], "no price")
    with pytest.raises(ValueError, match="1 counts of cached tokens and 0"):
        cached_share([1.0], [])


def test_no_run_sums_to_nothing_known() -> None:
    assert amounts([], [], "no price").total.figure == Estimate.unknown("no run")
