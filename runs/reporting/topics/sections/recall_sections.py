"""Sections on recall: success by what models recall, and success at twins with other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runs.analysis.difficulty.recalled_success import RecallBand, success_by_recall
from runs.analysis.difficulty.renamed_twins import TwinSuccess, twin_success
from runs.analysis.facts import RunFacts
from runs.presentation.formatting.numbers import counted
from runs.reporting.topics.section_parts import Columns, Field, table_of
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection

Origins = Mapping[str, Sequence[RunFacts]]
_MIN_DISCORDANT = 6  # so many pairs can give p < 0.05

_BANDS: Columns[RecallBand] = (
    Field("model", "Model", "text", lambda it: it.model),
    Field("band", "Similarity", "text", lambda it: it.band, "recall"),
    Field("rate", "Resolved", "percent", lambda it: it.rate, "recalled-success"),
    Field("runs", "Attempts", "count", lambda it: it.runs),
    Field("repositories", "Repositories", "count", lambda it: it.repositories),
)


def recall_section(data: TopicData, generated: Origins) -> ResultSection:
    """Success by how similar the code is that models write from memory."""
    models = {agent: str(known["model"]) for agent, known in data.settings.items() if known.get("model")}
    found = success_by_recall((run for runs in generated.values() for run in runs), data.recall, models)
    return ResultSection(
        "recall",
        "Success by recall",
        "Models were asked to write the removed functions without the repository. Similarity is that of their code to "
        "the original, and “equal” is the same code. All agents of a model are together. This is an association: a "
        "function that is easy to guess is recalled well and written well. Intervals allow for tasks of one repository "
        "being alike.",
        ("recalled-success", "recall"),
        (),
        table_of("recall", "Success by what the model recalls", _BANDS, found.rows),
        "No model of these agents was asked what it recalls of these tasks.",
    )


Pair = tuple[str, TwinSuccess]
_TWINS: Columns[Pair] = (
    Field("agent", "Agent", "agent", lambda it: it[1].agent),
    Field("origin", "Origin", "text", lambda it: it[0]),
    Field("original", "Original solved", "percent", lambda it: it[1].original, "twin-success"),
    Field("twin", "Twin solved", "percent", lambda it: it[1].twin, "twin-success"),
    Field("both", "Both", "count", lambda it: it[1].test.both),
    Field("only_original", "Only the original", "count", lambda it: it[1].test.only_first),
    Field("only_twin", "Only the twin", "count", lambda it: it[1].test.only_second),
    Field("neither", "Neither", "count", lambda it: it[1].test.neither),
    Field("p", "p", "number4", lambda it: it[1].test.p, "mcnemar"),
    Field("repositories", "Repositories", "count", lambda it: it[1].repositories),
)


def twin_section(data: TopicData, generated: Origins) -> ResultSection:
    """Each agent at tasks and at their twins with other names."""
    rows = [
        (origin, one) for origin, runs in generated.items() for one in twin_success(runs, data.twins).agents
    ]
    return ResultSection(
        "twins",
        "Twins with other names",
        "A twin is the same task with other names of functions, modules and parameters. An agent that solves more "
        "originals than twins may recall the code. Only pairs that one side alone solved say something: "
        f"{_MIN_DISCORDANT} of them are needed for p < 0.05.{_said(rows)}",
        ("twin-success", "mcnemar"),
        (),
        table_of("twins", "Tasks and their twins, by the first attempt", _TWINS, rows),
        "No agent tried a task and its twin.",
    )


def _said(rows: Sequence[Pair]) -> str:
    """A sentence on agents with too few pairs; '' if there are none."""
    few = sum(one.test.only_first + one.test.only_second < _MIN_DISCORDANT for _, one in rows)
    if not few:
        return ""
    return (
        f" {counted(few, 'row')} of {len(rows)} {'has' if few == 1 else 'have'} fewer: n is too small there."
    )
