"""The report in Markdown, from top to bottom."""

from __future__ import annotations

from collections.abc import Callable

from runs.formatting.markdown_text import text
from runs.reports.canvas import MOST_AGENTS
from runs.reports.gather import Material
from runs.reports.pen import Pen, Section
from runs.reports.plots import MOST_TASKS
from runs.reports.sections.behaviour_section import behaviour, prediction, scores
from runs.reports.sections.difficulty_section import difficulty
from runs.reports.sections.effort_section import effort
from runs.reports.sections.failures_section import failures
from runs.reports.sections.likeness_section import consistency, together
from runs.reports.sections.opening_section import evaluated, shortcomings
from runs.reports.sections.outcomes_section import attempts, leaderboard
from runs.reports.sections.process_section import iterations, tools
from runs.reports.sections.tasks_section import tasks

SECTIONS: tuple[Callable[[Pen], Section], ...] = (
    evaluated,
    shortcomings,
    leaderboard,
    attempts,
    effort,
    consistency,
    together,
    tasks,
    iterations,
    tools,
    failures,
    behaviour,
    scores,
)

READING = (
    "How to read it: 50.0 % (35.2 to 64.8; n 6) is a value, its 95 % interval where it has one, and how many "
    "observations it rests on. A dash has its reason below the table. Links lead to the site "
    "that made the report. The whole of the results is in `report.json`."
)


CUT = f"Plots show {MOST_AGENTS} agents and {MOST_TASKS} tasks at most: not all of those that are here."


def markdown(material: Material, site: str, plots: dict[str, str]) -> str:
    """The whole of it. `plots`: the address of each plot that was drawn, by name."""
    pen = Pen(material, site, plots)
    cut = len(material.head.agents) > MOST_AGENTS or len(material.head.tasks) > MOST_TASKS
    sections = [
        *SECTIONS,
        *([difficulty] if "difficulty" in material.results else []),
        *([prediction] if "prediction" in material.results else []),
    ]
    parts = [
        f"# {text(material.head.title, 300)}",
        READING,
        *([CUT] if cut else []),
        *(pen.section(make(pen)) for make in sections),
    ]
    return "\n\n".join(parts) + "\n"
