"""The topics, in the order of /analysis/."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from runs.presentation.charts.svg_shapes import has_marks
from runs.presentation.formatting.numbers import plain_spaces
from runs.reporting.topics import (
    consistency_topic,
    efficiency_topic,
    failures_topic,
    generated_topic,
    harness_topic,
    iterations_topic,
    portfolios_topic,
    published_topic,
    scoring_topic,
    tasks_topic,
    time_topic,
    tools_topic,
)
from runs.reporting.topics.topic_data import TopicData
from runs.reporting.topics.topic_result import ResultSection, TopicResult


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic. `heading` is at the top of its page, and `description` is a sentence about it.

    `needs`: what a board without an answer lacks. `behaviour`: it needs what was counted in trajectories. `sections`
    returns the summary and the sections. `whole`: it takes the runs of the board's whole dataset, because it compares
    tasks of several origins.
    """

    slug: str
    title: str
    heading: str
    description: str
    sections: Callable[[TopicData], tuple[str, tuple[ResultSection, ...]]]
    needs: str
    behaviour: bool = False
    whole: bool = False

    def compute(self, data: TopicData) -> TopicResult:
        """The result from these runs; it says which parts are empty, and why. It has no chart without a value."""
        summary, found = self.sections(data)
        sections = tuple(
            replace(one, pictures=tuple(picture for picture in one.pictures if has_marks(picture.chart)))
            for one in found
        )
        if data.uncompared:
            summary = NOTHING_COMPARED
        return data.result(plain_spaces(summary), sections)  # for programs; pages add no-break spaces


NOTHING_COMPARED = (
    "Only calibration agents ran here. They know the reference patch, or change nothing, so nothing is compared; the "
    "filter by kind shows their runs."
)
TOPICS = (
    Topic(
        "efficiency",
        "Efficiency",
        "What does a success cost?",
        "Success against tokens, dollars and time: the expense of an attempt and of a success, and Pareto fronts.",
        efficiency_topic.sections,
        "expenses of attempts",
    ),
    Topic(
        "consistency",
        "Consistency",
        "Do repeated attempts agree?",
        "How much attempts at the same task vary, and the gain from more attempts.",
        consistency_topic.sections,
        "repeated attempts",
    ),
    Topic(
        "portfolios",
        "Portfolios",
        "Which agent, or which two?",
        "Which agent for a goal and a budget, which agents solve the same tasks, and what several solve together.",
        portfolios_topic.sections,
        "two agents at the same tasks",
    ),
    Topic(
        "harness",
        "Harness",
        "What does the harness change?",
        "The same model in several harnesses, and several models in the same harness, paired by task.",
        harness_topic.sections,
        "a model in two harnesses",
    ),
    Topic(
        "iterations",
        "Iterations",
        "How many iterations does it take?",
        "How long runs are, when they succeed, and what their iterations are spent on.",
        iterations_topic.sections,
        "trajectories",
        behaviour=True,
    ),
    Topic(
        "tools",
        "Tools",
        "Which tools, in which order?",
        "Which tools are called, how often calls fail, and which call follows which.",
        tools_topic.sections,
        "trajectories",
        behaviour=True,
    ),
    Topic(
        "failures",
        "Failure modes",
        "Why do runs fail?",
        "Signs of trouble in failed runs, compared with resolved runs.",
        failures_topic.sections,
        "trajectories",
        behaviour=True,
    ),
    Topic(
        "time",
        "Time and tokens",
        "Where does the time go?",
        "How long runs take, in which tools, and how many tokens they use.",
        time_topic.sections,
        "durations or tokens",
        behaviour=True,
    ),
    Topic(
        "tasks",
        "Tasks",
        "Which tasks tell agents apart?",
        "How much agents differ at each task, which tasks no agent solves, and success by stack and language.",
        tasks_topic.sections,
        "two agents at the same tasks",
    ),
    Topic(
        "generated",
        "Generated tasks",
        "What makes generated tasks hard?",
        "Success at tasks that were made by removing or corrupting functions, or from merged changes, by origin.",
        generated_topic.sections,
        "generated tasks",
        behaviour=True,
        whole=True,
    ),
    Topic(
        "scoring",
        "Scoring",
        "Does the scoring method change the order?",
        "Scores and ratings of the same runs side by side, and how similarly they order agents.",
        scoring_topic.sections,
        "test results or trajectories",
        behaviour=True,
    ),
    Topic(
        "published",
        "Published boards",
        "Do our numbers agree with published boards?",
        "Our order compared with published results of the same models, and published measures with each other.",
        published_topic.sections,
        "models that published tables name",
    ),
)
BY_SLUG = {topic.slug: topic for topic in TOPICS}
