"""The tables of a result."""

from __future__ import annotations

import pytest

from runs.reporting.topics.topic_result import ResultSection, ResultTable, TableColumn, TopicResult, Value

COLUMNS = (TableColumn("agent", "Agent", "agent"), TableColumn("n", "Runs", "count"))


def table(name: str, *rows: tuple[Value, ...]) -> ResultTable:
    return ResultTable(name, name.title(), COLUMNS, rows)


@pytest.mark.parametrize("row", [("alice",), ("alice", 1, 2), ()])
def test_a_row_has_a_value_for_each_column(row: tuple[Value, ...]) -> None:
    with pytest.raises(ValueError, match=rf"^tides: {len(row)} values under 2 columns$"):
        table("tides", ("bob", 2), row)


def test_a_table_may_have_no_row() -> None:
    assert table("tides").rows == ()


def test_a_table_is_found_in_any_section() -> None:
    tides, moons = table("tides", ("alice", 1)), table("moons", ("bob", None))
    sections = (
        ResultSection("first", "First", "", tables=(tides,)),
        ResultSection("second", "Second", "", tables=(moons,)),
    )
    result = TopicResult("", sections, {}, {}, 1, 1, calibrated=False)
    assert result.table("tides") is tides
    assert result.table("moons") is moons
    assert result.table("suns") is None
    assert TopicResult("", (), {}, {}, 0, 0, calibrated=False).table("tides") is None
