"""What two agents used on paired runs: price, time, tokens and tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runs.analysis.regression.paired_use import PairedRun, UseRow, paired_quantities, paired_tools
from runs.data.cache.results import cached
from runs.data.run_facts.facts_query import run_facts
from runs.judging.reviews.comparison_pairs import agent_pairs
from runs.models import Agent, Run
from runs.models.open_rows import without_hidden

MAX_PAIRS = 1_000  # whose counted trajectories a page reads
TITLES = {
    "price": "Price",
    "seconds": "Time",
    "tokens_per_second": "Tokens a second",
    "tool_calls": "Tool calls",
    "completion_tokens": "Generated tokens",
    "cache_hits": "Prompt tokens from a cache",
    "parallel_calls": "Calls per step with a call",
}


@dataclass(frozen=True, slots=True)
class AgentUse:
    """Two agents over `pairs` paired runs of open datasets. `cut`: they have more, of which the first ones count."""

    pairs: int
    cut: bool
    quantities: Sequence[UseRow]
    tools: Sequence[UseRow]


def agent_use(one: Agent, two: Agent) -> AgentUse:
    """What both agents used, of runs that everybody may see."""
    return cached("paired-use", f"{one.pk} {two.pk}", lambda: _agent_use(one, two))


def _agent_use(one: Agent, two: Agent) -> AgentUse:
    pairs = agent_pairs(one, two, without_hidden(Run.objects.all()))
    read = pairs[:MAX_PAIRS]
    numbers = [run.pk for pair in read for run in pair]
    known = run_facts(without_hidden(Run.objects.filter(pk__in=numbers)), with_behaviour=True)
    facts = {each.run: each for each in known}
    paired = [
        PairedRun(_scenario(first), facts[first.pk], facts[second.pk])
        for first, second in read
        if first.pk in facts and second.pk in facts
    ]
    return AgentUse(len(paired), len(pairs) > MAX_PAIRS, paired_quantities(paired), paired_tools(paired))


def _scenario(run: Run) -> str:
    return f"{run.task.repository_id}/{run.task.scenario or run.task.slug}"
