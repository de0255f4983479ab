"""Runs are read for analysis in one query."""

from __future__ import annotations

import json
import math

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.analysis import behaviour
from runs.analysis.facts import Behaviour, RunFacts, ToolTotals, ToolUse
from runs.data.queries.filters import CellFilter
from runs.data.run_facts.facts_query import run_facts
from runs.models import Counts, Run
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db

COUNTED = Behaviour(
    labels="epn", tools=ToolUse(totals={"grep": ToolTotals(3, 1, 0.5)}), faults=("step 2 is missing",)
)


@pytest.fixture
def cast() -> Cast:
    return Cast()


def count(run: Run, text: str | None = None, version: int = behaviour.VERSION) -> None:
    """Stores counts for a run."""
    stored = json.dumps(behaviour.to_json(COUNTED)) if text is None else text
    Counts.objects.create(run=run, version=version, behaviour=stored)


def test_every_field_is_read(cast: Cast, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    (task,) = cast.add_tasks(1, difficulty="hard")
    run = cast.add_run(
        cast.alice(),
        task,
        2,
        passed=3,
        ending="wall_time",
        iterations=7,
        tool_calls=9,
        failed_calls=1,
        cached_tokens=400,
        similarity={"lines": 0.25, "file_f1": None},
        targets_found=True,
        solved_elsewhere=True,
        submissions=3,
        solved_at_submission=2,
    )
    count(run)
    type(cast.evaluation).objects.update(attempts=5)

    with django_assert_num_queries(1):
        (facts,) = run_facts(cast.evaluation.runs.all(), with_behaviour=True)

    repository = task.repository
    assert facts == RunFacts(
        run=run.pk,
        agent="alice",
        task=f"harbour/{task.slug}",
        repository="harbour",
        attempt=2,
        outcome="unresolved",
        ending="wall_time",
        stack=repository.stack,
        languages=tuple(repository.languages),
        category="bug",
        difficulty="hard",
        planned=5,
        tests_total=5,
        tests_passed=3,
        iterations=7,
        tool_calls=9,
        failed_calls=1,
        prompt_tokens=900,
        completion_tokens=100,
        cached_tokens=400,
        cost_usd=0.25,
        seconds=60.0,
        similarity=0.25,
        behaviour=COUNTED,
        origin="hand-made",
        targets_found=True,
        solved_elsewhere=True,
        submissions=3,
        solved_at_submission=2,
    )


def test_equal_names_are_one_string(cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice = cast.alice()
    for attempt in (1, 2):
        cast.add_run(alice, task, attempt)

    first, second = run_facts(cast.evaluation.runs.all())

    for name in ("agent", "task", "repository", "outcome", "ending", "stack", "category", "difficulty"):
        assert getattr(first, name) is getattr(second, name), name


def test_behaviour_is_read_on_request(cast: Cast) -> None:
    count(cast.add_run(cast.alice(), cast.add_tasks(1)[0]))
    (facts,) = run_facts(cast.evaluation.runs.all())
    assert facts.behaviour is None


def test_old_runs_have_their_similarity_from_counts(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    counted = Behaviour(features={"final_similarity": 0.75})
    count(run, json.dumps(behaviour.to_json(counted)))

    assert [facts.similarity for facts in run_facts(cast.evaluation.runs.all(), with_behaviour=True)] == [
        0.75
    ]
    assert [facts.similarity for facts in run_facts(cast.evaluation.runs.all())] == [None]


@pytest.mark.parametrize(
    ("text", "version"),
    [("", behaviour.VERSION), ("{}", behaviour.VERSION), ("[", behaviour.VERSION), (None, 0)],
)
def test_unreadable_counts_are_none(cast: Cast, text: str | None, version: int) -> None:
    counted, uncounted = cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5, 4])
    count(counted, text, version)
    assert [facts.behaviour for facts in run_facts(cast.evaluation.runs.all(), with_behaviour=True)] == [
        None,
        None,
    ]
    assert uncounted.pk > counted.pk


def test_invalid_values_of_the_record_stay_invalid(cast: Cast) -> None:
    cast.add_run(
        cast.alice(), cast.add_tasks(1)[0], odd="cost_usd act_seconds prompt_tokens tests_passed iterations"
    )
    (facts,) = run_facts(cast.evaluation.runs.all())
    assert math.isnan(facts.seconds)
    assert math.isnan(facts.prompt_tokens)
    assert (facts.tests_passed, facts.iterations, facts.completion_tokens) == (-1, -1, 100)


def test_a_filter_reads_the_runs_that_its_cells_count(cast: Cast) -> None:
    other = cast.add_repository("shipyard", "Shipyard")
    here, there = cast.add_tasks(1)[0], cast.add_tasks(1, other)[0]
    alice, oracle = cast.alice(), cast.oracle()
    shown = cast.add_run(alice, there)
    lost = cast.add_run(alice, there, 2, outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    cast.add_run(alice, here)
    cast.add_run(oracle, there)
    cast.add_run(alice, there, 3, state=Run.State.RUNNING, outcome="")
    assert [facts.run for facts in run_facts(CellFilter(repository="shipyard", kind="ide").runs())] == [
        shown.pk,
        lost.pk,
    ]
    assert len(run_facts(CellFilter().runs())) == 4
    type(cast.evaluation).objects.update(listed=False)
    assert run_facts(CellFilter().runs()) == []
    assert len(run_facts(cast.evaluation.runs.all())) == 4
