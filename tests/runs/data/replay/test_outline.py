"""Queries on an index: rows, windows, neighbours and files."""

from __future__ import annotations

from pathlib import Path

from runs.data.replay.open_index import outline
from runs.data.replay.outline import Outline
from runs.data.replay.step_filter import StepCondition, StepFilter
from tests.runs.data.replay.tapes import edit, step, write


def test_a_row_has_the_facts_of_a_step(directory: Path) -> None:
    write(directory, [step(1, "edit_file", {"path": "a.py"}, ok=False)], [edit(1, "a.py", "b.py")])
    with outline(directory) as steps:
        row = steps.row(1)
        assert row is not None
        assert (row.kind, row.tool, row.about, row.failed, row.tokens) == (
            "edit",
            "edit_file",
            "a.py",
            True,
            110,
        )
        assert (row.files, row.added, row.removed) == (2, 2, 2)
        read = steps.step(row)
        assert read is not None
        assert read.calls[0].arguments == {"path": "a.py"}
        changed = steps.edits(1)
        assert changed is not None
        assert [file.path for file in changed.files] == ["a.py", "b.py"]
        assert steps.row(2) is None
        assert steps.edits(2) is None


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
    assert (near.next_exploit, steps.neighbours(3, StepCondition(), (2, 4, 6)).next_exploit) == (None, 6)
    assert (last.next, last.next_edit, last.next_error, last.next_match) == (None, None, None, None)


def test_steps_are_found_by_file_path(steps: Outline) -> None:
    assert [changed.step_id for changed in steps.edits_of("src/a.py")] == [3]
    assert list(steps.edits_of("a.py")) == []
    named = ("src/a.py", "src/b.py")
    assert [row.number for row in steps.steps_naming(named, "read_file", 7)] == [5, 2]
    assert [row.number for row in steps.steps_naming(named, "read_file", 4)] == [2]


def test_the_first_call_and_the_last_number(steps: Outline, directory: Path) -> None:
    first = steps.first_with_call()
    assert first is not None
    assert (first.number, steps.last_number()) == (2, 7)
    with outline(directory) as nothing:
        assert (nothing.first_with_call(), nothing.last_number(), nothing.count()) == (None, 0, 0)


def test_a_run_without_calls_begins_at_its_first_step(directory: Path) -> None:
    write(directory, [step(4), step(5)])
    with outline(directory) as found:
        first = found.first_with_call()
        assert first is not None
        assert first.number == 4


def test_model_calls_and_iterations_are_those_of_the_agent(directory: Path) -> None:
    task = {"step_id": 1, "source": "user", "message": "Mend it."}
    write(directory, [task, step(2), step(3, "read_file", {"path": "a.py"}, tokens=70)])
    with outline(directory) as found:
        assert found.model_calls() == [(2, 100, 10, 0, None), (3, 70, 10, 0, None)]
        assert found.count_model_calls() == 2
        assert [found.step_of_iteration(number) for number in (1, 2, 3)] == [2, 3, None]
        assert found.acts(2) == [("user", "", "Mend it."), ("agent", "", "Step 2.")]


def test_places_are_found_by_offset_and_by_number(steps: Outline) -> None:
    rows = steps.rows(StepCondition(), 0, 99)
    assert steps.places_at([rows[4].offset], [1, 3, 99]) == (0, 2, 4)
    assert steps.places_at([], []) == ()


def test_a_step_is_gone_when_its_file_is(directory: Path) -> None:
    write(directory, [step(1)])
    with outline(directory) as found:
        row = found.row(1)
        assert row is not None
        (directory / "trajectory.jsonl").unlink()
        assert found.step(row) is None
