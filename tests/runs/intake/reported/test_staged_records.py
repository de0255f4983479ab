"""The trajectories of an import are put in place at once, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from runs.data.run_facts.count_trajectory import uncounted_runs
from runs.intake.reported import staged_records
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Counts, ResultReport, Run, RunSign, TrajectorySource
from tasks.models import Task
from tests.runs.intake.reported.step_readers.tool_files import PATCH, mini_swe_agent_2, swe_agent, written

pytestmark = pytest.mark.django_db


def places(root: Path) -> set[str]:
    """All files below a directory."""
    return {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}


def test_a_trajectory_becomes_a_run_with_a_directory_and_counts(tmp_path: Path, settings: Any) -> None:
    written(tmp_path / "in/lab__one-1.traj.json", mini_swe_agent_2())
    seen: list[tuple[int, int]] = []
    stored = store(read_trajectories(tmp_path / "in", {}), lambda done, total: seen.append((done, total)))

    assert (stored.new, stored.known, seen) == (1, 0, [(1, 1)])
    run = Run.objects.get()
    assert (run.state, run.outcome, run.steps, run.iterations) == ("finished", "", 7, 3)
    assert (run.prompt_tokens, run.cost_usd, run.failed_calls, run.lines_added) == (3000, 0.006, 1, 1)
    assert places(settings.RUNS_ROOT / "imported") == {
        f"{stored.report.evaluation.slug}/{name}"
        for name in (
            *("1/trajectory.jsonl", "1/edits.jsonl", "1/patch.diff"),
            *("originals/lab__one-1.traj.json", "import.json", "runs.json"),
        )
    }
    assert run.path.is_dir()
    assert Counts.objects.get().behaviour
    assert RunSign.objects.exists()
    assert not uncounted_runs().exists()
    source = TrajectorySource.objects.get()
    assert (str(source), source.form, source.path.is_file()) == (
        "lab__one-1.traj.json",
        "mini-swe-agent",
        True,
    )
    assert Task.objects.get().description == "Fix add."


def test_the_same_trajectory_is_stored_once_whatever_it_lies_beside(tmp_path: Path) -> None:
    written(tmp_path / "in/a.traj.json", mini_swe_agent_2())
    store(read_trajectories(tmp_path / "in", {}))
    written(tmp_path / "in/b.traj.json", mini_swe_agent_2(instance_id="other"))
    added = store(read_trajectories(tmp_path / "in", {}))
    again = store(read_trajectories(tmp_path / "in", {}))
    alone = store(read_trajectories(tmp_path / "in/a.traj.json", {}))

    assert [(one.new, one.known) for one in (added, again, alone)] == [(1, 1), (0, 2), (0, 1)]
    assert Run.objects.count() == 2
    assert ResultReport.objects.count() == 2
    assert all(Run.objects.values_list("evaluation__listed", flat=True))


def test_a_broken_trajectory_leaves_nothing_of_the_others(tmp_path: Path, settings: Any) -> None:
    written(tmp_path / "in/a.traj", swe_agent())
    written(tmp_path / "in/b.traj", swe_agent(trajectory=[{"action": "ls"}, 7]))
    with pytest.raises(ResultsRefused, match=r"^b\.traj, step 2: it is not an object$"):
        store(read_trajectories(tmp_path / "in", {}))

    assert not Run.objects.exists()
    assert not Task.objects.exists()
    assert places(settings.RUNS_ROOT.parent) == set()


def test_a_failure_while_storing_leaves_no_directory(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    written(tmp_path / "in/a.traj", swe_agent())
    monkeypatch.setattr("runs.intake.reported.storing.transaction.atomic", _Broken)
    with pytest.raises(RuntimeError, match="the commit failed"):
        store(read_trajectories(tmp_path / "in", {}))
    assert places(settings.RUNS_ROOT) == set()


class _Broken:
    """A transaction that fails at its end."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_error: object) -> None:
        raise RuntimeError("the commit failed")


def test_a_known_outcome_counts_and_an_unknown_one_does_not(tmp_path: Path) -> None:
    written(tmp_path / "in/a.traj", swe_agent(info={"submission": PATCH}))
    store(read_trajectories(tmp_path / "in", {}))
    assert not Run.objects.get().agent.cells.exists()


def test_many_are_written_by_several_processes_with_the_same_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(6):
        written(tmp_path / f"in/{number}.traj.json", mini_swe_agent_2(instance_id=f"lab__one-{number}"))
    monkeypatch.setattr(staged_records, "MIN_FOR_PROCESSES", 6)
    seen: list[int] = []
    assert store(read_trajectories(tmp_path / "in", {}), lambda done, _: seen.append(done)).new == 6

    assert seen == [1, 2, 3, 4, 5, 6]
    assert set(Run.objects.values_list("steps", "cost_usd", "lines_added")) == {(7, 0.006, 1)}
    assert Counts.objects.exclude(behaviour="").count() == 6


def test_a_refusal_in_another_process_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        written(tmp_path / f"in/{number}.traj", swe_agent(trajectory=[{"action": "ls"}] * number + [7]))
    monkeypatch.setattr(staged_records, "MIN_FOR_PROCESSES", 6)
    with pytest.raises(ResultsRefused, match=r"^0\.traj, step 1: it is not an object$"):
        store(read_trajectories(tmp_path / "in", {}))
    assert not Run.objects.exists()
