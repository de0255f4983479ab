"""Sections of the iterations topic on agents as wholes: which are unusual, and which spend their iterations alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runs.analysis.estimate import Estimate
from runs.analysis.iterations.shares import IterationMixes
from runs.analysis.iterations.strategies import Cluster, Strategies, Tried, strategies
from runs.analysis.iterations.unusual import (
    ExplorationErrors,
    MeasureLimits,
    exploration_and_errors,
    unusual_agents,
)
from runs.presentation.charts.axis import linear_axis
from runs.presentation.charts.scatter import Scatter, ScatterPoint
from runs.presentation.formatting.numbers import correlation, percent, plain
from runs.reporting.topics.section_parts import Columns, Field, alternatives, one_picture, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, ResultTable, Term

PUBLISHED_K = 3  # the number of clusters in IDE-Bench
_MEASURES: Mapping[str, str] = {
    "exploration": "Exploring, share of iterations",
    "productive": "Productive, share of iterations",
    "non_productive": "Failing, share of iterations",
    "iterations": "Iterations of a run, mean",
}
_NOTHING = "No trajectory was counted."


def unusual_section(data: TopicData, mixes: IterationMixes) -> ResultSection:
    """Outliers among agents, and exploration against failing edits."""
    found = unusual_agents(mixes)
    columns: Columns[MeasureLimits] = (
        Field("measure", "Measure", "text", lambda it: Term(it.measure, _MEASURES[it.measure])),
        Field("q1", "Lower quartile", "number3", lambda it: it.q1),
        Field("q3", "Upper quartile", "number3", lambda it: it.q3),
        Field("low", "Unusual below", "number3", lambda it: it.low, "unusual-agents"),
        Field("high", "Unusual above", "number3", lambda it: it.high, "unusual-agents"),
        Field("unusual", "Unusual agents", "text", lambda it: _named(data, it)),
    )
    known = [one for one in found.measures if one.q1.value is not None]
    points = [(mix, mix.exploration.pooled, mix.non_productive.pooled) for mix in mixes.agents]
    return ResultSection(
        "unusual",
        "Unusual agents, and exploration against errors",
        "An agent is unusual if its value lies more than 1.5 interquartile ranges outside the middle half of agents. "
        f"{_correlated(exploration_and_errors(mixes))}",
        ("unusual-agents", "exploration-and-errors", "correlation-p"),
        one_picture(
            "unusual-chart",
            "Agents by their share of exploring iterations and of iterations whose edits fail.",
            _scatter(
                [_point(data.name(mix.agent or ""), x, y) for mix, x, y in points if x.value is not None],
                "failing iterations",
            ),
        ),
        table_of("unusual", "Limits of usual values over agents", columns, known),
        "Fewer than four agents have counted trajectories." if mixes.agents else _NOTHING,
    )


def _written(measure: str, value: float) -> str:
    return plain(value) if measure == "iterations" else percent(value)


def _named(data: TopicData, found: MeasureLimits) -> str | None:
    named = (
        f"{data.name(agent)} ({_written(found.measure, value)})" for agent, value in found.agents.items()
    )
    return ", ".join(named) or None


def _correlated(found: ExplorationErrors) -> str:
    if found.pearson.value is None or found.spearman.value is None:
        return f"No correlation of exploring and failing shares: {found.pearson.reason or found.spearman.reason}."
    return (
        f"Over {found.pearson.n} agents, exploring and failing shares have a correlation of "
        f"{correlation(found.pearson.value)} (p = {found.pearson_p.value:.3f}), of ranks "
        f"{correlation(found.spearman.value)} (p = {found.spearman_p.value:.3f}). Shares sum to 1, so a weak negative "
        "correlation is expected in any case."
    )


def clusters_section(data: TopicData, mixes: IterationMixes) -> ResultSection:
    """k-means clusters of agents: with the best silhouette, and as many as in the paper."""
    best = strategies(mixes, seed=data.seed)
    printed = strategies(mixes, k=PUBLISHED_K, seed=data.seed)
    tables = [(f"best silhouette: {best.k} clusters", _clusters(data, "clusters", best))]
    if best.k != PUBLISHED_K and printed.k:
        tables.append((f"{PUBLISHED_K} clusters, as in IDE-Bench", _clusters(data, "clusters-3", printed)))
    by_agent = {mix.agent: mix for mix in mixes.agents}
    points = [
        _point(
            f"{cluster.number}: {data.name(agent)}",
            by_agent[agent].exploration.pooled,
            by_agent[agent].productive.pooled,
            cluster.number,
        )
        for cluster in best.clusters
        for agent in cluster.agents
    ]
    return ResultSection(
        "clusters",
        "Agents that spend their iterations alike",
        "k-means clusters of agents by their shares of exploring, productive and failing iterations. The number of "
        "clusters is that with the best silhouette: near 1 clusters are far apart, near 0 they touch. The chart has "
        "the number of the cluster before each name.",
        ("strategies", "strategy-clusters"),
        one_picture(
            "clusters-chart",
            "Agents by their share of exploring and of productive iterations, with the number of their cluster.",
            _scatter(points, "productive iterations"),
        ),
        (*alternatives(tables), *_tried(best)),
        f"No clusters: {best.reason}." if mixes.agents else _NOTHING,
    )


def _clusters(data: TopicData, name: str, found: Strategies) -> tuple[ResultTable, ...]:
    columns: Columns[Cluster] = (
        Field("cluster", "Cluster", "count", lambda it: it.number),
        Field("exploration", "Exploring, mean", "percent", lambda it: it.exploration),
        Field("productive", "Productive, mean", "percent", lambda it: it.productive),
        Field("non_productive", "Failing, mean", "percent", lambda it: it.non_productive),
        Field("agents", "Agents", "count", lambda it: len(it.agents)),
        Field("who", "Who", "text", lambda it: data.names(it.agents)),
    )
    return table_of(name, f"{found.k} clusters of agents", columns, found.clusters)


def _tried(found: Strategies) -> tuple[ResultTable, ...]:
    columns: Columns[Tried] = (
        Field("k", "Clusters", "count", lambda it: it.k),
        Field("silhouette", "Silhouette", "number", lambda it: it.silhouette, "strategy-clusters"),
        Field("inertia", "Inertia", "number4", lambda it: it.inertia, "strategy-inertia"),
    )
    return table_of("numbers-of-clusters", "Compared numbers of clusters", columns, found.tried)


def _point(name: str, x: Estimate, y: Estimate, group: int = 0) -> ScatterPoint:
    hover = f"{percent(x.value)} exploring, {percent(y.value)}"
    return ScatterPoint(name, x.value or 0.0, y.value or 0.0, hover=(hover, f"n {x.n:,}"), group=group)


def _scatter(points: Sequence[ScatterPoint], title: str) -> Scatter | None:
    """No chart of fewer than two agents."""
    if len(points) < 2:
        return None
    return Scatter(
        tuple(points),
        linear_axis("exploring iterations", [point.x for point in points], _percents, from_zero=False),
        linear_axis(title, [point.y for point in points], _percents),
    )


def _percents(value: float) -> str:
    return percent(value, 0)
