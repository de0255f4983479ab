"""A run's trajectory is counted once, when the run settles."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from rq import Queue
from rq.job import Job

from harness.records import FileEdit, RunRecord, RunRecorder, ToolCall, ToolResult
from runs.analysis import behaviour
from runs.analysis.behaviour import from_json
from runs.analysis.facts import Behaviour
from runs.data.run_facts import count_trajectory
from runs.data.run_facts.count_trajectory import (
    TrajectoryCount,
    count_run,
    cut,
    exercise_of,
    floor_of,
    longest_text,
    read_trace,
    recount,
    uncounted_runs,
    workdir_of,
)
from runs.jobs import queue
from runs.jobs.job_kinds import RECOUNT, RUNS
from runs.models import Agent, Cell, Counts, Run
from runs.transfer.importing import import_runs
from runs.work.execution.jobs import recount_some
from runs.work.execution.settling import settle
from runs.work.execution.sweeper import settle_from_directory
from tasks.loading import find_on_disk, load
from tasks.models import Task
from tests.conftest import RedisServer
from tests.harness.worlds import PASS_UNTOUCHED
from tests.runs.tiny import Tiny, claimed, failure_of, manage, summary_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.redis]


@pytest.fixture
def tiny(tmp_path: Path, redis: RedisServer) -> Tiny:
    """The tiny dataset, and a running Redis."""
    return Tiny(tmp_path)


def act(recorder: RunRecorder, tool: str, result: str = "done", **arguments: Any) -> int:
    """One step with one call. Returns its number."""
    call = ToolCall("1", tool, arguments)
    return recorder.step(
        "agent", "Next.", calls=(call,), results=(ToolResult("1", result, True, 0.5),)
    ).step_id


def record(run: Run, directory: Path | None = None) -> Path:
    """A run directory: a file is read, then edited."""
    recorder = RunRecorder(directory or run.path, summary_of(run).identity)
    recorder.step("user", "Mend it.")
    act(recorder, "read_file", path="calc.py")
    edited = act(recorder, "edit_file", path="calc.py")
    recorder.edits(edited, [FileEdit("calc.py", "modified", 1, 1)])
    recorder.patch(b"")
    recorder.summary(summary_of(run))
    return recorder.directory


def stored(run: Run) -> Behaviour:
    """The run's counts, as they were."""
    return from_json(json.loads(Counts.objects.get(run=run).behaviour))


def test_a_run_is_counted_as_it_settles(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    record(run)
    assert settle(run, 1, summary_of(run))
    assert stored(run).labels == "ep"
    assert stored(run).faults == ()
    counts = Counts.objects.get()
    assert (counts.version, len(counts.kinds)) == (behaviour.VERSION, 2)
    assert not uncounted_runs().exists()


def test_signs_depend_on_ending_and_outcome(tiny: Tiny, tmp_path: Path) -> None:
    directory = record(claimed(tiny.start().runs.get()), tmp_path / "record")

    def signs(outcome: str, ending: str) -> tuple[bool, bool]:
        """Signs depend on exhausted iterations and on recorded tests."""
        found = count_run(directory, tiny.task, outcome, ending).behaviour
        assert found is not None
        return "iteration_exhaustion" in found.signs.found, "test_misinterpretation" in found.signs.undecided

    assert floor_of(tiny.task) == len(PASS_UNTOUCHED)
    assert signs("resolved", "completed") == (False, False)
    assert signs("unresolved", "completed") == (False, True)
    assert signs("unresolved", "iteration_limit") == (True, False)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "there is no trajectory"),
        (b"header\n{}\n", "JSONDecodeError: "),
        (b"{}\n{}\n", "KeyError: 'step_id'"),
        (b"{}\n\xff\xfe\0\n", "JSONDecodeError: "),
        (b'{}\n{"step_id": "many", "source": "agent"}\n', "ValueError: "),
        (b"{}\n" + b"[" * 100_000 + b"\n", "RecursionError: "),
    ],
)
def test_a_run_with_an_unreadable_trajectory_settles(tiny: Tiny, content: bytes | None, reason: str) -> None:
    run = claimed(tiny.start().runs.get())
    if content is not None:
        run.path.mkdir(parents=True)
        (run.path / "trajectory.jsonl").write_bytes(content)
    assert settle(run, 1, summary_of(run))
    run.refresh_from_db()
    assert (run.state, run.outcome) == ("finished", "resolved")
    counts = Counts.objects.get()
    assert counts.behaviour == ""
    assert counts.reason.startswith(reason)
    assert Cell.objects.get().attempts == 1


def test_a_try_that_does_not_own_its_run_stores_no_counts(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    record(run)
    assert not settle(run, 2, summary_of(run))
    assert not Counts.objects.exists()


def test_failures_of_the_infrastructure_are_not_counted(tiny: Tiny, settings: Any) -> None:
    settings.MAX_TRIES = 1
    run = claimed(tiny.start().runs.get())
    record(run)
    settle(run, 1, failure_of(run))
    assert not Counts.objects.exists()
    assert not uncounted_runs().exists()


def test_a_run_that_is_settled_for_a_dead_worker_is_counted(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    record(run)
    assert settle_from_directory(run.executions.get())
    assert stored(run).labels == "ep"


def test_an_import_counts(tiny: Tiny) -> None:
    evaluation = tiny.start(title="Recorded")
    run = claimed(evaluation.runs.get())
    directory = record(run)
    evaluation.delete()
    Agent.objects.all().delete()
    assert import_runs(directory).new == 1
    assert stored(Run.objects.get()).labels == "ep"


def test_counts_of_another_version_are_recomputed(tiny: Tiny, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tiny.start(attempts=2).runs.order_by("attempt")
    for run in (first, second):
        record(claimed(run))
        settle(run, 1, summary_of(run))
    Counts.objects.filter(run=first).update(version=behaviour.VERSION - 1, behaviour="{}")
    Counts.objects.filter(run=second).delete()
    before = Cell.objects.get().revision
    assert set(uncounted_runs()) == {first, second}
    call_command("rebuild_cells")
    assert "2 trajectories wait to be counted" in capsys.readouterr().out
    assert recount(limit=1) == 1
    assert stored(first).labels == "ep"
    assert list(uncounted_runs()) == [second]
    call_command("rebuild_cells", "--counts")
    assert capsys.readouterr().out == "1 trajectories counted\n1 cells\n"
    assert stored(second).labels == "ep"
    # Results that rest on the counts are known to be old: twice counted, twice rebuilt.
    assert Cell.objects.get().revision == before + 4


def test_counts_of_another_process_are_not_replaced(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    for run in tiny.start(attempts=3).runs.all():
        record(claimed(run))
        settle(run, 1, summary_of(run))
    Counts.objects.all().delete()
    before = Cell.objects.get().revision
    others = []

    def slowly(*run: Any) -> TrajectoryCount:
        """The other worker has counted all of them by the time that this one has its first."""
        monkeypatch.undo()
        others.append(recount())
        return count_run(*run)

    monkeypatch.setattr("runs.data.run_facts.count_trajectory.count_run", slowly)
    recount()
    assert others == [3]
    assert not uncounted_runs().exists()
    # three times by the other, once by this one
    assert Cell.objects.get().revision == before + 4


def waiting_recounts() -> list[Job]:
    """Jobs that count, when they come to it."""
    jobs = Queue(RUNS, connection=queue.connection()).jobs
    return [job for job in jobs if job.func_name == RECOUNT.job]


def test_workers_count_the_rest_beside_their_runs(tiny: Tiny, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.work.execution.jobs.RECOUNTED_AT_ONCE", 2)
    evaluation = tiny.start(attempts=3)
    for run in evaluation.runs.all():
        record(claimed(run))
        settle(run, 1, summary_of(run))
    Counts.objects.all().delete()
    assert queue.enqueue_recount()
    assert not queue.enqueue_recount()
    (job,) = waiting_recounts()
    job.delete()
    recount_some()
    assert uncounted_runs().count() == 1
    (job,) = waiting_recounts()
    job.delete()
    recount_some()
    assert not uncounted_runs().exists()
    assert not waiting_recounts()


def test_a_worker_counts_the_rest_after_an_upgrade(tiny: Tiny) -> None:
    if connection.vendor != "sqlite":
        return  # `manage` passes a database file to its process
    run = claimed(tiny.start().runs.get())
    record(run)
    settle(run, 1, summary_of(run))
    Counts.objects.update(version=behaviour.VERSION + 1)
    process = manage("work", "--burst", "--workers", "1")
    output, _ = process.communicate(timeout=120)
    assert process.returncode == 0, output
    assert not uncounted_runs().exists()


def test_the_exercise_comes_from_the_dataset_on_disk(tiny: Tiny) -> None:
    task = tiny.task
    exercise = exercise_of(task, b"")
    assert exercise.description == task.description
    assert exercise.reference is not None
    assert b"diff --git a/calc/digits.py b/calc/digits.py" in exercise.reference
    assert exercise.files is not None
    assert set(exercise.files) > {"calc/digits.py", "calc/__init__.py"}
    assert exercise.sources is not None
    assert "calc/digits.py" in exercise.sources
    assert "best = max(best, number)" in "".join(exercise.sources.values())
    more = exercise_of(
        task, b"diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n"
    ).sources
    assert more is not None
    assert more.keys() - exercise.sources.keys() == {"README.md"}
    assert workdir_of(task) == str(find_on_disk(task)[0].workdir)


def test_a_source_behind_a_link_is_left_out(tiny: Tiny) -> None:
    repository, _ = find_on_disk(tiny.task)
    (repository.source.root / "away").symlink_to("calc")
    load(repository.source.root.parents[1])
    patch = b"diff --git a/away/digits.py b/away/digits.py\n--- a/away/digits.py\n+++ b/away/digits.py\n"
    exercise = exercise_of(Task.objects.get(), patch)
    assert exercise.files is not None
    assert "away" in exercise.files
    assert exercise.sources is not None
    assert exercise.sources.keys() == {"calc/digits.py", "calc/sums.py"}  # those of the reference patch


def test_without_the_dataset_the_exercise_is_incomplete(tiny: Tiny) -> None:
    tiny.task.repository.dataset.directory = "/nowhere"
    tiny.task.repository.dataset.save()
    exercise = exercise_of(tiny.task, b"a patch")
    assert (exercise.reference, exercise.files, exercise.sources) == (None, None, None)
    assert (exercise.description, exercise.patch) == (tiny.task.description, b"a patch")
    assert workdir_of(tiny.task) == "/app"


def test_names_that_json_columns_refuse_are_stored(tiny: Tiny) -> None:
    run = claimed(tiny.start().runs.get())
    recorder = RunRecorder(run.path, summary_of(run).identity)
    act(recorder, "zero\0 and half a pair \ud83d".encode("utf-8", "replace").decode())
    assert settle(run, 1, summary_of(run))
    assert list(stored(run).tools.totals) == ["zero\0 and half a pair ?"]


def test_a_long_record_is_counted_in_little_memory(tiny: Tiny, tmp_path: Path) -> None:
    run = claimed(tiny.start().runs.get())
    recorder = RunRecorder(tmp_path / "long", summary_of(run).identity)
    for _ in range(200):
        edited = act(recorder, "run_terminal_cmd", "x" * 100_000, command="cat " + "y" * 100_000)
        recorder.edits(edited, [FileEdit("a", "modified", 1, 1, diff="+" * 100_000)])
    tracemalloc.start()
    trace = read_trace(RunRecord(recorder.directory), "/app")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(trace.iterations) == 200
    assert peak < 20 << 20, "of 60 MB"
    assert count_run(recorder.directory, tiny.task, "resolved", "completed").behaviour is not None
    # 8 MB ÷ 60 MB of 20,000 characters
    assert longest_text(60 << 20) == 2666
    assert (longest_text(8 << 20), longest_text(1 << 40)) == (8 << 20, 400)


def test_a_record_with_very_many_steps_is_not_counted(
    tiny: Tiny, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_trajectory, "MAX_STEPS", 3)
    recorder = RunRecorder(tmp_path / "long", summary_of(claimed(tiny.start().runs.get())).identity)
    for _ in range(3):
        act(recorder, "ls")
    assert count_run(recorder.directory, tiny.task, "resolved", "completed").behaviour is not None
    act(recorder, "ls")
    assert count_run(recorder.directory, tiny.task, "resolved", "completed") == TrajectoryCount(
        None, "ValueError: it has more than 3 steps"
    )


def test_the_record_of_edits_counts_for_the_length(tiny: Tiny, tmp_path: Path) -> None:
    recorder = RunRecorder(tmp_path / "long", summary_of(claimed(tiny.start().runs.get())).identity)
    for _ in range(100):
        edited = act(recorder, "edit_file", path="a")
        recorder.edits(edited, [FileEdit("a", "modified", 1, 1, diff="+" * 100_000)])
    trace = read_trace(RunRecord(recorder.directory), "/app")
    # some 10 MB: 20,000 characters × 8 MiB ÷ 10 MB, and three between both halves
    assert {15_000 < len(file.diff) < 17_000 for each in trace.iterations for file in each.edits} == {True}


def test_a_cut_text_has_its_beginning_and_its_end() -> None:
    assert cut("0123456789", 4) == "01\n…\n89"
    assert cut("0123", 4) == "0123"
