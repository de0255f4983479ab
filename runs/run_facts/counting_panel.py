"""Which panel of judges counts in a dataset, and the quality index of agents by it.

As with open cells, a process stores what it read of each agent in a dataset with its revision. A review changes one
agent, so the next page reads the reviews of that agent only: of 30,000 reviews all at once would take 0.3 s.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from typing import Generic, TypeVar

from django.db import connection
from django.db.models import Count

from runs.analysis.scores.quality_index import QualityIndex
from runs.cells.open_cells import Group, open_groups
from runs.models import JudgeReview, Panel, Run
from runs.models.open_rows import without_hidden
from runs.queries.board_names import BoardName
from runs.queries.filters import CellFilter, marked_runs
from runs.run_facts.judged_scores import SCORED, quality_by_agent, scored_runs

MOST_STORED = 500  # datasets, and datasets by panel
Value = TypeVar("Value")


class _ByAgent(Generic[Value]):
    """Values of the agents of a dataset. In a transaction nothing is stored, because it may be rolled back."""

    def __init__(self) -> None:
        self._stored: dict[object, Mapping[Group, Value]] = {}

    def read(
        self, name: object, groups: Collection[Group], make: Callable[[set[int]], Mapping[int, Value]]
    ) -> Mapping[int, Value]:
        """The values of these agents under a name; `make` computes those of the agents that have changed."""
        known = {} if connection.in_atomic_block else self._stored.get(name, {})
        changed = {group.agent for group in groups if group not in known}
        made = make(changed) if changed else {}
        now = {group: made[group.agent] if group.agent in changed else known[group] for group in groups}
        if not connection.in_atomic_block:
            if len(self._stored) >= MOST_STORED:
                self._stored = {}
            self._stored[name] = now
        return {group.agent: value for group, value in now.items()}


_counts: _ByAgent[Mapping[int, int]] = _ByAgent()
_quality: _ByAgent[QualityIndex | None] = _ByAgent()


def counting_panel(dataset: str) -> Panel | None:
    """The panel whose scores count in an open dataset; None without a score. At most three queries.

    It is the panel that gave most of the dataset's counted runs a score; of several, the newest. Scores of other panels
    are never mixed with its.
    """
    panel = _counting(_panel_counts(dataset, _groups(dataset)))
    return None if panel is None else without_hidden(Panel.objects.filter(pk=panel)).first()


def open_quality(dataset: str) -> Mapping[int, QualityIndex]:
    """The quality index of each agent that has a score, in an open dataset. One query while nothing has changed."""
    groups = _groups(dataset)
    counts = _panel_counts(dataset, groups)
    panel = _counting(counts)
    if panel is None:
        return {}

    def indices(agents: set[int]) -> Mapping[int, QualityIndex | None]:
        runs = CellFilter(dataset=dataset).runs().filter(agent__in=agents)
        found = quality_by_agent(scored_runs(runs, panel))
        return {agent: found.get(agent) for agent in agents}

    scored = [group for group in groups if panel in counts[group.agent]]
    read = _quality.read((dataset, panel), scored, indices)
    return {agent: quality for agent, quality in read.items() if quality is not None}


def _groups(dataset: str) -> list[Group]:
    return [group for group in open_groups() if group.dataset == BoardName.of(dataset).dataset]


def _counting(counts: Mapping[int, Mapping[int, int]]) -> int | None:
    """The number of the panel."""
    total: Counter[int] = Counter()
    for of_agent in counts.values():
        total.update(of_agent)
    return max(total, key=lambda panel: (total[panel], panel), default=None)


def _panel_counts(dataset: str, groups: Collection[Group]) -> Mapping[int, Mapping[int, int]]:
    """Agent → panel → its runs with a score."""

    def counts(agents: set[int]) -> Mapping[int, Mapping[int, int]]:
        # By joins, so that databases begin with the reviews: with a set of runs they begin with all runs.
        reviews = (
            without_hidden(JudgeReview.objects.filter(SCORED))
            .filter(
                run__state=Run.State.FINISHED,
                run__outcome__in=Run.VERDICTS,
                run__evaluation__listed=True,
                run__agent__in=agents,
                **BoardName.of(dataset).lookups("run__task__"),
            )
            .exclude(run__in=marked_runs())
        )
        found: dict[int, dict[int, int]] = defaultdict(dict)
        rows = reviews.order_by().values_list("run__agent", "judge__panel")
        for agent, panel, runs in rows.annotate(runs=Count("run", distinct=True)):
            found[agent][panel] = runs
        return {agent: found[agent] for agent in agents}

    return _counts.read(dataset, groups, counts)
