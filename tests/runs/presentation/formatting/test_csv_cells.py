"""Text that a spreadsheet would run is quoted in CSV."""

from __future__ import annotations

from typing import Any

import pytest

from runs.presentation.formatting.csv_cells import harmless


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "=", "-"])
def test_text_that_starts_like_a_formula_gets_a_quote(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("value", ["alice", "1-2", "a=b", "", "'=1", "−1", -1, -0.5, None, True])
def test_other_text_and_numbers_stay_as_they_are(value: Any) -> None:
    assert harmless(value) is value
