"""Everything that a report tells, from the database and the run directories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass

from runs.cache.results import fingerprint
from runs.models import Evaluation, Run
from runs.reports.failed_tests import failed_tests
from runs.reports.found import ByGroup, Exclusion, Found, Options, RunFacts, found_in, predicted, results_of
from runs.reports.heads import Head, head_of
from runs.run_facts.facts_query import run_facts
from runs.run_facts.task_difficulty import task_measures


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Runs that some results could not use, why, and which results: names as in report.json."""

    reason: str
    runs: tuple[int, ...]
    results: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Material:
    """What a report is written from. `results` are `found` by group, and more; `analysis` names the code's version."""

    head: Head
    facts: tuple[RunFacts, ...]
    options: Options
    results: ByGroup
    found: Found
    left_out: tuple[LeftOut, ...]
    analysis: str


def gather(
    evaluations: Sequence[Evaluation], *, k: int | None = None, seed: int = 0, prediction: bool = False
) -> Material:
    """All runs of these evaluations together; attempts at one task add up. ValueError for k < 1."""
    facts = run_facts(Run.objects.filter(evaluation__in=evaluations), with_behaviour=True)
    head = head_of(evaluations, facts)
    tried = {run.agent for run in facts if run.outcome in Run.Outcome.values}
    options = Options(
        k=k,
        seed=seed,
        floor=_only(head, tried, "null"),
        ceiling=_only(head, tried, "oracle"),
        failed_tests=failed_tests(facts),
        measures=task_measures(run.task for run in facts),
    )
    results: dict[str, Mapping[str, object]] = dict(results_of(facts, options))
    if prediction:
        results["prediction"] = predicted(facts, seed)
    return Material(
        head, tuple(facts), options, results, found_in(results), _left_out(results), fingerprint()
    )


def _only(head: Head, tried: set[str], kind: str) -> str | None:
    """The agent of this kind that made runs; the first by name of several."""
    return next((agent.slug for agent in head.agents if agent.kind == kind and agent.slug in tried), None)


def _left_out(results: ByGroup) -> tuple[LeftOut, ...]:
    places: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for group, by_name in results.items():
        for name, result in by_name.items():
            for exclusion in _exclusions(result):
                places.setdefault((exclusion.reason, exclusion.runs), []).append(f"{group}.{name}")
    return tuple(
        LeftOut(reason, runs, tuple(dict.fromkeys(names)))
        for (reason, runs), names in sorted(places.items(), key=lambda item: (-len(item[0][1]), item[0]))
    )


def _exclusions(result: object) -> list[Exclusion]:
    if not is_dataclass(result) or isinstance(result, type):
        return []
    values = [getattr(result, field.name) for field in fields(result)]
    return [
        one for value in values if isinstance(value, tuple) for one in value if isinstance(one, Exclusion)
    ]
