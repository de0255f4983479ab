"""The names of boards."""

from __future__ import annotations

import pytest

from runs.data.queries.board_names import BoardName
from tasks.models import Task


@pytest.mark.parametrize("origin", ["", *Task.Origin.values])
def test_a_name_is_read_as_it_is_written(origin: str) -> None:
    name = BoardName("gen-1", origin)
    assert BoardName.of(str(name)) == name
    assert str(BoardName("gen-1", "pull request")) == "gen-1.pull-request"


def test_an_unknown_origin_is_part_of_the_name_of_no_dataset() -> None:
    assert BoardName.of("gen.tides") == BoardName("gen.tides")
    assert BoardName.of(".removed") == BoardName(".removed")
    assert BoardName.of("") == BoardName("")


def test_a_name_selects_the_tasks_of_its_origin() -> None:
    assert BoardName.of("gen").lookups() == {"repository__dataset__slug": "gen"}
    assert BoardName.of("gen.removed").lookups("task__") == {
        "task__repository__dataset__slug": "gen",
        "task__origin": "removed",
    }
    assert BoardName.of("gen.removed").title("Generated") == "Generated: removed"
