"""Section on how hard it is to find the fault of a task in mode discovery."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from runs.analysis.difficulty.corrupted_functions import CORRUPTED, MULTIPLE
from runs.analysis.difficulty.curves import SUCCESS, Measures, difficulty_correlations
from runs.analysis.difficulty.hard_set import CODE_LINES, HARMONIC
from runs.analysis.difficulty.regressions import BY_REPOSITORY, success_band, success_models
from runs.analysis.estimate import Estimate
from runs.analysis.facts import RunFacts
from runs.analysis.statistics.correlations import SPEARMAN
from runs.reporting.topics.section_parts import Columns, Field, table_of
from runs.reporting.topics.sections.function_sections import (
    MODELS,
    NAMING_SHARE,
    OCHIAI_RANK,
    Row,
    curves,
    title_of,
)
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Picture, ResultSection, Term

FINDING = (OCHIAI_RANK, NAMING_SHARE)
_WITH = (CODE_LINES, HARMONIC, SUCCESS)
_ORIGINS = (CORRUPTED, MULTIPLE)  # whose tasks do not name their functions

Origins = Mapping[str, Sequence[RunFacts]]
Related = tuple[str, str, Mapping[str, Estimate]]


def discovery_section(data: TopicData, generated: Origins) -> ResultSection:
    """Success by where tests point: the rank of the function by suspiciousness, and tracebacks through it."""
    hidden = {origin: runs for origin, runs in generated.items() if origin in _ORIGINS}
    models = [row for origin, runs in hidden.items() for row in _models(data, origin, runs)]
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


def _models(data: TopicData, origin: str, runs: Sequence[RunFacts]) -> Iterator[Row]:
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
