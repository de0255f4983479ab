"""Sections of the tools topic on which call follows which, over all agents and by agent."""

from __future__ import annotations

from collections.abc import Sequence

from runs.analysis.tools.transitions import TransitionMatrix, Transitions
from runs.presentation.formatting.text import one_line
from runs.reporting.topics.section_parts import alternatives, matrix, of_agent
from runs.reporting.topics.sections.iteration_lengths import ALL_AGENTS
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import Minor, ResultSection, ResultTable, TableColumn, Value

MAX_TOOLS = 40  # names in a matrix: models may invent any number
MAX_NAME_LENGTH = 40


def called_as(tool: str) -> str:
    """A tool's name as a model gave it, on one line."""
    return one_line(tool, MAX_NAME_LENGTH)


def transitions_section(
    data: TopicData, name: str, title: str, found: Transitions, order: Sequence[str] | None = None
) -> ResultSection:
    """A matrix over all agents and one for each agent. `order`: the names in theirs; None: in alphabetical order."""
    names = [source.name for source in found.overall.sources] if order is None else list(order)
    left_out = len(names) - MAX_TOOLS
    tables = alternatives(
        [
            (ALL_AGENTS, _matrix(name, f"{title}: {ALL_AGENTS}", found.overall, names)),
            *(
                (
                    data.name(each.agent or ""),
                    _matrix(
                        of_agent(name, each.agent or "", place),
                        f"{title}: {data.name(each.agent or '')}",
                        each,
                        names,
                    ),
                )
                for place, each in enumerate(found.agents, 1)
                if len(found.agents) > 1
            ),
        ]
    )
    return ResultSection(
        name,
        title,
        "The probability that a call of the row is directly followed by a call of the column, over "
        f"{found.overall.n:,} pairs of consecutive calls. Values without a colour are rare: below 1 %, not among the "
        "five most frequent ones of the row, and not needed for 95 % of it."
        + (f" The {left_out:,} least used tools are left out." if left_out > 0 else ""),
        ("transitions", "significant-transitions"),
        (),
        tables,
        "No two calls follow each other, or no trajectory was counted.",
    )


def _matrix(name: str, title: str, found: TransitionMatrix, order: Sequence[str]) -> tuple[ResultTable, ...]:
    """The tools that were called by these runs, in the given order."""
    sources = {source.name: source for source in found.sources}
    names = [each for each in order if each in sources][:MAX_TOOLS]
    rare = {
        (source.name, each.target)
        for source in found.sources
        for each in source.transitions
        if not each.significant
    }

    def cell(source: str, target: str) -> Value:
        share = sources[source].to(target)
        return Minor(share) if (source, target) in rare else share

    return matrix(
        name,
        title,
        names,
        [(target, called_as(target)) for target in names],
        cell,
        head=TableColumn("first", "First", "text"),
        shown=bool(found.n),
    )
