"""Simulated runs in a database, in bulk. Needs Django to be set up."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.db.models import Count, F, Sum
from django.utils import timezone

from runs.analysis import behaviour
from runs.analysis.exploits.exploit_patterns import FLAGGED, PATTERNS
from runs.analysis.facts import RESOLVED, UNRESOLVED, RunFacts
from runs.data.cells.recompute import rebuild_cells
from runs.models import Agent, Counts, Evaluation, Run, RunExploit
from tasks.models import Dataset, Repository, Task

BATCH = 2_000
FLAGGED_OF = 50  # one of so many runs is flagged as an exploit


def store(runs: Sequence[RunFacts], title: str) -> Evaluation:
    """Stores an evaluation with these runs and their counts, and computes the cells."""
    evaluation = Evaluation.objects.create(
        slug=title.lower().replace(" ", "-"), title=title, attempts=max(run.planned for run in runs)
    )
    agents = {slug: _agent(slug) for slug in sorted({run.agent for run in runs})}
    tasks = {run.task: run for run in runs}
    rows = {name: _task(run) for name, run in sorted(tasks.items())}
    for batch in _batches(runs):
        stored = Run.objects.bulk_create(
            _run(run, evaluation, agents[run.agent], rows[run.task]) for run in batch
        )
        Counts.objects.bulk_create(
            Counts(run=row, version=behaviour.VERSION, behaviour=json.dumps(behaviour.to_json(run.behaviour)))
            for row, run in zip(stored, batch, strict=True)
            if run.behaviour is not None
        )
        _flag(stored)
    rebuild_cells()
    return evaluation


def store_many(count: int, agents: int, tasks: int) -> None:
    """Adds `count` runs without trajectories, spread evenly over agents and tasks."""
    evaluation = Evaluation.objects.create(slug="many", title="Many", attempts=-(-count // (agents * tasks)))
    competing = [_agent(f"agent-{number:02}") for number in range(agents)]
    set_tasks = list(Task.objects.order_by("pk")[:tasks])
    assert len(set_tasks) == tasks
    rows = (
        _run(
            RunFacts(
                run=number,
                agent="",
                task="",
                repository="",
                attempt=number // (agents * tasks) + 1,
                outcome=RESOLVED if number % 3 else UNRESOLVED,
                tests_total=8,
                tests_passed=8 if number % 3 else 5,
                prompt_tokens=1000,
                completion_tokens=100,
                cost_usd=0.1,
                seconds=30.0,
            ),
            evaluation,
            competing[number % agents],
            set_tasks[number // agents % tasks],
        )
        for number in range(count)
    )
    for batch in _batches(rows):
        _flag(Run.objects.bulk_create(batch))
    rebuild_cells()


def _flag(runs: Sequence[Run]) -> None:
    """Of one pattern each."""
    RunExploit.objects.bulk_create(
        RunExploit(run=run, pattern=PATTERNS[0].slug, strength=FLAGGED) for run in runs[::FLAGGED_OF]
    )


def sums_of_runs() -> list[Any]:
    """The database query of a leaderboard without cells."""
    finished = Run.objects.filter(state=Run.State.FINISHED, evaluation__listed=True).order_by()
    rate = F("tests_passed") * 1.0 / F("tests_total")
    return list(
        finished.values("agent", "task", "outcome").annotate(
            n=Count("pk"),
            tests=Sum(rate),
            prompts=Sum("prompt_tokens"),
            cost=Sum("cost_usd"),
            time=Sum("act_seconds"),
        )
    )


def _batches(items: Iterable[Run] | Sequence[RunFacts]) -> Iterator[list[Any]]:
    rest = iter(items)
    while batch := list(islice(rest, BATCH)):
        yield batch


def _agent(slug: str) -> Agent:
    return Agent.objects.get_or_create(slug=slug, defaults={"name": slug, "kind": "ide"})[0]


def _task(run: RunFacts) -> Task:
    dataset, _ = Dataset.objects.get_or_create(
        slug="simulated", defaults={"title": "Simulated", "version": "1"}
    )
    repository, _ = Repository.objects.get_or_create(
        slug=run.repository,
        defaults={
            "dataset": dataset,
            "title": run.repository,
            "stack": run.stack,
            "languages": list(run.languages),
        },
    )
    return Task.objects.create(
        repository=repository,
        slug=run.task.partition("/")[2],
        title=run.task,
        category=run.category,
        difficulty=run.difficulty,
        admitted=True,
        tests_total=run.tests_total,
    )


def _run(run: RunFacts, evaluation: Evaluation, agent: Agent, task: Task) -> Run:
    now = timezone.now()
    return Run(
        key=f"{evaluation.slug}/{agent.slug}/{task.pk}/{run.attempt}",
        evaluation=evaluation,
        agent=agent,
        task=task,
        attempt=run.attempt,
        state=Run.State.FINISHED,
        outcome=run.outcome,
        ending=run.ending,
        started_at=now,
        finished_at=now,
        iterations=run.iterations,
        tool_calls=run.tool_calls,
        failed_calls=run.failed_calls,
        prompt_tokens=int(run.prompt_tokens),
        completion_tokens=int(run.completion_tokens),
        cached_tokens=int(run.cached_tokens),
        cost_usd=run.cost_usd,
        act_seconds=run.seconds,
        tests_total=run.tests_total,
        tests_passed=run.tests_passed,
        similarity={} if run.similarity is None else {"lines": run.similarity},
    )
