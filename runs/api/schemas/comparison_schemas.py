"""Two agents compared, and search results."""

from __future__ import annotations

from pydantic import Field

from runs.api.schemas.common_schemas import ApiObject, Figure


class ComparedAgent(ApiObject):
    """One of two agents over the tasks that both tried."""

    agent: str
    name: str
    pass_at_1: Figure
    pass_at_k: Figure
    tests_passed: Figure
    cost_usd_per_attempt: Figure
    seconds_per_attempt: Figure
    attempts: int = Field(description="Graded attempts at the common tasks.")
    resolved: int
    infrastructure_failed: int
    url: str


class ComparedTasks(ApiObject):
    """How many common tasks were resolved by whom in any attempt, and how many tasks only one agent tried."""

    both: int
    only_first: int
    only_second: int
    neither: int
    tried_only_by_first: int
    tried_only_by_second: int


class ComparedAgents(ApiObject):
    """Two agents over the tasks that both tried."""

    dataset: str = Field(description="Name of the dataset.")
    k: int = Field(description="The k of pass@k.")
    common_tasks: int
    first: ComparedAgent
    second: ComparedAgent
    difference: Figure = Field(description="pass@1 of the first agent minus that of the second.")
    p: Figure = Field(description="p of this pair alone; not corrected for other pairs.")
    better: str | None = Field(
        description="The agent that is significantly better, corrected for all pairs of the leaderboard; null for "
        "neither."
    )
    tasks: ComparedTasks
    url: str


class SearchHit(ApiObject):
    """One result."""

    title: str
    about: str = Field(description="What it belongs to.")
    url: str


class SearchGroup(ApiObject):
    """The results of one kind of object."""

    title: str
    more: bool = Field(description="Whether there are more than are listed.")
    items: list[SearchHit]


class SearchResults(ApiObject):
    """All results by kind; kinds without a result are left out."""

    groups: list[SearchGroup]
