"""Full-text search in a run: matches, excerpts and limits."""

from __future__ import annotations

from pathlib import Path

import pytest

from runs.data.replay import step_search as search_module
from runs.data.replay.open_index import outline
from runs.data.replay.step_filter import SearchHits, StepCondition
from runs.data.replay.step_search import Excerpt, excerpts, search
from tests.runs.data.replay.tapes import step, write

STEPS = [
    step(1, message='He said "Ahoy\\there".\nÄrger /path'),
    {**step(2), "reasoning_content": "A TypeError, I think."},
    step(3, "edit_file", {"path": "a.py", "operations": [{"content": "raise TYPEERROR"}], "line": 417}),
    step(4, "run_terminal_cmd", {"command": "make"}, result="typeerror: <b>bad</b>\x1b[0m"),
    step(5, "read_file", {"path": "a.py"}),
]


@pytest.fixture
def directory(data_directory: Path) -> Path:
    return write(data_directory / "runs" / "x" / "try-1", STEPS)


def found(directory: Path, q: str) -> list[int]:
    with outline(directory) as steps:
        return [row.number for row in steps.rows(StepCondition(found=search(steps, q)), 0, 99)]


@pytest.mark.parametrize(
    ("q", "steps"),
    [
        ("typeerror", [2, 3, 4]),
        ("TypeError", [2, 3, 4]),
        ("read_file", [5]),
        ('"Ahoy\\there"', [1]),
        ("ÄRGER", [1]),
        ("é", []),
        ("/path", [1]),
        ("<b>", [4]),
        ("417", [3]),
        ("step_id", []),
        ("prompt_tokens", []),
        (".*", []),
        ("%", []),
    ],
)
def test_finds_plain_text_in_messages_arguments_and_results(
    directory: Path, q: str, steps: list[int]
) -> None:
    assert found(directory, q) == steps


def test_escaped_json_is_searched_as_its_text(directory: Path) -> None:
    with (directory / "trajectory.jsonl").open("a") as file:
        file.write('{"step_id": 6, "source": "agent", "message": "\\u00c4ther \\/usr\\/bin"}\n')
    assert found(directory, "äther /usr/bin") == [6]


def test_edits_are_searched(directory: Path) -> None:
    diff = "--- a/kraken.py\n+++ b/kraken.py\n@@ -1,3 +1,3 @@\n depth = 3\n-arms = 8\n+arms = 80\n"
    change = {"path": "src/deep.py", "change": "modified", "added": 1, "removed": 1, "diff": diff}
    write(directory, [], [{"step_id": 4, "files": [change]}, {"step_id": "?"}])
    assert found(directory, "arms = 80") == [4]
    assert found(directory, "ARMS = 8") == [4]
    assert found(directory, "deep.py") == [4]
    assert found(directory, "depth") == []  # around the change, not in it
    assert found(directory, "kraken") == []  # a heading is no line
    assert found(directory, "+arms") == []
    assert found(directory, "typeerror") == [2, 3, 4]
    with outline(directory) as steps:
        where = excerpts(steps, steps.rows(StepCondition(), 0, 99), "arms = 80")
    assert where == {3: Excerpt("change", "arms = 8\n", "arms = 80", "")}


def test_an_excerpt_has_the_field_and_the_surrounding_text(directory: Path) -> None:
    with outline(directory) as steps:
        rows = steps.rows(StepCondition(), 0, 99)
        where = excerpts(steps, rows, "typeerror")
    assert where == {
        1: Excerpt("reasoning", "A ", "TypeError", ", I think."),
        2: Excerpt("operations", "raise ", "TYPEERROR", ""),
        3: Excerpt("result", "", "typeerror", ": <b>bad</b>\x1b[0m"),
    }


def test_it_stops_at_the_match_limit_and_reports_it(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "MAX_MATCHES", 2)
    with outline(directory) as steps:
        stopped = search(steps, "typeerror")
    assert (stopped.places, stopped.cut) == ((1, 2), "number")
    assert 0.4 < stopped.until < 0.8


def test_it_stops_at_the_time_limit_and_reports_it(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_module, "MAX_SECONDS", -1.0)
    with outline(directory) as steps:
        stopped = search(steps, "typeerror")
    assert (stopped.places, stopped.cut) == ((), "time")
    assert stopped.until < 0.2


def test_steps_written_later_are_found_later(directory: Path) -> None:
    assert found(directory, "kraken") == []
    write(directory, [step(6, message="A Kraken!")])
    assert found(directory, "kraken") == [6]


def test_nothing_is_found_in_a_run_without_steps(data_directory: Path) -> None:
    with outline(data_directory / "runs" / "none") as steps:
        assert search(steps, "x") == SearchHits(())
