from __future__ import annotations

from pathlib import Path

from harness.judges.faults.page import fault_page

PAGE = Path(__file__).parents[4] / "docs" / "fault-catalogue.md"


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == fault_page(), "run python -m harness faults page > docs/fault-catalogue.md"
