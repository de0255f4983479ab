"""Reported results become a dataset, agents, and runs without a trajectory; all of them or none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from runs.analysis.facts import INFRASTRUCTURE_FAILED
from runs.data.cells.boards import all_boards
from runs.data.cells.open_cells import board_standings
from runs.data.cells.recompute import rebuild_cells
from runs.data.replay.record import named_tests
from runs.data.run_facts.facts_query import run_facts
from runs.intake.reported.reported_result import ReportedAgent, ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Agent, Cell, Evaluation, ReportedTests, ResultReport, Run
from runs.rankings.leaderboard.snapshots import content_of, freeze
from tasks.models import Dataset, Repository, Task
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


def numbers() -> list[dict[str, object]]:
    """All cells, without what says when they were counted."""
    names = [
        field.attname
        for field in Cell._meta.concrete_fields
        if field.name not in {"id", "revision", "updated_at"}
    ]
    return list(Cell.objects.order_by("agent", "task").values(*names))


def test_results_are_runs_of_a_reported_dataset() -> None:
    stored = store(reported(two_agents(), (ReportedAgent("Ada", "ada-1", "Works", open_weights=True),)))

    assert stored.new == 16
    dataset = Dataset.objects.get(slug="lab-bench")
    assert (dataset.reported_by, dataset.directory) == ("The Lab", "")
    assert Repository.objects.get().slug == "lab-bench-lab-one"
    assert set(Task.objects.values_list("slug", "difficulty", "category")) == {
        (f"task-{number}", "", "") for number in range(8)
    }
    ada = Agent.objects.get(slug="lab-bench-ada")
    assert (ada.name, ada.kind, ada.enabled, ada.origin) == (
        *("Ada (reported)", "reported", False, "The Lab (lab-bench)"),
    )
    assert ada.model is not None
    assert (ada.model.name, ada.model.provider, ada.model.open_weights) == ("ada-1", "Works", True)
    (entry,) = all_boards().entries
    assert (entry.competitors, entry.tasks, entry.attempts, entry.origin) == (
        *(2, 8, 16, "reported by The Lab, not run here"),
    )
    assert [row.pass_1.value for row in board_standings("lab-bench").rows] == [1.0, 0.0]


def test_what_a_source_does_not_say_is_unknown_and_never_0() -> None:
    store(reported([result("Ada", "one"), result("Ada", "one", 2, prompt_tokens=10, completion_tokens=5)]))

    first, second = Run.objects.order_by("attempt")
    assert (first.tokens, first.act_seconds, first.steps, first.cost_usd, first.test_rate) == (None,) * 5
    assert second.tokens == 15
    cell = Cell.objects.get()
    assert (cell.tokens, cell.cost_usd, cell.timed, cell.tested, cell.odd) == (None, None, 0, 0, 0)
    (row,) = board_standings("lab-bench").rows
    assert (row.tokens_per_success.value, row.seconds_per_attempt.value) == (None, None)
    facts, _ = run_facts(Run.objects.order_by("attempt"))
    assert facts.prompt_tokens != facts.prompt_tokens  # NaN
    assert (facts.iterations, facts.tests_total) == (-1, -1)


def test_cells_are_those_that_a_recount_gives() -> None:
    results = [
        result("Ada", "one", 1, won=False, tests_passed=2, tests_total=3, seconds=4.0, cost_usd=0.1),
        result("Ada", "one", 2, won=False, tests_passed=1, tests_total=3, seconds=5.0, cost_usd=0.3),
        result("Ada", "two", outcome=INFRASTRUCTURE_FAILED, detail="no container"),
        result("Ben", "one", iterations=3, prompt_tokens=7, completion_tokens=1),
    ]
    store(reported(results))

    before = numbers()
    rebuild_cells()

    assert numbers() == before
    ada = Cell.objects.get(agent__name="Ada (reported)", task__title="one")
    assert ada.best is not None
    assert (ada.best.attempt, ada.best_missing, ada.test_rate_best) == (1, 1, 2 / 3)
    lost = Run.objects.get(outcome=INFRASTRUCTURE_FAILED)
    assert (lost.failure, lost.detail) == ("no container", "no container")


def test_a_second_import_changes_nothing() -> None:
    found = reported(two_agents())
    first = store(found)
    before = (Run.objects.count(), numbers(), Dataset.objects.get().revision)

    again = store(reported(two_agents()[::-1]))  # the order of rows says nothing

    assert (again.report, again.new) == (first.report, 0)
    assert (Run.objects.count(), numbers(), Dataset.objects.get().revision) == before


def test_a_newer_version_is_another_report_and_old_links_stay() -> None:
    store(reported(two_agents()))
    frozen = content_of(freeze("lab-bench"))
    newer = [one._replace(outcome="resolved") for one in two_agents()] + [result("Cleo", "task-0")]

    store(reported([one._replace(repository="lab/one") for one in newer], version="a2"))

    now = board_standings("lab-bench")
    assert [row.pass_1.value for row in (*now.rows, *now.unplaced)] == [1.0, 1.0, 1.0]
    assert sum(cell.attempts for cell in frozen.cells) == 16
    assert sum(cell.resolved for cell in frozen.cells) == 8
    assert ResultReport.objects.count() == 2
    assert list(ResultReport.objects.values_list("evaluation__listed", flat=True)) == [True, False]
    assert Agent.objects.count() == 3


def test_tests_have_names_as_far_as_they_are_known() -> None:
    results = [
        result("Ada", "one", number, tests_total=3, tests_passed=passed, failed_tests=failed)
        for number, passed, failed in ((1, 1, ("a", "b")), (2, 2, ("b",)), (3, 3, ()), (4, 1, ("a",)))
    ]
    store(reported(results))

    found = named_tests(Run.objects.order_by("attempt"))

    assert [[(test.id, test.status.value) for test in tests] for tests in found.values()] == [
        [("a", "failed"), ("b", "failed")],
        [("b", "failed"), ("a", "passed")],  # another attempt failed it, and this one did not
        [],
        [("a", "failed")],  # not all of its failed tests have names
    ]
    assert ReportedTests.objects.count() == 3


def test_times_are_stored_in_utc() -> None:
    began = datetime(2026, 1, 31, 12, tzinfo=UTC)
    store(reported([result("Ada", "one", started_at=began)]))

    run = Run.objects.get()
    assert (run.started_at, run.finished_at) == (began, None)


@pytest.mark.parametrize(
    ("results", "problem"),
    [
        ([], "it has no results"),
        (
            [result("Ada", "one"), result("Ada", "one")],
            "attempt 1 of agent 'Ada' at task 'one' is there twice",
        ),
        (
            [result("Ada", "one", repository="a"), result("Ben", "one", repository="b")],
            "task 'one' is in two repositories",
        ),
    ],
)
def test_what_does_not_fit_is_refused_whole(results: list[object], problem: str) -> None:
    with pytest.raises(ResultsRefused, match=problem):
        store(reported(results))  # type: ignore[arg-type]

    assert not Dataset.objects.exists()
    assert not Run.objects.exists()


def test_versions_may_look_like_the_numbers_of_others() -> None:
    for number, version in enumerate(("1-3", "1", "1", "1")):
        store(reported([result("Ada", f"task {number}")], version=version))

    assert set(Evaluation.objects.values_list("slug", flat=True)) == {
        "lab-bench-1-3",
        "lab-bench-1",
        "lab-bench-1-2",
        "lab-bench-1-4",
    }
