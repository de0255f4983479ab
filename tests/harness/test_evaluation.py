"""Whole evaluations without a database, on the host's own processes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness import evaluation
from harness.agents.base import AgentSpec
from harness.dataset import load_dataset
from harness.errors import ConfigurationError
from harness.evaluation import RECORD, Setup, evaluate, finished, lost_cost, table
from harness.grading.grade import NotAdmitted
from harness.limits import Ending, Limits
from harness.records import Outcome, RunRecord, RunSummary
from harness.session import Control
from tests.harness.arena import Arena
from tests.harness.worlds import tiny_dataset


@pytest.fixture(autouse=True)
def _without_containers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")


class Bench:
    """An evaluation of the admitted tiny task, and the directories of the runs that were made."""

    def __init__(self, root: Path, kind: str = "oracle", settings: dict[str, Any] | None = None) -> None:
        self.dataset = load_dataset(Arena.make(root).task.directory.parents[2])
        self.setup = Setup(self.dataset, AgentSpec(kind, kind, settings or {}), Limits(), "demo")
        self.output = root / "demo"
        self.made: list[str] = []

    def evaluate(self, attempts: int = 1, jobs: int = 1, setup: Setup | None = None) -> list[RunSummary]:
        self.made.clear()
        return evaluate(
            setup or self.setup,
            list(self.dataset.tasks()),
            self.output,
            attempts=attempts,
            jobs=jobs,
            report=lambda _, directory: self.made.append(str(directory.relative_to(self.output))),
        )


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_every_task_is_tried_so_often_and_each_run_is_recorded(bench: Bench) -> None:
    summaries = bench.evaluate(attempts=2, jobs=2)

    assert sorted(bench.made) == ["calc/add-negatives/1", "calc/add-negatives/2"]
    assert [(one.identity.attempt, one.outcome) for one in summaries] == [
        (1, Outcome.RESOLVED),
        (2, Outcome.RESOLVED),
    ]
    assert {one.identity.evaluation for one in summaries} == {"demo"}
    assert RunRecord(bench.output / "calc/add-negatives/2").summary() == summaries[1]


def test_finished_runs_are_skipped_and_more_attempts_can_be_added(bench: Bench) -> None:
    (first,) = bench.evaluate()
    assert bench.evaluate(attempts=3)[0] == first
    assert bench.made == ["calc/add-negatives/2", "calc/add-negatives/3"]
    assert len(bench.evaluate(attempts=3)) == 3
    assert bench.made == []


@pytest.mark.parametrize("ending", [Ending.CANCELLED, Ending.INFRASTRUCTURE, None])
def test_runs_without_a_verdict_are_repeated(bench: Bench, ending: Ending | None) -> None:
    (summary,) = bench.evaluate()
    directory = bench.output / "calc/add-negatives/1"
    stored = json.dumps(replace(summary, ending=ending).to_json()) if ending else '{"cut'
    (directory / "run_summary.json").write_text(stored)
    assert finished(directory) is None

    (again,) = bench.evaluate()

    assert bench.made == ["calc/add-negatives/1"]
    assert finished(directory) == again


def test_an_interrupt_cancels_the_current_runs_which_are_repeated_later(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    controls: list[Control] = []
    original = evaluation.run_once

    def interrupted(setup: Setup, planned: Any, directory: Path, control: Control) -> RunSummary:
        controls.append(control)
        return original(setup, planned, directory, control)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(evaluation, "run_once", interrupted)
    monkeypatch.setattr(evaluation, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        bench.evaluate(attempts=3)
    assert all(control.cancelled() for control in controls)
    monkeypatch.undo()
    monkeypatch.setenv("BENCHBENCH_ENGINE", "local")
    assert len(bench.evaluate(attempts=3)) == 3


class TestRefusals:
    @pytest.mark.parametrize(
        ("change", "named"),
        [
            ({"agent": AgentSpec("null", "null")}, "agent"),
            ({"limits": Limits(iterations=5)}, "limits"),
            ({"limits": Limits(iterations=5), "agent": AgentSpec("null", "null")}, "agent, limits"),
        ],
    )
    def test_an_evaluation_goes_on_with_the_same_setup_only(
        self, bench: Bench, change: dict[str, Any], named: str
    ) -> None:
        bench.evaluate()
        with pytest.raises(ConfigurationError, match=f"demo: was begun with another {named}; choose another"):
            bench.evaluate(setup=replace(bench.setup, **change))
        assert bench.made == []

    def test_a_changed_task_has_no_part_in_it(self, bench: Bench) -> None:
        bench.evaluate()
        record = bench.output / RECORD
        stored = json.loads(record.read_text())
        record.write_text(json.dumps({**stored, "tasks": {"calc/add-negatives": "0" * 64}}))
        with pytest.raises(ConfigurationError, match="has runs of other versions of calc/add-negatives"):
            bench.evaluate()

    @pytest.mark.parametrize("text", ["[]", "{", '{"tasks": 1}'])
    def test_a_damaged_record_is_named(self, bench: Bench, text: str) -> None:
        bench.output.mkdir()
        (bench.output / RECORD).write_text(text)
        with pytest.raises(ConfigurationError, match=r"evaluation\.json is damaged"):
            bench.evaluate()

    def test_a_directory_with_something_else_is_not_touched(self, bench: Bench) -> None:
        bench.output.mkdir()
        (bench.output / "notes.txt").write_text("mine")
        with pytest.raises(ConfigurationError, match="holds something else than an evaluation"):
            bench.evaluate()
        assert [path.name for path in bench.output.iterdir()] == ["notes.txt"]

    def test_two_processes_do_not_share_a_directory(self, bench: Bench) -> None:
        def again(_: RunSummary, __: Path) -> None:
            with pytest.raises(ConfigurationError, match="another process works on this evaluation"):
                evaluate(bench.setup, tasks, bench.output, attempts=1, jobs=1, report=again)

        tasks = list(bench.dataset.tasks())
        evaluate(bench.setup, tasks, bench.output, attempts=1, jobs=1, report=again)

    def test_tasks_without_a_proof_and_bad_agents_are_refused_before_the_first_run(
        self, tmp_path: Path
    ) -> None:
        dataset = tiny_dataset(tmp_path)
        setup = Setup(dataset, AgentSpec("null", "null"), Limits())
        with pytest.raises(NotAdmitted):
            evaluate(setup, list(dataset.tasks()), tmp_path / "out", attempts=1, jobs=1, report=print)
        bad = replace(setup, agent=AgentSpec("null", "null", {"seed": 1}))
        with pytest.raises(ConfigurationError, match="the null agent has no settings"):
            evaluate(bad, list(dataset.tasks()), tmp_path / "out", attempts=1, jobs=1, report=print)
        assert not (tmp_path / "out").exists()


def test_the_table_has_a_row_for_each_task_and_counts_failures_of_the_infrastructure_apart(
    bench: Bench,
) -> None:
    first, second = (replace(one, iterations=10, act_seconds=90.0) for one in bench.evaluate(attempts=2))
    lost = replace(first, outcome=Outcome.INFRASTRUCTURE_FAILED)
    other = replace(
        second,
        identity=replace(second.identity, task="other"),
        outcome=Outcome.UNRESOLVED,
        tests_passed=3,
        cost_usd=None,
    )
    assert table([first, second, lost, other]) == [
        "task                resolved  tests passed  iterations  minutes     cost",
        "calc/add-negatives    2 of 2      16 of 16          20      3.0  $0.0000",
        "calc/other            0 of 1        3 of 8          10      1.5  unknown",
        "all                   2 of 3      19 of 24          30      4.5  unknown",
        "1 of 2 tasks were resolved at least once",
        "1 of 4 runs failed by the infrastructure and count in the cost alone",
    ]
    assert table([first, lost], (2, 0.25))[-3:] == [
        "1 of 1 tasks were resolved at least once",
        "1 of 2 runs failed by the infrastructure and count in the cost alone",
        "the cost of 2 tries before them that were lost: $0.2500",
    ]


def test_the_cost_of_a_try_that_is_lost_is_kept(bench: Bench) -> None:
    (summary,) = bench.evaluate()
    directory = bench.output / "calc/add-negatives/1"
    for ending, cost in ((Ending.INFRASTRUCTURE, 0.25), (Ending.CANCELLED, 0.5)):
        stored = replace(summary, ending=ending, cost_usd=cost).to_json()
        (directory / "run_summary.json").write_text(json.dumps(stored))
        bench.evaluate()
    assert lost_cost([directory]) == (2, 0.75)
    (directory / "run_summary.json").write_text('{"cut')
    bench.evaluate()
    assert lost_cost([directory]) == (3, None)
    assert len(list(bench.output.rglob("run_summary.json"))) == 1
