"""Filters of steps: conditions and their address."""

from __future__ import annotations

from typing import Any

import pytest

from runs.data.queries.parameters import BadParameter
from runs.data.replay.outline import Outline
from runs.data.replay.step_filter import StepCondition, StepFilter


def numbers(steps: Outline, **filters: Any) -> list[int]:
    return [row.number for row in steps.rows(StepCondition(StepFilter(**filters)), 0, 99)]


def test_all_conditions_must_match(steps: Outline) -> None:
    assert numbers(steps) == [1, 2, 3, 4, 5, 6, 7]
    assert numbers(steps, tool="read_file") == [2, 5]
    assert numbers(steps, tool="kind:read") == [2, 5, 6]
    assert numbers(steps, tool="kind:message") == [1]
    assert numbers(steps, file="a.py") == [2, 3]
    assert numbers(steps, file="out.txt") == [7]
    assert numbers(steps, errors=True) == [4, 7]
    assert numbers(steps, edits=True) == [3, 7]
    assert numbers(steps, edits=True, tool="kind:run") == [7]
    assert numbers(steps, tool="unknown") == []
    assert numbers(steps, file="%") == []


class TestTheAddress:
    def test_is_read_and_written(self) -> None:
        query = {"tool": "kind:edit", "file": "a b", "errors": "1", "edits": "0", "q": "é & ü", "step": "5"}
        found = StepFilter.from_query(query)
        assert found == StepFilter("kind:edit", "a b", True, False, "é & ü")
        assert found.query() == "tool=kind%3Aedit&file=a+b&q=%C3%A9+%26+%C3%BC&errors=1"
        assert StepFilter.from_query({}).empty

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("tool", "kind:fly"),
            ("errors", "yes"),
            ("edits", "2"),
            ("q", "x" * 201),
            ("q", "a\0b"),
            ("file", "\x1b"),
        ],
    )
    def test_is_refused_if_invalid(self, name: str, value: str) -> None:
        with pytest.raises(BadParameter) as refused:
            StepFilter.from_query({name: value})
        assert refused.value.name == name
