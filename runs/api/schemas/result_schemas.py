"""Leaderboard, cells, near misses; methods and what others printed."""

from __future__ import annotations

from pydantic import Field

from runs.api.schemas.common_schemas import ApiObject, Figure, page_of
from runs.api.schemas.run_schemas import TestShape


class Span(ApiObject):
    """Places from the first to the last."""

    first: int
    last: int


class FigureColumn(ApiObject):
    """What a figure of a row is."""

    name: str
    title: str
    unit: str
    method: str = Field(description="Address of what it means and how it is made.")


class RepositoryRate(ApiObject):
    """Mean pass@1 over one repository's tasks; null where the agent has no graded attempt there."""

    repository: str
    value: float | None


class LeaderboardRow(ApiObject):
    """One agent over all tasks that it has a graded attempt at."""

    agent: str
    name: str
    kind: str
    calibration: bool
    model: str | None
    place: Span = Field(description="The places that it can have, as far as the data tell agents apart.")
    group: Span = Field(
        description="Places of its tie group: nobody in it is told to be better than another."
    )
    figures: dict[str, Figure] = Field(description="By the names of “columns”.")
    tasks: int
    attempts: int = Field(description="Graded attempts.")
    resolved: int
    infrastructure_failed: int = Field(description="Attempts lost to the infrastructure, in no other number.")
    odd_records: int = Field(description="Attempts whose record has a value that cannot be.")
    tokens: int | None = Field(description="Of all attempts; null for an agent without a model.")
    cost_usd: float | None = Field(description="Of all attempts; null where that of one is unknown.")
    repositories: list[RepositoryRate]
    url: str


class Leaderboard(ApiObject):
    """The rows of the leaderboard, best pass@1 first, over listed evaluations at open datasets."""

    data_version: str = Field(description="Changes with every change of what results rest on.")
    filter: dict[str, str] = Field(description="What was asked for.")
    k: int | None = Field(description="The k of pass@k; null without rows.")
    too_small: bool = Field(description="No two agents share enough tasks to be told apart.")
    tasks_needed: int = Field(description="How many common tasks that takes.")
    only_failures: list[str] = Field(description="Agents that the infrastructure never let finish.")
    columns: list[FigureColumn]
    rows: list[LeaderboardRow]


class CellShape(ApiObject):
    """One agent on one task, over all listed evaluations."""

    agent: str
    dataset: str
    repository: str
    task: str
    attempts: int = Field(description="Graded attempts.")
    resolved: int
    infrastructure_failed: int
    resolved_share: Figure
    tests_passed: Figure
    best_tests_passed: float | None = Field(description="Share of the tests that the best attempt passed.")
    tokens: int
    cost_usd: float | None = Field(description="Of all attempts; null where that of one is unknown.")
    seconds: float = Field(description="Of all attempts with a duration.")
    odd_records: int
    runs: str = Field(description="Its runs in this API.")


class NearMiss(ApiObject):
    """A task that an agent never resolved, yet almost passed."""

    agent: str
    dataset: str
    repository: str
    task: str
    attempts: int
    best_tests_passed: float = Field(description="Share of the tests that the best attempt passed.")
    missing: int = Field(description="Tests that it did not pass.")
    run: int | None = Field(description="The best attempt.")
    failed: list[TestShape] = Field(
        description="The first of those tests; empty where the record is not here."
    )
    failed_are_cut: bool
    method: str


class TopicTable(ApiObject):
    """One table of an answer."""

    name: str
    title: str
    address: str = Field(description="Its rows, with their columns and the data's version.")


class TopicShape(ApiObject):
    """A question that an analysis page answers."""

    slug: str
    question: str
    told: str = Field(description="What is looked at.")
    state: str = Field(description="fresh, stale (of older data), pending, failed, empty or too many.")
    answer: str | None = Field(description="In a sentence; null without an answer.")
    data_version: str | None = Field(description="Of the data that it rests on.")
    tables: list[TopicTable]
    url: str


class Topics(ApiObject):
    """All of them, in the order of the analysis page."""

    items: list[TopicShape]


class MethodShape(ApiObject):
    """How a number is made, in the words that stand beside the code."""

    anchor: str
    title: str
    group: str
    text: str = Field(description="Markdown: promise, formula, source, units, what small n gives.")
    code: str = Field(description="Where it is computed, as Python names it.")
    url: str


class PublishedTable(ApiObject):
    """A table that others printed; every cell as it was printed."""

    anchor: str
    paper: str
    table: int
    caption: str
    columns: list[str]
    rows: list[list[str]]
    url: str


class Methods(ApiObject):
    """All of them, in the order of the methods page."""

    items: list[MethodShape]


class Published(ApiObject):
    """All of them, by paper and number."""

    items: list[PublishedTable]


CellPage = page_of("CellPage", CellShape)
NearMissPage = page_of("NearMissPage", NearMiss)
