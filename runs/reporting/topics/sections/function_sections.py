"""Sections on the functions of generated tasks: success by size, centrality and rank, the hard set, correlations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from runs.analysis.difficulty.corrupted_functions import CORRUPTED, MULTIPLE
from runs.analysis.difficulty.curves import SUCCESS, Measures, difficulty_correlations
from runs.analysis.difficulty.hard_set import AXES, CODE_LINES, HARMONIC, HardRates, HardSet, hard_set
from runs.analysis.difficulty.regressions import (
    BY_REPOSITORY,
    Coefficient,
    SuccessBand,
    SuccessModel,
    success_band,
    success_models,
)
from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts
from runs.analysis.statistics.correlations import SPEARMAN
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import counted, plain
from runs.reporting.topics.section_parts import Columns, Field, estimate_series, matrix, one_table, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Picture, ResultSection, ResultTable, TableColumn, Term, Value

OCHIAI_RANK, NAMING_SHARE = "ochiai_rank", "naming_share"
TITLES: Mapping[str, str] = {
    CODE_LINES: "code lines",
    HARMONIC: "harmonic centrality",
    OCHIAI_RANK: "rank by Ochiai",
    NAMING_SHARE: "share of tracebacks",
    SUCCESS: SUCCESS,
}
UNKNOWN = "The size and the centrality of the functions are unknown, or no such task was tried."

Origins = Mapping[str, Sequence[RunFacts]]
Row = tuple[str, str, SuccessModel, Coefficient]
FINDING = (OCHIAI_RANK, NAMING_SHARE)
_WITH = (CODE_LINES, HARMONIC, SUCCESS)
_ORIGINS = (CORRUPTED, MULTIPLE)  # whose tasks do not name their functions

Related = tuple[str, str, Mapping[str, Estimate]]


def title_of(measure: str) -> str:
    """The title of a measure on pages."""
    return TITLES.get(measure, measure.replace("_", " "))


def curve_section(data: TopicData, generated: Origins) -> ResultSection:
    """Regressions on code lines and harmonic centrality, alone and together, and their curves."""
    rows = [row for origin, runs in generated.items() for row in _models(data, origin, runs)]
    bands = {
        measure: [(origin, success_band(runs, data.measures, measure)) for origin, runs in generated.items()]
        for measure in AXES
    }
    return ResultSection(
        "functions",
        "Size and centrality of the functions",
        "Code lines stand for the difficulty of a function itself, harmonic centrality for how much of the repository "
        "it uses, directly or through others. Each curve is a logistic regression over all agents with its 95 % band. "
        "An odds ratio below 1 means that success decreases with the measure; it is for one standard deviation. Errors "
        "are clustered by repository, and are too small if there are few.",
        ("success-models", "success-band"),
        tuple(
            Picture(
                f"{measure.replace('_', '-')}-chart",
                f"Success of all agents by {title_of(measure)}, with the 95 % band of each curve, by origin of tasks.",
                curves(measure, found),
            )
            for measure, found in bands.items()
            if not all(band.reason for _, band in found)
        ),
        table_of("function-models", "Regressions of success", MODELS, rows),
        UNKNOWN,
    )


def _models(data: TopicData, origin: str, runs: Sequence[RunFacts]) -> Iterator[Row]:
    found = success_models(runs, data.measures, AXES, cluster=BY_REPOSITORY)
    if not found.n:
        return
    for name, model in (("alone", found.alone[0]), ("alone", found.alone[1]), ("together", found.joint)):
        for coefficient in model.coefficients:
            yield origin, name, model, coefficient


MODELS: Columns[Row] = (
    Field("measure", "Measure", "text", lambda it: Term(it[3].name, title_of(it[3].name))),
    Field("origin", "Origin", "text", lambda it: it[0]),
    Field("model", "Model", "text", lambda it: it[1]),
    Field("odds_ratio", "Odds ratio", "number", lambda it: it[3].odds_ratio, "success-models"),
    Field("p", "p", "number4", lambda it: it[3].p, "success-models"),
    Field("mcfadden", "McFadden's R²", "number3", lambda it: it[2].mcfadden, "success-models"),
    Field("aic", "AIC", "number1", lambda it: it[2].aic, "success-models"),
    Field("mean", "Mean of tasks", "number1", lambda it: it[3].mean),
    Field("deviation", "Standard deviation", "number1", lambda it: it[3].deviation),
)


def curves(measure: str, bands: Sequence[tuple[str, SuccessBand]]) -> Lines:
    """The curve of each origin that has one, with its band."""
    values = [x for _, band in bands for x in band.values]
    return Lines(
        tuple(_curve(origin, band) for origin, band in bands if not band.reason),
        linear_axis(title_of(measure), values, plain, from_zero=False),
        share_axis("resolved"),
    )


def _curve(origin: str, band: SuccessBand) -> Series:
    ends = [rate.interval for rate in band.rates]
    points = list(zip(band.values, band.rates, strict=True))
    return replace(
        estimate_series(origin, points, lambda x: plain(round(x, 2))),
        band=tuple((each.low, each.high) for each in ends if each) if all(ends) else (),
    )


Hard = tuple[str, HardSet, HardRates]
_HARD: Columns[Hard] = (
    Field("agent", "Agent", "agent", lambda it: it[2].agent),
    Field("origin", "Origin", "text", lambda it: it[0]),
    Field("hard", "Resolved in the hard set", "percent", lambda it: it[2].hard, "hard-set"),
    Field("others", "At other tasks", "percent", lambda it: it[2].others, "hard-set"),
)


def hard_section(data: TopicData, generated: Origins) -> ResultSection:
    """Success in the hard set, and which tasks it has."""
    found = {origin: hard_set(runs, data.measures) for origin, runs in generated.items()}
    known = {origin: hard for origin, hard in found.items() if hard.thresholds}
    rows: list[Hard] = [(origin, hard, one) for origin, hard in known.items() for one in hard.agents]
    said = " ".join(_said(origin, hard) for origin, hard in known.items())
    return ResultSection(
        "hard-set",
        "The hard set",
        "Tasks that are at or above the 90th percentile in both code lines and harmonic centrality, among the tasks of "
        f"their origin that were tried here. {said}".strip(),
        ("hard-set",),
        (),
        (
            *table_of("hard-set", "Success in the hard set", _HARD, rows),
            *one_table(
                "hard-tasks",
                "Tasks of the hard set",
                (TableColumn("task", "Task", "task"), TableColumn("origin", "Origin", "text")),
                [(task, origin) for origin, hard in known.items() for task in hard.tasks],
            ),
        ),
        UNKNOWN,
    )


def _said(origin: str, hard: HardSet) -> str:
    lines, harmonic = (plain(round(hard.thresholds[axis], 2)) for axis in AXES)
    return (
        f"Of the origin {origin}: {counted(len(hard.tasks), 'task')} with at least {lines} code lines and a centrality "
        f"of at least {harmonic}."
    )


def correlation_section(data: TopicData, generated: Origins) -> ResultSection:
    """How the measures of functions are correlated with each other and with success."""
    return ResultSection(
        "measures",
        "How the measures are related",
        "Spearman's rank correlation over tasks, of all measures of their functions and of the share of attempts that "
        "resolve the task, over all agents. Strongly correlated measures do not explain success separately.",
        ("difficulty-correlations", "correlations"),
        (),
        tuple(
            table
            for place, (origin, runs) in enumerate(generated.items(), 1)
            for table in _correlations(data, origin, runs, place)
        ),
        UNKNOWN,
    )


def _correlations(
    data: TopicData, origin: str, runs: Sequence[RunFacts], place: int
) -> tuple[ResultTable, ...]:
    found = difficulty_correlations(runs, data.measures, SPEARMAN)

    def cell(one: str, other: str) -> Value:
        return None if one == other else found.of(one, other)

    return matrix(
        f"measures-{place}",
        f"Rank correlation of measures, origin {origin}",
        [Term(name, title_of(name)) for name in found.names],
        [(name, title_of(name)) for name in found.names],
        cell,
        head=TableColumn("measure", "Measure", "text"),
        form="correlation",
        shown=len(found.names) > 1,
    )


def discovery_section(data: TopicData, generated: Origins) -> ResultSection:
    """Success by where tests point: the rank of the function by suspiciousness, and tracebacks through it."""
    hidden = {origin: runs for origin, runs in generated.items() if origin in _ORIGINS}
    models = [row for origin, runs in hidden.items() for row in _finding_models(data, origin, runs)]
    bands = {
        measure: [(origin, success_band(runs, data.measures, measure)) for origin, runs in hidden.items()]
        for measure in FINDING
    }
    related = [row for origin, runs in hidden.items() for row in _related(data.measures, origin, runs)]
    return ResultSection(
        "discovery",
        "How hard the fault is to find",
        "Ochiai's suspiciousness ranks all functions by the failing tests that reach them; 1 is the most suspicious, "
        "and the rank is that of the first function that was changed. The share of tracebacks is that of the failing "
        "tests whose traceback leads through one. Each has a logistic regression of its own over all agents; errors "
        "are clustered by repository, and an odds ratio is for one standard deviation. The correlations with size, "
        "centrality and success are Spearman's, over tasks.",
        ("success-models", "success-band", "difficulty-correlations"),
        tuple(
            Picture(
                f"{measure.replace('_', '-')}-chart",
                f"Success of all agents by {title_of(measure)}, with the 95 % band of each curve, by origin of tasks.",
                curves(measure, found),
            )
            for measure, found in bands.items()
            if not all(band.reason for _, band in found)
        ),
        (
            *table_of("discovery-models", "Regressions of success", MODELS, models),
            *table_of("discovery-measures", "Rank correlations", _RELATED, related),
        ),
        "It is unknown where the failing tests of these tasks point, or no task hides its functions.",
    )


def _finding_models(data: TopicData, origin: str, runs: Sequence[RunFacts]) -> Iterator[Row]:
    """Each alone, because a task may have one of them only."""
    for measure in FINDING:
        found = success_models(runs, data.measures, [measure], cluster=BY_REPOSITORY)
        if found.n:
            yield origin, "alone", found.joint, found.joint.coefficients[0]


def _related(measures: Measures, origin: str, runs: Sequence[RunFacts]) -> Iterator[Related]:
    wanted = {*FINDING, *_WITH}
    known = {
        task: {name: value for name, value in of_task.items() if name in wanted}
        for task, of_task in measures.items()
    }
    found = difficulty_correlations(runs, known, SPEARMAN)
    for measure in FINDING:
        if measure in found.names:
            others = {other: found.of(measure, other) for other in _WITH if other in found.names}
            yield origin, measure, others


_RELATED: Columns[Related] = (
    Field("measure", "Measure", "text", lambda it: Term(it[1], title_of(it[1]))),
    Field("origin", "Origin", "text", lambda it: it[0]),
    Field("code_lines", "With code lines", "number3", lambda it: it[2].get(CODE_LINES), "correlations"),
    Field("harmonic", "With centrality", "number3", lambda it: it[2].get(HARMONIC), "correlations"),
    Field("success", "With success", "number3", lambda it: it[2].get(SUCCESS), "correlations"),
)
