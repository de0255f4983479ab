"""Chapters of a report on results that no topic shows, in the form of the topics' results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from runs.analysis.cost.run_figures import LEVELS, RunFigures, run_figures
from runs.analysis.difficulty.curves import SUCCESS
from runs.analysis.difficulty.regressions import Coefficient
from runs.analysis.estimate import Estimate
from runs.analysis.everything import Options
from runs.analysis.metrics.contrasts import Contrasts, MetricContrast
from runs.analysis.metrics.core import METRICS, CoreMetrics
from runs.analysis.outcomes.head_to_head import HeadToHead, HeadToHeadTable
from runs.analysis.outcomes.table import AgentOutcome, Outcomes
from runs.analysis.outcomes.ties import ComparedPair, Place, TieGroup
from runs.analysis.prediction.outcome_prediction import Prediction
from runs.analysis.statistics.correlations import CorrelationMatrix
from runs.analysis.tasks.near_misses import NearMisses, NearMissTask
from runs.analysis.tools.telemetry import Telemetry, ToolRow, telemetry
from runs.presentation.charts.axis import share_axis
from runs.presentation.charts.dots import Dots
from runs.presentation.formatting.numbers import counted, percent
from runs.reporting.topics.section_parts import Columns, Field, estimate_dot, one_picture, one_table, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Form, ResultSection, TableColumn, TopicResult, Value

ResultsByGroup = Mapping[str, Mapping[str, object]]
Kind = TypeVar("Kind")


class ReportChapter(NamedTuple):
    """One chapter; `description` says in a sentence what it is about."""

    slug: str
    title: str
    description: str
    result: TopicResult


def leaderboard_chapter(results: ResultsByGroup, options: Options, data: TopicData) -> ReportChapter:
    """Ranks, rates and pairs of all agents; calibration agents have rates only."""
    outcomes = result_of(results, "outcomes", "outcomes", Outcomes)
    pairs = outcomes.ties.pairs
    apart = sum(pair.significant for pair in pairs)
    sections = (
        _standings(outcomes, data),
        _pairs(outcomes, result_of(results, "pairs", "head_to_head", HeadToHeadTable)),
        _attempts(outcomes, options, data),
        _near_misses(result_of(results, "tasks", "near_misses", NearMisses)),
    )
    summary = f"{apart:,} of {counted(len(pairs), 'pair')} of agents differ by more than chance."
    return chapter_of(
        "leaderboard", "Leaderboard", "All agents of this report.", data, *sections, summary=summary
    )


def further_chapters(results: ResultsByGroup, data: TopicData) -> Iterable[ReportChapter]:
    """Behaviour; difficulty and prediction where there are results of them."""
    core = result_of(results, "behaviour", "core_metrics", CoreMetrics)
    contrasts = result_of(results, "behaviour", "resolved_against_failed", Contrasts)
    sections = _core_metrics(core), _contrasts(contrasts)
    yield chapter_of("behaviour", "Behaviour", "How agents go about their tasks.", data, *sections)
    if "difficulty" in results:
        description = "Whether larger tasks are resolved less often."
        yield chapter_of("difficulty", "Difficulty", description, data, _difficulty(results["difficulty"]))
    if "prediction" in results:
        description = "Whether behaviour alone predicts the outcome."
        yield chapter_of("prediction", "Prediction", description, data, _prediction(results["prediction"]))


def result_of(results: ResultsByGroup, group: str, name: str, kind: type[Kind]) -> Kind:
    """One of the results, with its type."""
    found = results[group][name]
    assert isinstance(found, kind), f"{group}.{name} is a {type(found).__name__}"
    return found


def chapter_of(
    slug: str, title: str, description: str, data: TopicData, *sections: ResultSection, summary: str = ""
) -> ReportChapter:
    """A chapter with these sections."""
    return ReportChapter(slug, title, description, data.result(summary, sections))


def _column(title: str, form: Form, value: Callable[[Kind], Value]) -> Field[Kind]:
    """A column that is named by its title."""
    return Field(title, _heading(title), form, value)


def _heading(title: str) -> str:
    """With a capital, except where it begins with the symbol of a number."""
    return title if title.startswith(("p ", "pass")) or title == "p" else title[:1].upper() + title[1:]


def _span(range_: Place | TieGroup[str] | None) -> str | None:
    if range_ is None:
        return None
    return str(range_.first) if range_.first == range_.last else f"{range_.first}–{range_.last}"


def _standings(outcomes: Outcomes, data: TopicData) -> ResultSection:
    ties = outcomes.ties
    known = [one for one in outcomes.agents if one.agent in ties.places]
    dots = [estimate_dot(data.name(one.agent), one.pass_1) for one in known]
    groups = {one.agent: ties.of(one.agent) for one in known}
    columns: Columns[AgentOutcome] = (
        _column("agent", "agent", lambda it: it.agent),
        Field("places", "Rank", "text", lambda it: _span(ties.places.get(it.agent))),
        _column("group", "text", lambda it: _span(groups.get(it.agent))),
        _column("pass@1", "percent", lambda it: it.pass_1),
        _column("if lost runs had failed", "percent", lambda it: it.pass_1_strict),
        _column("tests passed", "percent", lambda it: it.tests),
        _column("tests passed where known", "percent", lambda it: it.tests_known),
        _column("without a test result", "count", lambda it: it.untested),
        _column("tasks", "count", lambda it: it.tasks),
        _column("resolved", "count", lambda it: it.resolved),
        _column("attempts", "count", lambda it: it.attempts),
        _column("lost runs", "count", lambda it: it.infrastructure_failed),
    )
    title = "pass@1 of each competing agent with its 95 % interval."
    return ResultSection(
        "standings",
        "Ranks",
        "pass@1 is the mean over tasks of the share of attempts that resolved the task, with its 95 % interval over "
        "tasks of these repositories; so are ranks. A rank is a range if the data do not decide it; agents of one "
        "group are connected by ties. An agent that tried few of the tasks has no rank. Calibration agents do not "
        "compete: they have no rank and are in no pair. Lost runs are those that the infrastructure failed: they "
        "count "
        "only in the rate “if lost runs had failed”. In tests passed, an attempt without a test result counts by "
        "its outcome; “where known” leaves it out.",
        ("pass-rate", "clustered-interval", "groups", "place-minimum", "excluded", "test-pass-rate"),
        one_picture("standings", title, Dots(tuple(dots), share_axis("pass@1")) if dots else None),
        table_of("standings", "standings", columns, outcomes.agents),
        "No agent made a run.",
    )


def _pairs(outcomes: Outcomes, found: HeadToHeadTable) -> ResultSection:
    ties = outcomes.ties
    beside = {frozenset((one.first, one.second)): one for one in found.pairs}

    def from_better(pair: ComparedPair[str]) -> tuple[ComparedPair[str], HeadToHead]:
        seen = beside[frozenset((pair.first, pair.second))]
        return pair, seen if seen.first == pair.better else seen.swapped()

    closest = sorted(ties.pairs, key=lambda one: (abs(one.difference.value or 0.0), one.first, one.second))
    rows = [from_better(pair) for pair in closest if pair.better is not None]
    untested = sum(pair.corrected.value is None for pair in ties.pairs)
    too_few = (
        f" {untested:,} share fewer than {ties.tasks_needed} tasks and were not tested." if untested else ""
    )
    columns: Columns[tuple[ComparedPair[str], HeadToHead]] = (
        _column("better", "agent", lambda it: it[1].first),
        _column("worse", "agent", lambda it: it[1].second),
        _column("points more pass@1", "points", lambda it: it[1].difference),
        _column("tasks ahead", "count", lambda it: it[1].ahead),
        _column("behind", "count", lambda it: it[1].behind),
        _column("level", "count", lambda it: it[1].level),
        _column("p", "number4", lambda it: it[0].p),
        _column("p after Holm", "number4", lambda it: it[0].corrected),
    )
    return ResultSection(
        "pairs",
        "Pairs that differ",
        f"{len(rows):,} of {counted(len(ties.pairs), 'pair')}, by a sign-flip test over common tasks with Holm's "
        f"correction, at 5 %; the closest are first.{too_few} Any other two agents may be equally good. Intervals are "
        "those of single pairs, without a correction.",
        ("head-to-head", "difference-interval"),
        tables=table_of("pairs", "pairs", columns, rows),
        empty="No pair differs by more than chance.",
    )


def _attempts(outcomes: Outcomes, options: Options, data: TopicData) -> ResultSection:
    floor = "no null agent made a run" if options.floor is None else data.name(options.floor)
    ceiling = "no oracle made a run" if options.ceiling is None else data.name(options.ceiling)
    columns: Columns[AgentOutcome] = (
        _column("agent", "agent", lambda it: it.agent),
        _column(f"pass@{outcomes.k}", "percent", lambda it: it.pass_k),
        _column(f"pass^{outcomes.k}", "percent", lambda it: it.all_k),
        _column("retry benefit", "percent", lambda it: it.retry_benefit),
        _column("pass@1 between bounds", "number", lambda it: it.between_rates),
        _column("tests between bounds", "number", lambda it: it.between_tests),
    )
    return ResultSection(
        "attempts",
        f"Several attempts: k = {outcomes.k}",
        f"Retry benefit: pass@{outcomes.k} − pass@1. Between bounds: 0 is the floor, unchanged code ({floor}), and 1 "
        f"the ceiling, the reference patch ({ceiling}).",
        ("pass-at-k", "pass-hat-k", "retry-benefit", "floor-and-ceiling"),
        tables=table_of("attempts", "attempts", columns, outcomes.agents),
        empty="No agent made a run.",
    )


def _near_misses(found: NearMisses) -> ResultSection:
    columns: Columns[NearMissTask] = (
        _column("agent", "agent", lambda it: it.agent),
        _column("task", "task", lambda it: it.task),
        _column("tests passed, mean", "percent", lambda it: it.rate),
        _column("best", "percent", lambda it: it.best),
        _column("tests that failed (in attempts)", "text", _obstacles),
    )
    return ResultSection(
        "near-misses",
        "Near misses",
        f"No attempt resolved the task, but at least {percent(found.threshold, 0)} of its tests passed on average: "
        f"{len(found.misses):,} of {counted(found.cells, 'pair')} of agent and task.",
        ("near-misses",),
        tables=table_of("near-misses", "near-misses", columns, found.misses),
        empty="There is no near miss.",
    )


def _obstacles(miss: NearMissTask) -> str:
    tests = [f"{each.test} ({each.failed} of {each.attempts})" for each in miss.between[:3]]
    more = [f"{len(miss.between) - 3:,} more"] if len(miss.between) > 3 else []
    unread = [f"unknown in {miss.unread} of {miss.attempts} attempts"] if miss.unread else []
    return "; ".join([*tests, *more, *unread])


def _core_metrics(found: CoreMetrics) -> ResultSection:
    columns = [TableColumn("agent", "Agent", "agent")]
    columns += [
        TableColumn(one.title, _heading(one.title), "percent" if one.share else "number1") for one in METRICS
    ]
    rows: list[tuple[Value, ...]] = [
        (one.agent, *(one.metrics[metric.name] for metric in METRICS)) for one in found.agents
    ]
    return ResultSection(
        "core-metrics",
        "Core metrics",
        "Means over tasks of the mean over an agent's attempts. Similarity is that to the reference patch, which is "
        "one of many correct solutions; the reasoning score counts signs in the text of the model.",
        ("core-metrics",),
        tables=one_table("core-metrics", "core-metrics", columns, rows),
        empty="No trajectory was counted.",
    )


def _contrasts(found: Contrasts) -> ResultSection:
    columns: Columns[MetricContrast] = (
        _column("metric", "text", lambda it: it.title),
        _column("resolved", "number", lambda it: it.resolved),
        _column("not resolved", "number", lambda it: it.failed),
        _column("Cliff's δ", "number", lambda it: it.effect),
        _column("p after Holm", "number4", lambda it: it.p_holm),
    )
    return ResultSection(
        "resolved-against-failed",
        "Resolved and other runs",
        "Each run is one observation. Attempts at one task and runs of one agent are not independent, so p is too "
        "small. An association with success is not a cause of it.",
        ("resolved-against-failed",),
        tables=table_of("resolved-against-failed", "resolved-against-failed", columns, found.rows),
    )


def _difficulty(results: Mapping[str, object]) -> ResultSection:
    correlations = result_of({"": results}, "", "difficulty_correlations", CorrelationMatrix)
    models = result_of({"": results}, "", "success_models", tuple)
    rows: list[tuple[Coefficient, Estimate]] = [
        (one.joint.coefficients[0], one.joint.mcfadden) for one in models
    ]
    columns: Columns[tuple[Coefficient, Estimate]] = (
        _column("measure", "text", lambda it: it[0].name),
        _column("mean of tasks", "number1", lambda it: it[0].mean),
        _column("deviation", "number1", lambda it: it[0].deviation),
        _column("odds ratio of +1 deviation", "number", lambda it: it[0].odds_ratio),
        _column("p", "number3", lambda it: it[0].p),
        _column("McFadden's R²", "number3", lambda it: it[1]),
        _column("rank correlation with success", "number", lambda it: correlations.of(it[0].name, SUCCESS)),
    )
    return ResultSection(
        "models",
        "By measures of the task",
        "Sizes of the reference patch, and of generated tasks the measures of their functions. Another solution may be "
        "smaller. An odds ratio below 1 means that success decreases with the measure. Each measure has its own model, "
        "over all agents, with errors clustered by task. The measures are correlated: several results are not as many "
        "independent findings. Success by groups of tasks is in report.json.",
        ("patch-measures", "success-models", "success-curve", "difficulty-correlations"),
        tables=table_of("success-models", "success-models", columns, rows),
    )


def _prediction(results: Mapping[str, object]) -> ResultSection:
    columns: Columns[Prediction] = (
        _column("classifier", "text", lambda it: it.model),
        _column("ROC AUC", "number3", lambda it: it.scores.roc_auc),
        _column("of shuffled labels", "number3", lambda it: it.chance.roc_auc),
        _column("accuracy", "percent", lambda it: it.scores.accuracy),
        _column("base rate", "percent", lambda it: it.base_rate),
        _column("beats chance", "flag", lambda it: it.beats_chance),
    )
    predictions = [result_of({"": results}, "", name, Prediction) for name in results]
    return ResultSection(
        "classifiers",
        "Classifiers",
        "On tasks that the classifier has not seen, without features that compare with the reference patch. A score "
        "has a meaning only if it is above that of the same classifier on shuffled labels; “beats chance” is a dash if "
        "one of the two is undefined. The importance of each feature is in report.json.",
        ("prediction", "features"),
        tables=table_of("classifiers", "classifiers", columns, predictions),
    )


class _AgentTool(NamedTuple):
    """One tool of one agent."""

    agent: str
    tool: ToolRow


def run_chapter(data: TopicData) -> ReportChapter:
    """Runs, verdicts, endings, speed, calls, success of tools, and quantiles of time and price, by agent."""
    figures = run_figures(data.runs)
    sections = (
        _verdicts(figures),
        _tools(telemetry(data.runs)),
        _speed(figures),
        _quantiles(
            "run_quantiles",
            "Time and price of a run",
            "Quantiles over runs with a verdict: in 80 % of them the agent acted for at most the value under 80 %.",
            figures,
            seconds=lambda it: it.seconds,
            cost_usd=lambda it: it.cost_usd,
        ),
        _quantiles(
            "response_quantiles",
            "Time and price of a response",
            "A response is all that an agent does after one message of the user. In tasks without a simulated user, a "
            "run is one response.",
            figures,
            seconds=lambda it: it.response_seconds,
            cost_usd=lambda it: it.response_cost_usd,
        ),
    )
    return chapter_of("runs", "Runs", "How runs ended, and what they cost.", data, *sections)


def _verdicts(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("runs", "Runs", "count", lambda it: it.runs),
        Field("scenarios", "Scenarios", "count", lambda it: it.scenarios),
        Field("resolved", "Resolved", "text", lambda it: f"{len(it.resolved)} of {it.graded}"),
        Field("formal", "Formal verification", "percent", lambda it: it.formal),
        Field("endings", "Endings", "text", lambda it: listed(it.endings.items())),
    )
    return ResultSection(
        "verdicts",
        "Verdicts and endings",
        "A task is one scenario; the personas of a scenario are one, too. Endings are those of all runs.",
        ("run-figures",),
        tables=table_of("verdicts", "Verdicts", columns, figures),
        empty="No agent made a run.",
    )


def _tools(found: Telemetry) -> ResultSection:
    columns: Columns[_AgentTool] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("tool", "Tool", "text", lambda it: it.tool.tool),
        Field("succeeded", "Calls that succeeded", "text", _succeeded),
        Field("success", "Success", "percent", lambda it: it.tool.success),
    )
    rows = [_AgentTool(table.agent or "", tool) for table in found.agents for tool in table.tools]
    return ResultSection(
        "tool_success",
        "Success of tools",
        "Of the calls that have a result. A command that exited with an error is a successful call.",
        ("tool-success",),
        tables=table_of("tool_success", "Success of tools", columns, rows),
        empty="No trajectory with a call was counted.",
    )


def _succeeded(it: _AgentTool) -> str:
    return f"{it.tool.judged - it.tool.failed} of {it.tool.judged}"


def _speed(figures: Sequence[RunFigures]) -> ResultSection:
    columns: Columns[RunFigures] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        Field("tokens_per_second", "Tokens per second", "number", lambda it: it.tokens_per_second),
        Field("calls", "Calls", "count", lambda it: it.calls),
        Field("calls_per_run", "Calls per run", "number1", lambda it: it.calls_per_run),
        Field("calls_per_step", "Calls in parallel", "number", lambda it: it.calls_per_step),
        Field("total_seconds", "Time in all", "duration", lambda it: it.total_seconds),
        Field("total_cost_usd", "Price in all", "dollars", lambda it: it.total_cost_usd),
    )
    return ResultSection(
        "speed",
        "Speed and calls",
        "Generated tokens for each second in which an agent acted. Calls in parallel: the mean over steps with a call.",
        ("run-figures",),
        tables=table_of("speed", "Speed", columns, figures),
        empty="No agent made a run.",
    )


def _quantiles(
    name: str,
    title: str,
    intro: str,
    figures: Sequence[RunFigures],
    *,
    seconds: Callable[[RunFigures], Mapping[int, Estimate]],
    cost_usd: Callable[[RunFigures], Mapping[int, Estimate]],
) -> ResultSection:
    """The quantiles of a time and of a price."""
    measures: tuple[tuple[str, str, Form, Callable[[RunFigures], Mapping[int, Estimate]]], ...] = (
        ("seconds", "Time", "duration", seconds),
        ("cost_usd", "Price", "dollars", cost_usd),
    )
    columns: Columns[RunFigures] = (
        Field("agent", "Agent", "agent", lambda it: it.agent),
        *(
            Field(f"{key}_{level}", f"{word}, {level} %", form, partial(_at_level, values, level))
            for key, word, form, values in measures
            for level in LEVELS
        ),
    )
    tables = table_of(name, name.replace("_", " ").capitalize(), columns, figures)
    return ResultSection(name, title, intro, ("run-figures",), tables=tables, empty="No agent made a run.")


def _at_level(
    values: Callable[[RunFigures], Mapping[int, Estimate]], level: int, figures: RunFigures
) -> Estimate:
    return values(figures)[level]


def listed(counts: Iterable[tuple[str, int]]) -> str:
    """Names with their counts, in alphabetical order."""
    return ", ".join(f"{name.replace('_', ' ') or 'not recorded'}: {count}" for name, count in sorted(counts))
