"""Summaries of how the runs of an agent, or at a task, went; cached until their cells change."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from runs.analysis.estimate import Estimate, Exclusion
from runs.analysis.facts import SECONDS, TOKENS, sift
from runs.analysis.failures.report import ModeReport, failure_report
from runs.analysis.statistics.quantiles import Quantiles, quantiles
from runs.analysis.statistics.summaries import ratio
from runs.analysis.tools.telemetry import ToolRow, ToolTable, telemetry
from runs.data.cache.results import cached, data_version
from runs.data.cells.open_cells import agent_cells_version
from runs.data.queries.filters import CellFilter
from runs.data.run_facts.facts_query import run_facts
from runs.models import Agent, Cell, Run
from runs.models.agent import UNRANKED_KINDS
from tasks.models import Task

MAX_RUNS = 2_000
SAMPLES = 3


@dataclass(frozen=True, slots=True)
class ToolShare:
    """One tool: its share of all calls, and the share of its completed calls that failed."""

    row: ToolRow
    of_calls: Estimate
    failed: Estimate


@dataclass(frozen=True, slots=True)
class BehaviourSummary:
    """The latest MAX_RUNS settled runs, summed up; `runs`: how many these are.

    `modes` are those of the `failed` counted runs, the most frequent first. `tools` None: no trajectory was counted;
    `uses` has the share of each tool, the most called first. Durations are in seconds, tokens those of runs with a
    model. `uncounted` names the runs without a counted trajectory.
    """

    runs: int
    failed: int
    modes: tuple[ModeReport, ...]
    explained: Estimate
    tools: ToolTable | None
    uses: tuple[ToolShare, ...]
    seconds: Quantiles
    tokens: Quantiles
    uncounted: tuple[Exclusion, ...]


def summary_of_agent(agent: Agent) -> BehaviourSummary:
    """The runs of an agent that count."""
    has_model = agent.model_id is not None
    return cached(
        "behaviour-of-agent",
        f"{agent.pk} {has_model}",
        lambda: _summary(CellFilter().runs().filter(agent=agent), with_tokens=has_model),
        lambda: agent_cells_version(agent.pk),
    )


def summary_at_task(task: Task) -> BehaviourSummary:
    """The runs of competing agents at a task, hidden tasks included: callers check who may see the task."""
    runs = Run.objects.filter(task=task, evaluation__listed=True).exclude(agent__kind__in=UNRANKED_KINDS)
    cells = Cell.rows.filter(task=task)
    return cached(
        "behaviour-at-task",
        str(task.pk),
        lambda: _summary(runs, with_tokens=True),
        lambda: data_version(cells),
    )


def _summary(runs: QuerySet[Run], *, with_tokens: bool) -> BehaviourSummary:
    settled = runs.filter(state=Run.State.FINISHED).exclude(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    latest = settled.order_by("-pk").values_list("pk", flat=True)[:MAX_RUNS]
    facts = run_facts(Run.objects.filter(pk__in=list(latest)), with_behaviour=True)
    failures = failure_report(facts, samples=SAMPLES)
    used = telemetry(facts)
    tokens = [run.tokens for run in sift(facts, TOKENS).usable if run.tokens]
    shown = [mode for mode in failures.modes if mode.runs]
    return BehaviourSummary(
        runs=len(facts),
        failed=failures.failed,
        modes=tuple(sorted(shown, key=lambda mode: -(mode.prevalence.value or 0.0))),
        explained=failures.explained,
        tools=used.overall if used.overall.runs else None,
        uses=tuple(
            ToolShare(
                row,
                of_calls=ratio(row.calls, used.overall.calls, used.overall.calls, "no call"),
                failed=ratio(row.failed, row.judged, row.judged, "no call is known to have failed or not"),
            )
            for row in used.overall.tools
        ),
        seconds=quantiles([run.seconds for run in sift(facts, SECONDS).usable], "no run has a duration"),
        tokens=quantiles(tokens if with_tokens else [], "no run has tokens"),
        uncounted=failures.excluded,
    )
