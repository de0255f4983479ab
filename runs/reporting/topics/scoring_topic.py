"""Topic: scores and ratings of the same runs, and how they order agents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from runs.analysis.estimate import Estimate
from runs.analysis.outcomes.best_of_n import BestOfN, SelectorResult, best_of_n
from runs.analysis.outcomes.run_selectors import SELECTORS
from runs.analysis.prediction.predicted_selector import predicted_selector
from runs.analysis.scores.bradley_terry import BradleyTerry, bradley_terry
from runs.analysis.scores.metric_correlations import metric_correlations
from runs.analysis.scores.ratings import Elo, EloRating, elo
from runs.analysis.scores.run_metrics import MeasuredRuns, measured_runs
from runs.analysis.scores.scoreboard import WAYS, Scoreboard, scoreboard, task_scores
from runs.analysis.statistics.correlations import (
    MIN_COUNT,
    SPEARMAN,
    CorrelationMatrix,
    correlations,
    mean_ranks,
)
from runs.presentation.charts.axis import Axis, Tick, linear_axis
from runs.presentation.charts.dots import Dot, Dots
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import (
    bounds,
    correlation_with_interval,
    counted,
    percent,
    plain,
    points,
    signed,
)
from runs.reporting.topics.section_parts import Columns, Field, matrix, one_picture, one_table, table_of
from runs.reporting.topics.topic_data import TopicData, joined
from runs.reporting.topics.topic_result import Form, ResultSection, ResultTable, TableColumn, Term

RATE = "pass_at_1"
TESTS = "tests"
ELO = "elo"
STRENGTH = "bradley_terry_regularised"
TITLES = {
    RATE: "solved per attempt",
    TESTS: "tests passed",
    ELO: "Elo",
    STRENGTH: "Bradley–Terry, regularised",
    "topsis": "TOPSIS",
    "pareto": "Pareto rank",
}
DRAWN = (RATE, "weighted", "geometric", "hierarchical", "topsis", "pareto", ELO)
# How the values of a scoring method are written, and their anchor; those of other methods are scores from 0 to 1.
_FORMS: Mapping[str, tuple[Form, str]] = {
    RATE: ("percent", "pass-rate"),
    TESTS: ("percent", "test-pass-rate"),
    ELO: ("count", "elo"),
    STRENGTH: ("count", "bradley-terry"),
    "weighted_product": ("number3", "score-weighted-product"),
}

ByWay = Mapping[str, Mapping[str, Estimate]]


def sections(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
    """Agents by each scoring method, how the methods order them, ratings, the metrics of scores, and best-of-N."""
    measured = measured_runs(data.runs)
    board = scoreboard(measured)
    by_task = task_scores(measured)
    rated = elo(by_task.scores, by_task.scenarios, seed=data.seed)
    strong = bradley_terry(by_task.scores, by_task.scenarios, seed=data.seed)
    ways = _ways(data, board, rated, strong)
    agents = [one.agent for one in data.outcomes.agents if one.agent in ways["weighted"]]
    alike = correlations({way: [ways[way][agent].value for agent in agents] for way in ways}, SPEARMAN)
    return _summary(alike, len(agents)), (
        _scores(data, ways, agents),
        _order(alike),
        _ratings(rated, strong),
        _metrics(measured),
        best_of_section(data),
    )


def _ways(data: TopicData, board: Scoreboard, rated: Elo, strong: BradleyTerry) -> ByWay:
    """Scoring method → agent → its value, more is better; each method has every agent with a score."""
    found = {one.agent: one for one in data.outcomes.agents}
    scored = {one.agent: one.ways for one in board.agents}
    no_match = Estimate.unknown("no match with another agent")
    elos = {one.agent: one.rating for one in rated.ratings}
    strengths = {one.agent: one.regularised for one in strong.strengths}
    return {
        RATE: {agent: found[agent].pass_1 for agent in scored},
        TESTS: {agent: found[agent].tests for agent in scored},
        **{way: {agent: theirs[way].mean for agent, theirs in scored.items()} for way in WAYS},
        ELO: {agent: elos.get(agent, no_match) for agent in scored},
        STRENGTH: {agent: strengths.get(agent, no_match) for agent in scored},
    }


def _summary(alike: CorrelationMatrix, agents: int) -> str:
    known = {
        way: figure
        for way in alike.names
        if way != RATE and (figure := alike.of(RATE, way)).value is not None
    }
    if not known:
        needed = f"{MIN_COUNT} with different rates are needed"
        return f"No comparison of the orders of {counted(agents, 'agent')}: {needed}."
    said = {way: correlation_with_interval(figure) for way, figure in known.items()}
    least = said[min(known, key=lambda way: known[way].value or 0.0)]
    most = said[max(known, key=lambda way: known[way].value or 0.0)]
    odd, like = ([way for way in known if said[way] == text] for text in (least, most))
    if least == most:
        who = f"The order by {_titles(odd)} has" if len(odd) == 1 else f"All {len(odd)} other orders have"
        return f"{who} a rank correlation of {least} with that by solved tasks per attempt."
    first = f"The order by {_titles(odd)} is" if len(odd) == 1 else f"The orders by {_titles(odd)} are"
    others = f"that by {_titles(like)} is" if len(like) == 1 else f"those by {_titles(like)} are"
    rest = f"with a rank correlation of {least}; {others} most like it, with {most}"
    return f"{first} least like that by solved tasks per attempt, {rest}."


def _titles(ways: Iterable[str]) -> str:
    return joined([_title(way) for way in ways])


def _title(way: str) -> str:
    return TITLES.get(way, way.replace("_", " "))


def _scores(data: TopicData, ways: ByWay, agents: Sequence[str]) -> ResultSection:
    columns = [TableColumn("agent", "Agent", "agent")]
    columns += [TableColumn(way, _title(way), *_FORMS.get(way, ("number3", f"score-{way}"))) for way in ways]
    drawn = [agent for agent in agents if all(ways[way][agent].value is not None for way in DRAWN)]
    chart = _ranks(data, ways, drawn)
    return ResultSection(
        "scores",
        "The same runs by each scoring method",
        "A score puts resolving and five metrics of behaviour into one number from 0 to 1; its weights are a choice. "
        "Percentile, TOPSIS and Pareto are relative to the runs looked at here. Elo and Bradley–Terry rate agents by "
        "which others they beat at each task."
        + (
            f" The chart shows ranks among the {len(drawn)} drawn agents, the first at the top."
            if chart
            else ""
        )
        + _missing(data, ways, agents, drawn),
        ("scores", "run-metrics"),
        one_picture("ranks-chart", "The rank of each agent by each scoring method.", chart),
        one_table(
            "scores",
            "Scores by agent, the one that solves most per attempt first",
            tuple(columns),
            [(agent, *(ways[way][agent] for way in ways)) for agent in agents],
        ),
        "No run could be scored: scores need counted trajectories.",
    )


def _missing(data: TopicData, ways: ByWay, agents: Sequence[str], drawn: Sequence[str]) -> str:
    """The agents that are not in the chart or not scored, each with the reason; '' where there are none."""
    text = ""
    reasons: dict[str, list[str]] = {}
    for agent in agents:
        lacks = [
            f"{_title(way)} ({ways[way][agent].reason})" for way in DRAWN if ways[way][agent].value is None
        ]
        if lacks:
            reasons.setdefault(joined(lacks), []).append(agent)
    if reasons and len(drawn) > 1:
        left = [f"{data.names(those)}, without {lacks}" for lacks, those in reasons.items()]
        text += f" Not drawn: {'; '.join(left)}."
    unscored = [one.agent for one in data.outcomes.agents if one.agent not in agents]
    if unscored and agents:
        text += f" Not scored, without a complete trajectory: {data.names(unscored)}."
    return text


def _ranks(data: TopicData, ways: ByWay, known: Sequence[str]) -> Lines | None:
    """Ranks from 1 among the `known`, equal ones shared. None for fewer than two."""
    if len(known) < 2:
        return None
    places = {
        way: mean_ranks(-np.array([ways[way][agent].value for agent in known], dtype=float)) for way in DRAWN
    }
    last = len(known)
    step = max(1, last // 6)
    return Lines(
        tuple(
            Series(
                data.chart_name(agent),
                tuple((place, float(places[way][row])) for place, way in enumerate(DRAWN)),
                tuple(f"{_title(way)}: {places[way][row]:g} of {last}" for way in DRAWN),
            )
            for row, agent in enumerate(known)
        ),
        Axis(
            "scoring method",
            -0.2,
            len(DRAWN) - 1,
            tuple(Tick(place, _title(way)) for place, way in enumerate(DRAWN)),
        ),
        Axis("rank", last + 0.5, 0.5, tuple(Tick(place, plain(place)) for place in range(1, last + 1, step))),
    )


def _order(alike: CorrelationMatrix) -> ResultSection:
    return ResultSection(
        "agreement",
        "How similar the orders are",
        "Spearman's rank correlation of each pair of scoring methods, over the agents that have a value in both: 1 is "
        "the same order, −1 the opposite order, 0 neither. An interval with 0 in it says that the orders may have "
        f"nothing in common; below {MIN_COUNT} agents there is no correlation.",
        ("correlations",),
        (),
        matrix(
            "agreement",
            "Rank correlation of each pair of scoring methods",
            [Term(way, _title(way)) for way in alike.names],
            [(way, _title(way)) for way in alike.names],
            lambda one, other: None if one == other else alike.of(one, other),
            head=TableColumn("way", "Method", "text"),
            form="correlation",
            shown=bool(alike.rows),
        ),
        "No run could be scored.",
    )


def _ratings(rated: Elo, strong: BradleyTerry) -> ResultSection:
    strengths = {one.agent: one for one in strong.strengths}
    columns: Columns[EloRating] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("elo", "Elo", "number1", lambda it: it.rating, "elo"),
        Field("spread", "Spread over orders", "number1", lambda it: it.spread),
        Field(
            "bradley_terry_likelihood",
            "Bradley–Terry, maximum likelihood",
            "number1",
            lambda it: strengths[it.agent].rating,
            "bradley-terry",
        ),
        Field(
            STRENGTH,
            TITLES[STRENGTH],
            "number1",
            lambda it: strengths[it.agent].regularised,
            "bradley-terry",
        ),
        Field("wins", "Wins", "count", lambda it: it.record.wins),
        Field("ties", "Draws", "count", lambda it: it.record.ties),
        Field("losses", "Losses", "count", lambda it: it.record.losses),
        Field("win_rate", "Win rate", "percent", lambda it: it.win_rate),
    )
    linked = (
        "" if rated.linked else " Not every agent is linked to every other by matches: compare with care."
    )
    return ResultSection(
        "ratings",
        "Ratings",
        f"Each task is a match between two agents, by their mean hierarchical scores; a difference below 0.05 is a "
        f"draw. Elo is the mean over {rated.orders:,} random orders (seed {rated.seed}) of "
        f"{counted(rated.n, 'match', 'matches')}; Bradley–Terry needs no order. Its maximum likelihood is "
        "unknown for agents that win or lose every match; regularised, with a draw of each agent against one fixed "
        f"opponent, it ranks all of them.{linked}",
        ("elo", "bradley-terry", "task-scores"),
        (),
        table_of("ratings", "Ratings by agent", columns, rated.ratings),
        "No two agents have a common task.",
    )


def _metrics(measured: MeasuredRuns) -> ResultSection:
    found = metric_correlations(measured)
    return ResultSection(
        "metrics",
        "The metrics of scores",
        f"Pearson's correlation of each pair of metrics, over {counted(len(measured.runs), 'run')}: what correlated "
        "metrics have in common counts twice in a weighted score.",
        ("metric-correlations", "run-metrics"),
        (),
        matrix(
            "metrics",
            "Correlation of each pair of metrics of a run",
            [Term(name, _title(name)) for name in found.names],
            [(name, _title(name)) for name in found.names],
            lambda one, other: None if one == other else found.of(one, other),
            head=TableColumn("metric", "Metric", "text"),
            form="correlation",
            shown=bool(measured.runs),
        ),
        "No run could be scored.",
    )


def best_of_section(data: TopicData) -> ResultSection:
    """The gain of each selector over all agents, and the rates of each agent."""
    found = best_of_n(data.runs, data.k, (*SELECTORS, predicted_selector(data.runs, seed=data.seed)))
    overall = found.overall
    known = [one for one in overall.selectors if one.best_of.value is not None]
    rates = (
        f"pass@1 {percent(overall.pass_1.value)}, pass@{found.n} {percent(overall.pass_n.value)}, of "
        f"{counted(overall.runs, 'attempt')}"
    )
    reasons = (one.best_of.reason for one in overall.selectors if one.best_of.reason)
    return ResultSection(
        "best-of-n",
        "Choosing one of several attempts",
        f"Of {counted(found.n, 'attempt')} of an agent at a task, one is chosen by what is known before grading. A "
        f"random choice gives pass@1, and a choice that always finds a success gives pass@{found.n}; the share "
        "captured is the position between these two. A selector below pass@1 prefers failures. Intervals are about "
        "tasks of these repositories. An attempt without a value is chosen only if no other was drawn.",
        ("best-of-n", "chosen-rate", "predicted-selector", "pass-rate"),
        one_picture(
            "best-of-n-chart",
            f"Gain over pass@1 of choosing one of {found.n} attempts, over all agents, with 95 % intervals.",
            _chart(known) if known else None,
        ),
        (
            *table_of(
                "best-of-n", f"Best-of-{found.n} over all agents: {rates}", _OVERALL, overall.selectors
            ),
            *_by_agent(data, found),
        )
        if known
        else (),
        f"No choice is possible: {next(reasons, 'no run')}.",
    )


def _chart(known: Sequence[SelectorResult]) -> Dots:
    rows = sorted(known, key=lambda one: (-(one.gain.value or 0.0), one.selector))
    reach = [end for one in rows for end in (one.gain.value, *bounds(one.gain)) if end is not None]
    return Dots(
        tuple(
            Dot(one.title, one.gain.value, f"{points(one.gain.value)}, n {one.gain.n:,}", *bounds(one.gain))
            for one in rows
        ),
        linear_axis("points above pass@1", reach, lambda value: signed(100 * value, 0)),
        reference=0.0,
    )


_OVERALL: Columns[SelectorResult] = (
    Field("selector", "Chosen", "text", lambda it: Term(it.selector, it.title)),
    Field("best_of", "Resolved", "percent", lambda it: it.best_of, "best-of-n"),
    Field("gain", "Points above pass@1", "points", lambda it: it.gain, "best-of-n"),
    Field("captured", "Captured", "percent", lambda it: it.captured, "best-of-n"),
    Field("missing", "Attempts without a value", "count", lambda it: it.missing),
)


def _by_agent(data: TopicData, found: BestOfN) -> tuple[ResultTable, ...]:
    order = {one.agent: place for place, one in enumerate(data.outcomes.agents)}
    agents = sorted(found.agents, key=lambda one: order.get(one.agent or "", len(order)))
    selectors = [(one.selector, one.title) for one in found.overall.selectors]
    columns = [
        TableColumn("agent", "Agent", "agent"),
        TableColumn("pass_1", "Solved per attempt", "percent", "pass-rate"),
        *(TableColumn(name, title, "percent", "best-of-n") for name, title in selectors),
        TableColumn("pass_n", f"pass@{found.n}", "percent", "pass-rate"),
    ]
    rows = [(one.agent, one.pass_1, *(each.best_of for each in one.selectors), one.pass_n) for one in agents]
    return one_table("best-of-n-by-agent", f"Best-of-{found.n} by agent", columns, rows)
