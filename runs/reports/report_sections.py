"""Chapters of a report on results that no topic shows, in the form of the topics' results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter
from typing import NamedTuple, TypeVar

from runs.analysis.difficulty.curves import SUCCESS
from runs.analysis.everything import Options
from runs.analysis.metrics.contrasts import Contrasts
from runs.analysis.metrics.core import METRICS, CoreMetrics
from runs.analysis.outcomes.head_to_head import HeadsToHeads
from runs.analysis.outcomes.table import Outcomes
from runs.analysis.outcomes.ties import ComparedPair, Place, TieGroup
from runs.analysis.statistics.correlations import CorrelationMatrix
from runs.analysis.tasks.near_misses import NearMisses, NearMissTask
from runs.charts.axis import share_axis
from runs.charts.dots import Dots
from runs.formatting.numbers import counted, percent
from runs.topics.section_parts import estimate_dot, one_picture, one_table
from runs.topics.topic_data import TopicData
from runs.topics.topic_result import Form, ResultSection, ResultTable, TableColumn, TopicResult, Value

ResultsByGroup = Mapping[str, Mapping[str, object]]
Row = tuple[Value, ...]
Kind = TypeVar("Kind")


class ReportChapter(NamedTuple):
    """One chapter; `description` says in a sentence what it is about."""

    slug: str
    title: str
    description: str
    result: TopicResult


def leaderboard_chapter(results: ResultsByGroup, options: Options, data: TopicData) -> ReportChapter:
    """Places, rates and pairs of all agents, calibration agents included."""
    outcomes = result_of(results, "outcomes", "outcomes", Outcomes)
    pairs = outcomes.ties.pairs
    apart = sum(pair.told_apart for pair in pairs)
    sections = (
        _standings(outcomes, data),
        _pairs(outcomes, result_of(results, "pairs", "head_to_head", HeadsToHeads)),
        _attempts(outcomes, options, data),
        _near_misses(result_of(results, "tasks", "near_misses", NearMisses)),
    )
    summary = f"{apart:,} of {counted(len(pairs), 'pair')} of agents differ by more than chance."
    return _chapter(
        "leaderboard", "Leaderboard", "All agents of this report.", data, *sections, summary=summary
    )


def further_chapters(results: ResultsByGroup, data: TopicData) -> Iterable[ReportChapter]:
    """Behaviour; difficulty and prediction where there are results of them."""
    core = result_of(results, "behaviour", "core_metrics", CoreMetrics)
    contrasts = result_of(results, "behaviour", "resolved_against_failed", Contrasts)
    sections = _core_metrics(core), _contrasts(contrasts)
    yield _chapter("behaviour", "Behaviour", "How agents go about their tasks.", data, *sections)
    if "difficulty" in results:
        description = "Whether tasks with larger reference patches are resolved less often."
        yield _chapter("difficulty", "Difficulty", description, data, _difficulty(results["difficulty"]))
    if "prediction" in results:
        description = "Whether behaviour alone predicts the outcome."
        yield _chapter("prediction", "Prediction", description, data, _prediction(results["prediction"]))


def result_of(results: ResultsByGroup, group: str, name: str, kind: type[Kind]) -> Kind:
    """One of the results, with its type."""
    found = results[group][name]
    assert isinstance(found, kind), f"{group}.{name} is a {type(found).__name__}"
    return found


def _chapter(
    slug: str, title: str, description: str, data: TopicData, *sections: ResultSection, summary: str = ""
) -> ReportChapter:
    result = TopicResult(
        summary, sections, data.agents, data.repositories, data.graded, data.tasks, data.calibrated
    )
    return ReportChapter(slug, title, description, result)


def _table(name: str, columns: Mapping[str, Form], rows: Iterable[Row]) -> tuple[ResultTable, ...]:
    """A table whose columns are named by their titles."""
    return one_table(name, name, [TableColumn(title, title, columns[title]) for title in columns], rows)


def _span(range_: Place | TieGroup[str] | None) -> str | None:
    if range_ is None:
        return None
    return str(range_.first) if range_.first == range_.last else f"{range_.first}–{range_.last}"


def _standings(outcomes: Outcomes[str, str], data: TopicData) -> ResultSection:
    ties = outcomes.ties
    known = [one for one in outcomes.agents if one.agent in ties.places]
    dots = [
        estimate_dot(data.name(one.agent), one.pass_1, hollow=data.calibrates(one.agent)) for one in known
    ]
    groups = {one.agent: ties.of(one.agent) for one in known}
    rows = [
        (
            one.agent,
            _span(ties.places.get(one.agent)),
            _span(groups.get(one.agent)),
            *(one.pass_1, one.pass_1_strict, one.tests, one.tasks),
            *(one.resolved, one.attempts, one.infrastructure_failed),
        )
        for one in outcomes.agents
    ]
    columns: dict[str, Form] = {
        **{"agent": "agent", "places": "text", "group": "text"},
        **{"pass@1": "percent", "if lost runs had failed": "percent", "tests passed": "percent"},
        **dict.fromkeys(("tasks", "resolved", "attempts", "lost runs"), "count"),
    }
    title = "pass@1 of each agent with its 95 % interval; calibration agents are hollow."
    return ResultSection(
        "standings",
        "Places",
        "pass@1 is the mean over tasks of the share of attempts that resolved the task, with its 95 % interval over "
        "such tasks. A place is a range as wide as the data leave it open; agents of one group are connected by ties. "
        "Lost runs are those that the infrastructure failed: they count for no rate but the strict one.",
        ("pass-rate", "clustered-interval", "groups", "excluded", "test-pass-rate"),
        one_picture("standings", title, Dots(tuple(dots), share_axis("pass@1")) if dots else None),
        _table("standings", columns, rows),
        "No agent made a run.",
    )


def _pairs(outcomes: Outcomes[str, str], found: HeadsToHeads) -> ResultSection:
    ties = outcomes.ties
    beside = {frozenset((one.first, one.second)): one for one in found.pairs}

    def row(pair: ComparedPair[str], better: str) -> Row:
        worse = pair.second if better == pair.first else pair.first
        seen = beside[frozenset((better, worse))]
        ours = seen if seen.first == better else seen.turned()
        return better, worse, ours.difference, ours.ahead, ours.behind, ours.level, pair.p, pair.corrected

    closest = sorted(ties.pairs, key=lambda one: (abs(one.difference.value or 0.0), one.first, one.second))
    rows = [row(pair, pair.better) for pair in closest if pair.better is not None]
    untested = sum(pair.corrected.value is None for pair in ties.pairs)
    too_few = (
        f" {untested:,} share fewer than {ties.tasks_needed} tasks and were not tested." if untested else ""
    )
    columns: dict[str, Form] = {
        **{"better": "agent", "worse": "agent", "points more pass@1": "points"},
        **dict.fromkeys(("tasks ahead", "behind", "level"), "count"),
        **{"p": "number4", "p after Holm": "number4"},
    }
    return ResultSection(
        "pairs",
        "Pairs that differ",
        f"{len(rows):,} of {counted(len(ties.pairs), 'pair')}, by a sign-flip test over common tasks with Holm's "
        f"correction, at 5 %; the closest stand first.{too_few} Any other two may be equally good. Intervals are "
        "those of single pairs, without a correction.",
        ("head-to-head", "difference-interval"),
        tables=_table("pairs", columns, rows),
        empty="No pair differs by more than chance.",
    )


def _attempts(outcomes: Outcomes[str, str], options: Options, data: TopicData) -> ResultSection:
    floor = "no null agent made a run" if options.floor is None else data.name(options.floor)
    ceiling = "no oracle made a run" if options.ceiling is None else data.name(options.ceiling)
    columns: dict[str, Form] = {
        "agent": "agent",
        **dict.fromkeys((f"pass@{outcomes.k}", f"pass^{outcomes.k}", "retry benefit"), "percent"),
        **{"pass@1 between bounds": "number", "tests between bounds": "number"},
    }
    values = attrgetter("agent", "pass_k", "all_k", "retry_benefit", "between_rates", "between_tests")
    return ResultSection(
        "attempts",
        f"Several attempts: k = {outcomes.k}",
        f"Retry benefit: pass@{outcomes.k} − pass@1. Between bounds: 0 is the floor, unchanged code ({floor}), and 1 "
        f"the ceiling, the reference patch ({ceiling}).",
        ("pass-at-k", "pass-hat-k", "retry-benefit", "floor-and-ceiling"),
        tables=_table("attempts", columns, map(values, outcomes.agents)),
        empty="No agent made a run.",
    )


def _near_misses(found: NearMisses) -> ResultSection:
    columns: dict[str, Form] = {
        **{"agent": "agent", "task": "task", "tests passed, mean": "percent", "best": "percent"},
        "tests that failed (in attempts)": "text",
    }
    rows = [(one.agent, one.task, one.rate, one.best, _obstacles(one)) for one in found.misses]
    return ResultSection(
        "near-misses",
        "Near misses",
        f"No attempt resolved the task, but at least {percent(found.threshold, 0)} of its tests passed on average: "
        f"{len(found.misses):,} of {counted(found.cells, 'pair')} of agent and task.",
        ("near-misses",),
        tables=_table("near-misses", columns, rows),
        empty="There is none.",
    )


def _obstacles(miss: NearMissTask) -> str:
    tests = [f"{each.test} ({each.failed} of {each.attempts})" for each in miss.between[:3]]
    more = [f"{len(miss.between) - 3:,} more"] if len(miss.between) > 3 else []
    unread = [f"unknown in {miss.unread} of {miss.attempts} attempts"] if miss.unread else []
    return "; ".join([*tests, *more, *unread])


def _core_metrics(found: CoreMetrics) -> ResultSection:
    columns: dict[str, Form] = {
        "agent": "agent",
        **{one.title: "percent" if one.share else "number1" for one in METRICS},
    }
    rows: list[Row] = [(one.agent, *(one.metrics[metric.name] for metric in METRICS)) for one in found.agents]
    return ResultSection(
        "core-metrics",
        "Core metrics",
        "Means over tasks of the mean over an agent's attempts. Similarity compares with the reference patch, which "
        "is one of many right solutions; reasoning counts signs in what the model wrote.",
        ("core-metrics",),
        tables=_table("core-metrics", columns, rows),
        empty="No trajectory was counted.",
    )


def _contrasts(found: Contrasts) -> ResultSection:
    columns: dict[str, Form] = {
        "metric": "text",
        **dict.fromkeys(("resolved", "not resolved", "Cliff's δ"), "number"),
        "p after Holm": "number4",
    }
    values = attrgetter("title", "resolved", "failed", "effect", "p_holm")
    return ResultSection(
        "resolved-against-failed",
        "Resolved and other runs",
        "Each run is one observation. Attempts at one task and runs of one agent are alike, so p is too small; and "
        "what goes with success need not cause it.",
        ("resolved-against-failed",),
        tables=_table("resolved-against-failed", columns, map(values, found.rows)),
    )


def _difficulty(results: Mapping[str, object]) -> ResultSection:
    correlations = result_of({"": results}, "", "difficulty_correlations", CorrelationMatrix)
    rows: list[Row] = []
    for one in result_of({"": results}, "", "success_models", tuple):
        (only,) = one.joint.coefficients
        fit, correlation = one.joint.mcfadden, correlations.of(only.name, SUCCESS)
        rows.append((only.name, only.mean, only.deviation, only.odds_ratio, only.p, fit, correlation))
    columns: dict[str, Form] = {
        **{"measure": "text", "mean of tasks": "number1", "deviation": "number1"},
        **{"odds ratio of +1 deviation": "number", "p": "number3", "McFadden's R²": "number3"},
        "rank correlation with success": "number",
    }
    return ResultSection(
        "models",
        "By measures of the reference patch",
        "Another solution may be smaller. An odds ratio below 1 says that success falls with the measure. Each "
        "measure is looked at alone, over all agents, with errors clustered by task; they overlap so much that five "
        "of them are no five findings. Success by groups of tasks is in report.json.",
        ("patch-measures", "success-models", "success-curve", "difficulty-correlations"),
        tables=_table("success-models", columns, rows),
    )


def _prediction(results: Mapping[str, object]) -> ResultSection:
    columns: dict[str, Form] = {
        **{"classifier": "text", "ROC AUC": "number3", "of shuffled labels": "number3"},
        **{"accuracy": "percent", "base rate": "percent", "beats chance": "flag"},
    }
    values = attrgetter(
        "model", "scores.roc_auc", "chance.roc_auc", "scores.accuracy", "base_rate", "beats_chance"
    )
    return ResultSection(
        "classifiers",
        "Classifiers",
        "On tasks that the classifier has not seen, without features that compare with the reference patch. A score "
        "means something when it beats the same classifier on shuffled labels; it is a dash where one is undefined. "
        "How much each feature matters is in report.json.",
        ("prediction", "features"),
        tables=_table("classifiers", columns, map(values, results.values())),
    )
