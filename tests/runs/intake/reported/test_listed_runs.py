"""The list of the runs of an import, in its directory."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.listed_runs import LIST, ListedRun, read_list, remove_older, write_list
from runs.intake.reported.reported_result import ReportedAgent, ReportedResult, ResultSource, ResultsRefused
from runs.intake.reported.step_readers.recording import Recorded
from runs.intake.reported.trajectory import Trajectory
from tests.runs.intake.reported.test_staged_records import places


def listed(directory: str, *files: str) -> ListedRun:
    """A run that came from these files."""
    trajectory = Trajectory(
        "Codex", "", "d" * 64, files[0], {name: Path(name) for name in files}, lambda: iter(()), session="s"
    )
    result = ReportedResult(
        *("Ada", "one", 1, ""),
        failed_tests=("a",),
        started_at=datetime(2026, 1, 31, tzinfo=UTC),
        trajectory=trajectory,
    )
    return ListedRun.of(
        result,
        Recorded(steps=3, title="Hello"),
        directory=directory,
        evaluation="lab-1",
        number=1,
        source=ResultSource("lab", "Lab", "Ada", "1", reported_on=date(2026, 1, 31), unknown=("Much.",)),
        agent=ReportedAgent("Ada", "ada-1", open_weights=True),
    )


@pytest.fixture
def home(settings: Any) -> Path:
    """The directory of an import with two runs."""
    home: Path = settings.RUNS_ROOT / "imported/lab-1"
    for place in ("1/trajectory.jsonl", "2/trajectory.jsonl", "originals/a", "originals/b", "originals/both"):
        (home / place).parent.mkdir(parents=True, exist_ok=True)
        (home / place).touch()
    write_list(home, [listed("imported/lab-1/1", "a", "both"), listed("imported/lab-1/2", "b", "both")])
    return home


def test_a_run_returns_from_the_list_as_it_was_stored(home: Path) -> None:
    first, _ = read_list(home)
    assert first == replace(listed("imported/lab-1/1", "a", "both"), imported_at=first.imported_at)
    result = first.completed()
    assert result.trajectory is not None
    assert (result.trajectory.key, result.trajectory.session) == (
        Trajectory("Codex", "", "d" * 64, "a", {}, lambda: iter(())).key,
        "s",
    )


def test_a_run_without_its_directory_or_with_one_elsewhere_is_not_listed(home: Path, tmp_path: Path) -> None:
    write_list(home, [listed("imported/lab-1/3", "a"), listed(str(tmp_path), "a"), listed("../..", "a")])
    assert read_list(home) == []


@pytest.mark.parametrize("content", ["[", "{}", '{"runs": [{"directory": 7}]}', '{"runs": 1}'])
def test_a_list_that_is_unreadable_is_named(home: Path, content: str) -> None:
    (home / LIST).write_text(content)
    with pytest.raises(ResultsRefused, match=r"imported/lab-1/runs\.json: unreadable: "):
        read_list(home)


def test_an_older_directory_goes_with_the_files_that_no_other_run_needs(home: Path) -> None:
    remove_older(["imported/lab-1/1"])
    assert places(home) == {"2/trajectory.jsonl", "originals/b", "originals/both", LIST}
    remove_older(["imported/lab-1/2"])
    assert not home.exists()


def test_without_a_list_the_files_stay(home: Path) -> None:
    (home / LIST).unlink()
    remove_older(["imported/lab-1/1", "imported/lab-1/2"])
    assert places(home) == {"originals/a", "originals/b", "originals/both"}
