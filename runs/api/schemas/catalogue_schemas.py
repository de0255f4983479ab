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
    tasks: int = Field(description="How many tasks it has.")
    url: str = Field(description="Its heatmap.")


class TaskShape(ApiObject):
    """One exercise on a repository. Its hidden tests and reference patch are nowhere in this API."""

    slug: str
    repository: str
    dataset: str
    title: str
    description: str = Field(description="What the agent is told, in Markdown.")
    category: str
    difficulty: str
    digest: str = Field(description="Changes with every change of the task.")
    admitted: bool = Field(description="Whether its proof of admission holds.")
    tests_total: int = Field(description="How many hidden tests it has.")
    url: str


class AgentShape(ApiObject):
    """What competes: a kind, a model where it has one, frozen settings."""

    slug: str
    name: str
    kind: str
    calibration: bool = Field(description="Whether it knows the reference patch; nobody's model.")
    model: str | None = Field(description="Slug of its model; null for an agent that asks none.")
    description: str
    settings: dict[str, Any] = Field(description="Settings in effect; empty for calibration agents.")
    url: str


class ModelShape(ApiObject):
    """A language model. Prices are US dollars for a million tokens; null: unknown."""

    slug: str
    name: str
    provider: str
    litellm_id: str
    open_weights: bool
    context_window: int | None
    input_price: float | None
    output_price: float | None
    cached_price: float | None = Field(description="Read from the provider's cache; null: as input.")
    cache_write_price: float | None = Field(description="Written to the provider's cache; null: as input.")


class EvaluationShape(ApiObject):
    """Agents × tasks × attempts, with one settings snapshot."""

    id: int
    slug: str
    title: str
    state: str = Field(description="running, finished or cancelled.")
    attempts: int = Field(description="Of each agent at each task.")
    listed: bool = Field(description="Whether its runs count on the leaderboard.")
    created_at: Moment
    finished_at: Moment | None
    limits: dict[str, Any] = Field(description="Of each run; a limit that is null or missing is none.")
    url: str


class AgentProgress(ApiObject):
    """One agent within an evaluation."""

    agent: str
    total: int = Field(description="Its runs.")
    done: int = Field(description="Those that are finished or cancelled.")
    attempts: int = Field(description="Those that were graded.")
    resolved: int
    infrastructure_failed: int
    pass_at_1: Figure


class Progress(ApiObject):
    """How far an evaluation is, over runs at open datasets."""

    total: int
    done: int
    states: dict[str, int] = Field(description="Runs by state; none, no entry.")
    outcomes: dict[str, int] = Field(description="Runs by outcome; none, no entry.")
    agents: list[AgentProgress]


class EvaluationWithProgress(EvaluationShape):
    """An evaluation and how far it is."""

    progress: Progress


DatasetPage = page_of("DatasetPage", DatasetShape)
RepositoryPage = page_of("RepositoryPage", RepositoryShape)
TaskPage = page_of("TaskPage", TaskShape)
AgentPage = page_of("AgentPage", AgentShape)
ModelPage = page_of("ModelPage", ModelShape)
EvaluationPage = page_of("EvaluationPage", EvaluationShape)
