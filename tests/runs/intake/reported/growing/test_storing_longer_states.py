"""A session that went on is the same run, with everything that hangs on it; or nothing of it has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from harness.records import TRAJECTORY, write_json
from runs.data.cells.recompute import rebuild_cells
from runs.intake.reported.growing import storing_longer_states
from runs.intake.reported.growing.storing_longer_states import free_home
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from runs.judging.reviews.run_reviews import reviews_version
from runs.models import Cell, CellGroup, Counts, LanguageModel, Run, RunExploit, RunSign, TrajectorySource
from runs.models.open_rows import without_hidden
from tasks.models import Dataset, Task
from tests.runs.intake.reported.forms.test_inspect_logs import log, scored
from tests.runs.intake.reported.step_readers.session_logs.session_files import (
    claude_code_agent,
    claude_code_session,
    lines_file,
)
from tests.runs.intake.reported.test_original_files import unpacked
from tests.runs.intake.reported.test_staged_records import places
from tests.runs.panels import add_comparison, add_panel, add_pass, add_rating, add_review

pytestmark = pytest.mark.django_db
Committing = Callable[..., AbstractContextManager[Any]]
QUESTION, ANSWER = {"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}
DONE = {"messages": [QUESTION, ANSWER], **scored("C")}
LONGER = {"messages": [QUESTION, ANSWER, QUESTION, ANSWER], **scored("I")}


@pytest.fixture
def imports(
    tmp_path: Path, django_capture_on_commit_callbacks: Committing
) -> Callable[..., tuple[int, int, int]]:
    """Imports what lies in `in`, and commits it."""

    def imported(**given: str) -> tuple[int, int, int]:
        with django_capture_on_commit_callbacks(execute=True):
            stored = store(read_trajectories(tmp_path / "in", given))
        return stored.new, stored.grown, stored.known

    return imported


Imports = Callable[..., tuple[int, int, int]]


def rows() -> list[Any]:
    """Everything that is stored of runs, without what is new with each row."""
    models: tuple[Any, ...] = (Run, TrajectorySource, Counts, RunSign, RunExploit)
    return [sorted((row for row in model.objects.values()), key=str) for model in models]


def test_the_run_is_the_same_and_has_the_numbers_of_the_longer_file(
    tmp_path: Path, imports: Imports, settings: Any
) -> None:
    lines_file(tmp_path / "in/p/a.jsonl", claude_code_session()[2:8])
    lines_file(tmp_path / "in/p/b.jsonl", [{**line, "sessionId": "b"} for line in claude_code_session()[2:8]])
    imports(version="1")
    before = Run.objects.get(task__title__endswith="1")
    revision = CellGroup.objects.get().revision, Dataset.objects.get().revision
    lines_file(tmp_path / "in/p/a.jsonl", claude_code_session())
    lines_file(tmp_path / "in/p/a/subagents/agent-a1.jsonl", claude_code_agent())

    assert imports(version="2") == (0, 1, 1)
    run = Run.objects.get(pk=before.pk)
    names = ("key", "evaluation_id", "agent_id", "task_id", "attempt", "tries", "queued_at")
    assert [getattr(run, name) for name in names] == [getattr(before, name) for name in names]
    assert (before.steps, run.steps, run.iterations, run.tool_calls) == (2, 12, 6, 5)
    assert run.finished_at is not None
    assert (run.path.is_dir(), before.path.exists()) == (True, False)
    assert run.directory == f"imported/{run.evaluation.slug}+1/1"
    source = run.trajectory_source
    assert source.session == before.task.title
    assert unpacked(source.path) == {
        place: (tmp_path / "in" / place).read_bytes()
        for place in ("p/a.jsonl", "p/a/subagents/agent-a1.jsonl")
    }
    assert json.loads(run.counts.behaviour) != {}
    assert Task.objects.get(pk=run.task_id).description == "Correct the sum\n\nFix add."
    assert CellGroup.objects.get().revision > revision[0]
    assert Dataset.objects.get().revision > revision[1]
    home = settings.RUNS_ROOT / "imported" / run.evaluation.slug
    assert places(home) == {
        "2/trajectory.jsonl",
        "2/edits.jsonl",
        "originals/p/b.jsonl",
        "import.json",
        "runs.json",
    }
    assert places(run.path.parent) >= {"1/trajectory.jsonl", "packed/1.zip"}


def test_an_import_of_which_all_runs_have_grown_leaves_no_directory(
    tmp_path: Path, imports: Imports, settings: Any
) -> None:
    for end in (8, 12, 18):
        lines_file(tmp_path / "in/a.jsonl", claude_code_session()[:end])
        imports(version="1")
        (home,) = (settings.RUNS_ROOT / "imported").iterdir()
        assert Run.objects.get().path.parent == home
        assert places(home / "originals") == {"a.jsonl"}
    assert free_home("x") == "x+1"


def test_a_failure_leaves_the_older_state_whole(
    tmp_path: Path, imports: Imports, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines_file(tmp_path / "in/a.jsonl", claude_code_session()[:8])
    imports()
    before, files = rows(), places(settings.RUNS_ROOT)
    lines_file(tmp_path / "in/a.jsonl", claude_code_session())
    lines_file(tmp_path / "in/b.jsonl", [{**line, "sessionId": "b"} for line in claude_code_session()])

    class Broken(transaction.Atomic):
        """A transaction whose commit fails."""

        def __exit__(self, *_error: object) -> None:
            super().__exit__(RuntimeError, RuntimeError(), None)
            raise RuntimeError("the commit failed")

    with monkeypatch.context() as patch:
        patch.setattr(
            "runs.intake.reported.storing.transaction.atomic", lambda: Broken("default", True, False)
        )
        with pytest.raises(RuntimeError, match="the commit failed"):
            imports()
    assert (rows(), places(settings.RUNS_ROOT)) == (before, files)
    assert imports() == (1, 1, 0)


def test_a_run_that_another_import_changed_in_between_refuses_it(
    tmp_path: Path, imports: Imports, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines_file(tmp_path / "in/a.jsonl", claude_code_session()[:8])
    imports()
    lines_file(tmp_path / "in/a.jsonl", claude_code_session())
    carry = storing_longer_states.free_home

    def meanwhile(slug: str) -> str:
        Run.objects.update(directory="imported/elsewhere/1")
        return carry(slug)

    monkeypatch.setattr("runs.intake.reported.storing.free_home", meanwhile)
    with pytest.raises(
        ResultsRefused, match=r"^a\.jsonl: another import changed this session at the same time: "
    ):
        imports()


def test_a_hidden_run_stays_hidden(tmp_path: Path, imports: Imports) -> None:
    lines_file(tmp_path / "in/a.jsonl", claude_code_session()[:8])
    imports()
    Dataset.objects.update(hidden=True)
    lines_file(tmp_path / "in/a.jsonl", claude_code_session())
    assert imports() == (0, 1, 0)
    assert not without_hidden(Run.objects.all()).exists()


def test_cells_are_those_that_a_recount_gives(tmp_path: Path, imports: Imports) -> None:
    (tmp_path / "in").mkdir()
    for samples in ([DONE], [LONGER, DONE]):
        log(tmp_path / "in/log.json", *samples)
        imports()
    names = ("agent", "task", "attempts", "resolved", "steps", "best_id")
    before = list(Cell.objects.order_by("task").values_list(*names))
    assert [row[2:5] for row in before] == [(1, 0, 4), (1, 1, 2)]
    rebuild_cells()
    assert list(Cell.objects.order_by("task").values_list(*names)) == before


def test_what_judges_and_people_said_stays_and_counts_for_the_earlier_state(
    tmp_path: Path, imports: Imports
) -> None:
    (tmp_path / "in").mkdir()
    log(tmp_path / "in/log.json", DONE, DONE)
    imports()
    run, other = Run.objects.order_by("pk")
    judge = add_panel(LanguageModel.objects.create(slug="portia", name="Portia", provider="ada"))
    judging_pass = add_pass(judge)
    review = add_review(judging_pass, judge, run)
    failed = add_review(judging_pass, judge, run, "end_result", state="failed", run_try=0)
    compared = add_comparison(judging_pass, judge, (other, run))
    rating = add_rating(run)
    write_json(run.path / "ratings" / f"{rating.key}.json", {"key": rating.key})
    before = reviews_version(run)
    log(tmp_path / "in/log.json", LONGER, DONE)

    assert imports() == (0, 1, 1)
    run.refresh_from_db()
    assert (run.tries, run.outcome) == (2, "unresolved")
    for row in (review, failed, compared, rating):
        row.refresh_from_db()
    assert (review.run_try, failed.run_try, rating.run_try) == (1, 0, 1)
    assert (compared.try_one, compared.try_two) == (1, 1)
    assert reviews_version(run)[0] == before[0] - 1
    assert places(run.path / "ratings") == {f"{rating.key}.json"}
    head = json.loads((run.path / TRAJECTORY).read_text().splitlines()[0])
    assert head["extra"]["try_number"] == 2
    assert Counts.objects.get(run=run).behaviour
