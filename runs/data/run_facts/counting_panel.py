"""Which panel of judges counts in a dataset, and the quality index of agents by it.

As with open cells, a process stores what it read of each agent in a dataset with its revision. A review changes one
agent, so the next page reads the reviews of that agent only: of 30,000 reviews all at once would take 0.3 s.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from django.db.models import Count, Q, QuerySet

from runs.analysis.scores.quality_index import QualityIndex
from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cells.agent_values import AgentValues
from runs.data.cells.open_cells import Group, dataset_groups
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import marked_runs
from runs.data.run_facts.judged_scores import SCORED, quality_by_agent, scored_runs
from runs.models import JudgeReview, Panel, Run
from runs.models.open_rows import without_hidden
from tasks.models import Task

FEW_REVIEWS = 10_000


_counts: AgentValues[Mapping[int, int]] = AgentValues()
_quality: AgentValues[QualityIndex | None] = AgentValues()


def has_panel(dataset: str) -> bool:
    """Whether a score counts in an open dataset. At most two queries, and none while nothing has changed."""
    return _counting(_panel_counts(dataset, dataset_groups(dataset))) is not None


def counting_panel(dataset: str) -> Panel | None:
    """The panel whose scores count in an open dataset; None without a score. At most three queries.

    It is the panel that gave most of the dataset's counted runs a score; of several, the newest. Scores of other panels
    are never mixed with its.
    """
    panel = _counting(_panel_counts(dataset, dataset_groups(dataset)))
    return None if panel is None else without_hidden(Panel.objects.filter(pk=panel)).first()


def open_quality(chosen: BoardFilter) -> Mapping[int, QualityIndex]:
    """The quality index of each agent that has a score in an open dataset, from the runs that match this filter.

    One query while nothing has changed.
    """
    groups = dataset_groups(chosen.dataset)
    counts = _panel_counts(chosen.dataset, groups)
    panel = _counting(counts)
    if panel is None:
        return {}

    def indices(agents: set[int]) -> Mapping[int, QualityIndex | None]:
        scored = quality_by_agent(scored_runs(chosen.runs().filter(agent__in=agents), panel))
        return {agent: scored.get(agent) for agent in agents}

    scored = [group for group in groups if panel in counts[group.agent]]
    read = _quality.read((chosen, panel), scored, indices)
    return {agent: quality for agent, quality in read.items() if quality is not None}


def _counting(counts: Mapping[int, Mapping[int, int]]) -> int | None:
    """The number of the panel."""
    total: Counter[int] = Counter()
    for of_agent in counts.values():
        total.update(of_agent)
    return max(total, key=lambda panel: (total[panel], panel), default=None)


def _panel_counts(dataset: str, groups: Collection[Group]) -> Mapping[int, Mapping[int, int]]:
    """Agent → panel → its runs with a score."""

    board = BoardName.of(dataset)

    def counts(agents: set[int]) -> Mapping[int, Mapping[int, int]]:
        begin_with_reviews = not _BEYOND_FEW.rows()
        if len(agents) == 1:
            origin = [board.origin] if board.origin else []
            rows = _of_agent(begin_with_reviews, bool(origin)).rows(*origin, board.dataset, *agents)
        else:
            rows = list(_scored_runs(begin_with_reviews, board).filter(run__agent__in=agents))
        by_agent: dict[int, dict[int, int]] = defaultdict(dict)
        for agent, panel, runs in rows:
            by_agent[agent][panel] = runs
        return {agent: by_agent[agent] for agent in agents}

    return _counts.read(dataset, groups, counts)


def _scored_runs(begin_with_reviews: bool, board: BoardName) -> QuerySet[JudgeReview, Any]:
    """Agent, panel, and how many of the agent's runs on a board have a score by the panel.

    `begin_with_reviews`: with what SQLite begins to count: with the reviews, as is best where a site has few, else with
    the runs of the agents. All scored reviews are done, so the condition changes no result. The runs of an agent with
    40,000 take 53 ms, those of one with 400 take 1.4 ms; 10,000 reviews take 3 ms.
    """
    # By joins: with a set of runs, databases begin with all runs.
    done = Q(state=JudgeReview.State.DONE) if begin_with_reviews else Q()
    counted = without_hidden(JudgeReview.objects.filter(SCORED, done)).filter(
        run__state=Run.State.FINISHED,
        run__outcome__in=Run.VERDICTS,
        run__evaluation__listed=True,
    )
    of_board = counted.exclude(run__in=marked_runs()).filter(**board.lookups("run__task__"))
    rows: QuerySet[JudgeReview, Any] = of_board.order_by().values_list("run__agent", "judge__panel")
    return rows.annotate(runs=Count("run", distinct=True))


@cache
def _of_agent(begin_with_reviews: bool, of_origin: bool) -> CompiledQuery:
    """`_scored_runs` of one agent. Compiled, it takes 0.5 ms instead of 3, and a page asks it of a changed agent."""
    board = BoardName("", Task.Origin.values[0] if of_origin else "")
    return CompiledQuery(lambda: _scored_runs(begin_with_reviews, board).filter(run__agent=0))


# The first done review beyond the few, if there is one.
_BEYOND_FEW = CompiledQuery(
    lambda: (
        JudgeReview.objects.filter(state=JudgeReview.State.DONE)
        .order_by()
        .values_list("pk")[FEW_REVIEWS : FEW_REVIEWS + 1]
    )
)
