"""A log of ours is read back as the same runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.records import RunRecord
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.storing import store
from runs.models import ReportedTests, Run
from runs.transfer.interchange.inspect_archive import log_of
from tests.runs.cast import Cast, record
from tests.runs.transfer.interchange.recorded_runs import ALL_KINDS, of_ide

pytestmark = pytest.mark.django_db


def imported(path: Path) -> list[Run]:
    """The runs that an import of the log of all runs so far stores."""
    (path / "alice.eval").write_bytes(b"".join(log_of(Run.objects.all()).chunks()))
    stored = store(read_trajectories(path / "alice.eval", {}))  # on the site that has the dataset itself
    assert stored.report.dataset.slug == "ports-reported"
    return list(stored.report.evaluation.runs.order_by("pk"))


@pytest.mark.parametrize("recorded", [*ALL_KINDS, record])
def test_a_run_is_read_back_with_equal_steps_edits_tokens_and_patch(
    recorded: Callable[[Run], object], tmp_path: Path
) -> None:
    cast = Cast()
    found = cast.add_run(
        cast.alice(),
        cast.add_tasks(1)[0],
        passed=4,
        cached_tokens=3,
        ending="agent_error",
        detail="it gave up",
    )
    recorded(found)

    (again,) = imported(tmp_path)

    assert list(RunRecord(again.path).steps()) == list(RunRecord(found.path).steps())
    assert list(RunRecord(again.path).edits_by_step()) == list(RunRecord(found.path).edits_by_step())
    assert RunRecord(again.path).patch() == RunRecord(found.path).patch()
    assert RunRecord(again.path).workdir == "/app"
    for name in (
        *("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd", "outcome", "ending", "detail"),
        *("attempt", "tests_total", "tests_passed", "act_seconds", "started_at", "finished_at"),
    ):
        assert getattr(again, name) == getattr(found, name), name
    assert (again.agent.name, again.task.title) == ("alice with Analytical (reported)", "harbour/tide-1")


def test_names_of_tests_and_unknown_outcomes_come_back(tmp_path: Path) -> None:
    cast = Cast()
    alice, tasks = cast.alice(), cast.add_tasks(2)
    record(cast.add_run(alice, tasks[0], 1, passed=4))
    of_ide(cast.add_run(alice, tasks[1], 1, outcome="", ending=""))

    known, unknown = imported(tmp_path)

    tests = ReportedTests.objects.get(run=known)
    assert (len(tests.passed), len(tests.failed)) == (4, 1)
    assert (known.outcome, unknown.outcome, unknown.steps) == ("unresolved", "", 6)


def test_large_samples_are_streamed_and_equal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cast = Cast()
    found = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    of_ide(found)
    monkeypatch.setattr("runs.intake.reported.step_readers.json_part.SMALL", 1000)

    (again,) = imported(tmp_path)

    assert list(RunRecord(again.path).steps()) == list(RunRecord(found.path).steps())
    assert list(RunRecord(again.path).edits_by_step()) == list(RunRecord(found.path).edits_by_step())
    assert RunRecord(again.path).patch() == RunRecord(found.path).patch()
