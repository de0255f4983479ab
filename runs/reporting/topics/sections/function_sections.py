"""Sections on the functions of generated tasks: success by size and centrality, the hard set, correlations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runs.analysis.difficulty.curves import SUCCESS, difficulty_correlations
from runs.analysis.difficulty.hard_set import AXES, CODE_LINES, HARMONIC, HardRates, HardSet, hard_set
from runs.analysis.difficulty.regressions import (
    BY_REPOSITORY,
    Coefficient,
    SuccessBand,
    SuccessModel,
    success_band,
    success_models,
)
from runs.analysis.facts import RunFacts
from runs.analysis.statistics.correlations import SPEARMAN
from runs.presentation.charts.axis import linear_axis, share_axis
from runs.presentation.charts.line_chart import Lines, Series
from runs.presentation.formatting.numbers import counted, percent, plain
from runs.reporting.topics.section_parts import Columns, Field, matrix, one_table, table_of
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
    known = list(zip(band.values, band.rates, strict=True))
    ends = [rate.interval for _, rate in known]
    return Series(
        origin,
        tuple((x, rate.value or 0.0) for x, rate in known),
        tuple(f"{plain(round(x, 2))}: {percent(rate.value)}, n {rate.n}" for x, rate in known),
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
