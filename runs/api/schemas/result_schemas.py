"""Leaderboard, cells, near misses, analysis topics, methods and published tables."""

from __future__ import annotations

from pydantic import Field

from runs.api.schemas.common_schemas import ApiObject, Figure, page_of
from runs.api.schemas.run_schemas import TestShape


class Span(ApiObject):
    """A range of ranks."""

    first: int
    last: int


class FigureColumn(ApiObject):
    """The description of a figure."""

    name: str
    title: str
    unit: str
    method: str = Field(description="URL of its definition.")


class RepositoryRate(ApiObject):
    """Mean pass@1 over one repository's tasks; null if the agent has no graded attempt there."""

    repository: str
    value: float | None


class LeaderboardRow(ApiObject):
    """One agent over all tasks that it has a graded attempt at."""

    agent: str
    name: str
    kind: str
    calibration: bool
    model: str | None
    people: int | None = Field(description="How many people the row stands for; null for agents.")
    reported_by: str | None = Field(description="Who reported its results; null if they were run here.")
    graded_here: bool = Field(description="Whether this site graded every counted run of the row.")
    findings: list[str] = Field(description="What its source prints, and its own results do not give.")
    place: Span | None = Field(
        description="The ranks that it can have on tasks of these repositories, given the uncertainty of the data; "
        "null without a rank."
    )
    place_on_other_repositories: Span | None = Field(
        description="The same on repositories like these; null without a rank or with fewer than six repositories."
    )
    group: Span | None = Field(
        description="Ranks of its tie group: agents of different groups always differ significantly."
    )
    no_place: str | None = Field(
        description="Why it has no rank: what its source prints contradicts its results, it tried too few tasks, or "
        "it stands for people; null with a rank."
    )
    figures: dict[str, Figure] = Field(description="Figures by the names in “columns”.")
    corrected_place: Span | None = Field(
        description="The ranks by the corrected score, among agents that have one; null without one."
    )
    order: int | None = Field(
        description="Position in the order by pass@1 among agents with a corrected score; equal ones share it."
    )
    corrected_order: int | None = Field(description="Position in the order by the corrected score.")
    tasks: int
    attempts: int = Field(description="Graded attempts.")
    resolved: int
    infrastructure_failed: int = Field(
        description="Attempts lost to infrastructure failures; they count in no other number."
    )
    odd_records: int = Field(description="Attempts with an invalid value in their record.")
    tokens: int | None = Field(description="Sum of all attempts; null for an agent without a model.")
    cost_usd: float | None = Field(description="Sum of all attempts; null if one is unknown.")
    repositories: list[RepositoryRate]
    url: str


class SanityCheck(ApiObject):
    """A calibration agent: its success rate is known, so it checks the benchmark."""

    agent: str
    name: str
    pass_at_1: float


class Correction(ApiObject):
    """A rule by which verdicts were judged: an incorrect one counts as its opposite in corrected scores."""

    rule: str = Field(description="Its name; “source”: the judgements of the source of reported results.")
    sentence: str


class Leaderboard(ApiObject):
    """The rows of the board of a dataset, best pass@1 first, over listed evaluations."""

    data_version: str = Field(description="Changes whenever the underlying data change.")
    dataset: str = Field(description="Slug of the dataset; empty if there are no results.")
    reported_by: str | None = Field(description="Who reported the results; null if they were run here.")
    filter: dict[str, str] = Field(description="The filters of the request.")
    k: int | None = Field(description="The k of pass@k; null without rows.")
    too_small: bool = Field(description="Whether all pairs of agents share too few tasks for a comparison.")
    tasks_needed: int = Field(description="Number of common tasks that a comparison needs.")
    claims: dict[str, str] = Field(description="What ranks and intervals are about, by their names.")
    only_failures: list[str] = Field(
        description="Agents whose attempts all ended in infrastructure failures."
    )
    correction: Correction | None = Field(description="By which rule verdicts were judged; null if none was.")
    columns: list[FigureColumn]
    rows: list[LeaderboardRow]
    sanity_check: list[SanityCheck] = Field(description="Calibration agents, which do not compete.")


class CellShape(ApiObject):
    """One agent at one task, over all listed evaluations."""

    agent: str
    dataset: str
    repository: str
    task: str
    attempts: int = Field(description="Graded attempts.")
    resolved: int
    infrastructure_failed: int
    judged: int = Field(description="Attempts whose verdict was judged.")
    resolved_share: Figure
    corrected_share: Figure = Field(description="Of judged attempts, those resolved after the correction.")
    tests_passed: Figure
    tested: int = Field(
        description="Graded attempts with a test result; the others count in tests_passed by their outcome."
    )
    best_tests_passed: float | None = Field(description="Share of the tests that the best attempt passed.")
    tokens: int | None
    cost_usd: float | None = Field(description="Sum of all attempts; null if one is unknown.")
    seconds: float = Field(description="Sum of all attempts with a duration.")
    odd_records: int
    runs: str = Field(description="URL of its runs in this API.")


class NearMiss(ApiObject):
    """A task that an agent never resolved but almost passed."""

    agent: str
    dataset: str
    repository: str
    task: str
    attempts: int
    best_tests_passed: float = Field(description="Share of the tests that the best attempt passed.")
    missing: int = Field(description="Number of tests that it did not pass.")
    run: int | None = Field(description="Id of the best attempt.")
    failed: list[TestShape] = Field(
        description="The first of these tests; empty if the run directory is missing."
    )
    failed_are_cut: bool
    method: str


class TopicTable(ApiObject):
    """One table of an analysis page."""

    name: str
    title: str
    address: str = Field(description="URL of its rows, with columns and data version.")


class TopicShape(ApiObject):
    """An analysis page."""

    slug: str
    question: str
    told: str = Field(description="What the page examines.")
    state: str = Field(description="fresh, stale (from older data), pending, failed, empty or too many.")
    answer: str | None = Field(description="The summary in a sentence or two; null without one.")
    data_version: str | None = Field(description="Version of the data behind the result.")
    tables: list[TopicTable]
    url: str


class Topics(ApiObject):
    """All topics of a dataset, in the order of the analysis page."""

    dataset: str = Field(description="Slug of the dataset; empty if there are no results.")
    reported_by: str | None = Field(description="Who reported the results; null if they were run here.")
    items: list[TopicShape]


class MethodShape(ApiObject):
    """How a number is computed, from the documentation in the code."""

    anchor: str
    title: str
    group: str
    text: str = Field(description="Markdown: definition, formula, source, units, behaviour for small n.")
    code: str = Field(description="The Python name of the function.")
    url: str


class PublishedTable(ApiObject):
    """A table from a publication, with every cell as printed."""

    anchor: str
    paper: str
    table: int | str = Field(description="Its number, or the appendix that prints it without one.")
    caption: str
    columns: list[str]
    rows: list[list[str]]
    url: str


class Methods(ApiObject):
    """All methods, in the order of the methods page."""

    items: list[MethodShape]


class Published(ApiObject):
    """All published tables, by paper and number."""

    items: list[PublishedTable]


CellPage = page_of("CellPage", CellShape)
NearMissPage = page_of("NearMissPage", NearMiss)
