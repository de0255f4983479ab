"""CSV for spreadsheets, which run values that look like formulas."""

from __future__ import annotations

from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """The value; text that a spreadsheet would run as a formula gets a quote in front."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value
