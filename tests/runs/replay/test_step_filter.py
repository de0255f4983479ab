"""Filters of steps, paging, and the neighbours of a step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from runs.queries.parameters import BadParameter
from runs.replay.open_index import outline
from runs.replay.outline import Outline
from runs.replay.overview_strip import Slot, paths_of
from runs.replay.step_filter import StepCondition, StepFilter
from tests.runs.replay.tapes import edit, step, write

STEPS = [
    step(1, message="I look around."),
    step(2, "read_file", {"path": "src/a.py"}),
    step(3, "edit_file", {"path": "src/a.py"}),
    step(4, "run_terminal_cmd", {"command": "pytest -q"}, ok=False),
    step(5, "read_file", {"path": "src/b.py"}),
    step(6, "read", {"path": "src/b.py"}),
    step(7, "run_terminal_cmd", {"command": "make"}, result="exit code 2 after 0.6 s\nError 1"),
]


@pytest.fixture
def steps(data_directory: Path) -> Iterator[Outline]:
    directory = write(
        data_directory / "runs" / "x" / "try-1", STEPS, [edit(3, "src/a.py"), edit(7, "out.txt")]
    )
    with outline(directory) as found:
        yield found


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


def test_windows_count_matching_steps(steps: Outline) -> None:
    reads = StepCondition(StepFilter(tool="kind:read"))
    assert [row.number for row in steps.rows(reads, 1, 1)] == [5]
    assert [row.number for row in steps.rows(StepCondition(), 5, 10)] == [6, 7]
    assert (steps.count(), steps.count(reads)) == (7, 3)
    assert steps.before(4, reads) == 1
    assert steps.before(4, StepCondition()) == 4


def test_neighbours_are_among_all_steps_and_among_matches(steps: Outline) -> None:
    near = steps.neighbours(3, StepCondition(StepFilter(tool="read_file")))
    assert (near.previous, near.next) == (3, 5)
    assert (near.previous_match, near.next_match) == (2, 5)
    assert (near.next_edit, near.next_error) == (7, 7)
    last = steps.neighbours(6, StepCondition())
    assert (last.next, last.next_edit, last.next_error, last.next_match) == (None, None, None, None)


def test_the_filter_choices_are_tools_and_files(steps: Outline) -> None:
    tools, files = steps.filter_choices
    assert tools == [("read_file", 2), ("run_terminal_cmd", 2), ("edit_file", 1), ("read", 1)]
    assert files == ["out.txt", "src/a.py", "src/b.py"]


def test_steps_are_found_by_file_path(steps: Outline) -> None:
    assert [changed.step_id for changed in steps.edits_of("src/a.py")] == [3]
    assert list(steps.edits_of("a.py")) == []
    named = ("src/a.py", "src/b.py")
    assert [row.number for row in steps.steps_naming(named, "read_file", 7)] == [5, 2]
    assert [row.number for row in steps.steps_naming(named, "read_file", 4)] == [2]


def test_the_strip_has_a_limited_number_of_slots(data_directory: Path) -> None:
    directory = data_directory / "runs" / "y" / "try-1"
    write(directory, [step(n, "read_file", {"path": "a"}, ok=n != 2) for n in range(1, 4)])
    with outline(directory) as found:
        assert (found.strip.size, found.strip.slots) == (1, 3)
        assert [(kind, drawn.count("M")) for kind, drawn in found.strip.paths] == [("read", 2), ("failed", 1)]
    write(directory, [step(n) for n in range(4, 1001)])
    with outline(directory) as found:
        assert (found.strip.size, found.strip.slots) == (4, 250)
        bars = [(kind, drawn.count("M")) for kind, drawn in found.strip.paths]
        assert bars == [("read", 1), ("other", 250), ("failed", 1)]


def test_the_strip_distinguishes_failed_commands_from_failed_calls(steps: Outline) -> None:
    assert [(kind, drawn.count("M")) for kind, drawn in steps.strip.paths] == [
        ("read", 3),
        ("other", 1),
        ("edit", 1),
        ("ended", 1),
        ("failed", 1),
    ]


def test_the_strip_divides_a_slot_by_kind_and_puts_failures_on_top() -> None:
    slots = [Slot(4.0, {"read": 1, "failed": 1}), Slot(1.0, {"edit": 2})]
    assert paths_of(slots) == [
        ("read", "M0 18h53.8v18h-53.8z"),
        ("edit", "M62.5 15.5h53.8v20.5h-53.8z"),
        ("failed", "M0 0h53.8v18h-53.8z"),
    ]
    assert paths_of([]) == []


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
