"""What leaves the site as CSV is opened in spreadsheets, which run what looks like a formula."""

from __future__ import annotations

from typing import Any

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def harmless(value: Any) -> Any:
    """Text that a spreadsheet would take for a formula gets a quote in front; anything else stays."""
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value
