"""Datasets, repositories, tasks, agents, models, evaluations."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from runs.api.schemas.common_schemas import ApiObject, Figure, Moment, page_of


class DatasetShape(ApiObject):
    """A versioned set of repositories with tasks."""

    slug: str
    title: str
    description: str
    version: str
    licence: str
    reported_by: str | None = Field(
        description="Who reported all of its results, without source or trajectories; null if its tasks are run here."
    )
    loaded_at: Moment


class RepositoryShape(ApiObject):
    """One code base."""

    slug: str
    dataset: str
    title: str
    description: str
    stack: str
    languages: list[str]
    domain: str
    tasks: int = Field(description="Number of tasks.")
    url: str = Field(description="Its heatmap.")


class TaskShape(ApiObject):
    """One exercise on a repository. The API never contains its hidden tests and reference patch."""

    slug: str
    repository: str
    dataset: str
    title: str
    description: str = Field(description="The text given to the agent, in Markdown.")
    category: str | None = Field(description="Kind of change that it requires; null if unknown.")
    difficulty: str | None = Field(description="As stated; null if unknown.")
    digest: str = Field(description="Changes with every change of the task.")
    admitted: bool = Field(description="Whether its proof of admission is valid.")
    tests_total: int = Field(description="Number of hidden tests.")
    url: str


class AgentShape(ApiObject):
    """A competitor: a kind of agent, a model if it uses one, and frozen settings."""

    slug: str
    name: str
    kind: str
    calibration: bool = Field(description="Whether it is a calibration agent, which does not compete.")
    origin: str | None = Field(
        description="Where all of its runs were imported from; null: an agent of this site."
    )
    graded_here: bool = Field(description="Whether the verdicts of its runs are this site's.")
    model: str | None = Field(description="Slug of its model; null for an agent without one.")
    harness: str | None = Field(description="The program that calls the model; null if unknown.")
    description: str
    trajectories_url: str | None = Field(
        description="Where its source has the trajectories of its runs; null if that is unknown."
    )
    settings: dict[str, Any] = Field(description="Settings in effect; empty for calibration agents.")
    url: str


class ModelShape(ApiObject):
    """A language model. Prices are US dollars per million tokens; null if unknown."""

    slug: str
    name: str
    provider: str
    litellm_id: str = Field(description="Empty: it is known from reported results only.")
    open_weights: bool | None = Field(description="Null if unknown.")
    context_window: int | None
    input_price: float | None
    output_price: float | None
    cached_price: float | None = Field(
        description="Tokens read from the provider's cache; null: as input_price."
    )
    cache_write_price: float | None = Field(
        description="Tokens written to the provider's cache; null: as input_price."
    )


class EvaluationShape(ApiObject):
    """Agents × tasks × attempts, with one settings snapshot."""

    id: int
    slug: str
    title: str
    state: str = Field(description="running, finished, cancelled, or failed: all its runs were lost.")
    attempts: int = Field(description="Attempts of each agent at each task.")
    listed: bool = Field(description="Whether its runs count on the leaderboard.")
    created_at: Moment
    finished_at: Moment | None
    origin: str | None = Field(
        description="Where its runs were imported from; null: this site executed them."
    )
    imported_at: Moment | None
    graded_here: bool = Field(description="Whether the verdicts of its runs are this site's.")
    limits: dict[str, Any] = Field(description="Limits of each run; null or missing: no limit.")
    url: str


class AgentProgress(ApiObject):
    """One agent within an evaluation."""

    agent: str
    total: int = Field(description="Number of its runs.")
    done: int = Field(description="Runs that are finished or cancelled.")
    attempts: int = Field(description="Runs that were graded.")
    resolved: int
    infrastructure_failed: int
    pass_at_1: Figure


class Progress(ApiObject):
    """The progress of an evaluation, over runs at open datasets."""

    total: int
    done: int
    states: dict[str, int] = Field(description="Number of runs by state, without zeros.")
    outcomes: dict[str, int] = Field(description="Number of runs by outcome, without zeros.")
    agents: list[AgentProgress]


class EvaluationWithProgress(EvaluationShape):
    """An evaluation and its progress."""

    lost_reason: str | None = Field(
        description="Of a failed one, the most frequent reason why its runs were lost; else null."
    )
    progress: Progress


DatasetPage = page_of("DatasetPage", DatasetShape)
RepositoryPage = page_of("RepositoryPage", RepositoryShape)
TaskPage = page_of("TaskPage", TaskShape)
AgentPage = page_of("AgentPage", AgentShape)
ModelPage = page_of("ModelPage", ModelShape)
EvaluationPage = page_of("EvaluationPage", EvaluationShape)
