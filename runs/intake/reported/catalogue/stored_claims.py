"""Stores the numbers that a source of results prints, beside those that its results give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from runs.analysis.facts import UNRESOLVED
from runs.analysis.outcomes.printed_claims import own_number
from runs.intake.reported.reported_result import PrintedNumber, ReportedResult, ReportedSet
from runs.models import Claim, ResultReport


def store_claims(report: ResultReport, reported: ReportedSet, agents: Mapping[str, int]) -> None:
    """Stores each printed number with the one that the results give. `agents`: their numbers by name."""
    attempts: dict[str, Sequence[ReportedResult]] = _by_agent(reported.results)
    if reported.source.percent_of_all_tasks:
        tasks = sorted({result.task for result in reported.results})
        attempts = {agent: [*theirs, *_missing(agent, theirs, tasks)] for agent, theirs in attempts.items()}
    claims = [_claim(report, number, agents, attempts.get(number.agent, ())) for number in reported.printed]
    Claim.objects.bulk_create(claims, batch_size=500)


def _by_agent(results: Iterable[ReportedResult]) -> dict[str, Sequence[ReportedResult]]:
    found: dict[str, list[ReportedResult]] = defaultdict(list)
    for result in results:
        found[result.agent].append(result)
    return {**found}


def _missing(agent: str, results: Iterable[ReportedResult], tasks: Iterable[str]) -> Iterator[ReportedResult]:
    """An unresolved attempt at each task that an agent has no result for, as sources count it."""
    there = {result.task for result in results}
    return (ReportedResult(agent, task, 1, UNRESOLVED) for task in tasks if task not in there)


def _claim(
    report: ResultReport, number: PrintedNumber, agents: Mapping[str, int], attempts: Sequence[ReportedResult]
) -> Claim:
    own = own_number(number.metric, attempts)
    ends = own.interval
    return Claim(
        report=report,
        agent_id=agents[number.agent] if attempts else None,
        name=number.agent,
        metric=number.metric,
        printed=number.printed,
        own=own.value,
        own_low=ends.low if ends else None,
        own_high=ends.high if ends else None,
        own_n=own.n,
    )
