"""Short ways to write the runs that topics are tested with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from runs.analysis.facts import RunFacts
from runs.presentation.formatting.numbers import NO_BREAK
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import AgentName, ResultSection, ResultTable

Kind = TypeVar("Kind")


def tried(attempts: Mapping[str, Mapping[str, str]], **more: Any) -> list[RunFacts]:
    """Agent → task → attempts: `+` resolved (10 of 10 tests), `-` not (0 of 10), a digit: so many tests, `x` lost.

    `more` are fields of every run, or functions of the run's number that give one.
    """
    runs: list[RunFacts] = []
    for agent, tasks in attempts.items():
        for task, marks in tasks.items():
            for attempt, mark in enumerate(marks, 1):
                number = len(runs) + 1
                passed = {"+": 10, "-": 0, "x": 0}.get(mark) if mark in "+-x" else int(mark)
                outcome = {"+": "resolved", "x": "infrastructure_failed"}.get(mark, "unresolved")
                values = {name: value(number) if callable(value) else value for name, value in more.items()}
                runs.append(
                    RunFacts(
                        **{
                            "run": number,
                            "agent": agent,
                            "task": f"harbour/{task}",
                            "repository": "harbour",
                            "attempt": attempt,
                            "outcome": outcome,
                            "tests_total": 0 if mark == "x" else 10,
                            "tests_passed": passed or 0,
                            **values,
                        }
                    )
                )
    return runs


def topic_data_of(
    runs: Sequence[RunFacts], calibration: Sequence[str] = (), without_model: Sequence[str] = ()
) -> TopicData:
    """Agents are named by their slugs with a capital letter."""
    slugs = {run.agent for run in runs}
    return TopicData(
        runs,
        {
            slug: AgentName(
                slug.title(), slug in calibration, "" if slug in without_model else f"Model of {slug.title()}"
            )
            for slug in slugs
        },
        {"harbour": "Harbour master"},
    ).compared()


def table(sections: Sequence[ResultSection], name: str) -> ResultTable:
    """The table of this name."""
    return next(table for section in sections for table in section.tables if table.name == name)


def column(table: ResultTable, name: str) -> list[Any]:
    """The values of a column, without intervals."""
    place = [column.name for column in table.columns].index(name)
    return [getattr(row[place], "value", row[place]) for row in table.rows]


def pictures(sections: Sequence[ResultSection]) -> list[str]:
    """The names of all charts."""
    return [picture.name for section in sections for picture in section.pictures]


def chart_of(sections: Sequence[ResultSection], name: str, kind: type[Kind]) -> Kind:
    """The chart of this name and kind."""
    (found,) = (each.chart for section in sections for each in section.pictures if each.name == name)
    assert isinstance(found, kind)
    return found


Sections = Callable[[TopicData], tuple[str, tuple[ResultSection, ...]]]


def with_plain_spaces(sections: Sections) -> Sections:
    """The same with plain spaces in the summary, before units, too."""

    def found(data: TopicData) -> tuple[str, tuple[ResultSection, ...]]:
        summary, parts = sections(data)
        return summary.replace(NO_BREAK, " "), parts

    return found
