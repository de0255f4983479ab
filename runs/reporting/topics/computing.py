"""Cached results of the analysis pages: computed at once for few runs, by a worker for many.

No request waits for more than a page may take. While a worker computes, the page shows the result for the previous
data, or says that it is being computed. Without Redis every result is computed in the request.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal
from urllib.parse import urlencode

from django.core.cache import caches
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.http import QueryDict
from redis import RedisError

from runs.data.cache.digests import text_digest
from runs.data.cache.results import data_version
from runs.data.cache.store import STORE, Slots
from runs.data.cells.boards import Boards, all_boards
from runs.data.cells.open_cells import dataset_version
from runs.data.queries.board_filter import BoardFilter
from runs.data.queries.board_names import BoardName
from runs.data.queries.filters import attempted
from runs.data.queries.printed_numbers import contradicted, findings_of
from runs.data.queries.too_many import TooMany
from runs.data.run_facts.facts_query import run_facts
from runs.data.run_facts.task_difficulty import function_measures, recalled, twins_of
from runs.jobs import queue
from runs.models import CALIBRATION_KINDS, Agent
from runs.models.open_rows import without_hidden
from runs.operations.evaluations.agent_settings import profile_of
from runs.presentation.formatting.text import one_line
from runs.reporting.topics.registry import TOPICS, Topic
from runs.reporting.topics.topic_data import AgentSettings, TopicData
from runs.reporting.topics.topic_result import AgentName, TopicResult
from tasks.models import Dataset, Repository

log = logging.getLogger(__name__)

# A web process computes a result from so many runs in less than a third of a second.
AT_ONCE = 400
# A worker needs about a minute and a gigabyte for so many runs; with the counts of their trajectories, for a tenth.
MAX_RUNS = 1_000_000
MAX_COUNTED = 100_000
SLOTS = 128
STORE_SECONDS = 30 * 24 * 3600
# During an evaluation every run changes the data: a filter is queued again no sooner than this.
REQUEUE_SECONDS = 60
# A web process that was killed meanwhile has left its place by then.
COMPUTE_SECONDS = 20

State = Literal["fresh", "stale", "pending", "failed", "empty", "too many"]
MAX_PLACES = 6  # results of one address that are computed or queued at the same time


@dataclass(frozen=True, slots=True)
class CachedResult:
    """A stored result, with the versions that it belongs to. `result` None: computing it failed."""

    version: str
    data: str
    result: TopicResult | None


@dataclass(frozen=True, slots=True)
class CurrentResult:
    """The result that can be shown now. `data`: the data version of `result`, an older one if `state` is stale.

    `runs`: how many runs match; `most`: the limit.
    """

    state: State
    runs: int
    result: TopicResult | None = None
    data: str = ""
    most: int = MAX_RUNS


@dataclass(frozen=True)
class TopicQuery:
    """A filter and what it selects. Each value is read once for all topics. `boards`: all that there are.

    `address`: the network address of the reader who asks, whose places are limited; "": they are not.
    """

    chosen: BoardFilter = field(default_factory=BoardFilter)
    address: str = ""
    boards: Boards = field(default_factory=all_boards)

    @cached_property
    def runs(self) -> int:
        """The number of attempts, including those that the infrastructure failed."""
        if self.chosen.selects_runs:
            return self.chosen.runs().order_by().values("pk")[: MAX_RUNS + 1].count()
        return attempted(self.chosen)

    @property
    def home(self) -> str:
        """The dataset of the board."""
        return BoardName.of(self.chosen.dataset).dataset

    @cached_property
    def data(self) -> str:
        """The version of the data, read before the data: of those of the dataset, so that others do not matter."""
        return dataset_version(self.chosen.dataset) if self.chosen.dataset else data_version()

    @cached_property
    def version(self) -> str:
        """The version of a result: scope, data and names.

        It is read before the data, and the scope with it: a result that is computed while a dataset is hidden is stored
        under the old scope.
        """
        board = self.boards.of(self.chosen.dataset)
        agents = [item for item in sorted(self.agents.items()) if board is None or item[0] in board.agents]
        return text_digest(self.scope, self.data, repr(agents), repr(sorted(self.repositories.items())))

    @cached_property
    def agents(self) -> dict[str, AgentName]:
        """Slug → how the agent is shown."""
        return agent_names()

    @cached_property
    def details(self) -> dict[str, Any]:
        """What topics know beside the runs."""
        return topic_details(self.home)

    @property
    def calibrates(self) -> bool:
        """Whether the filter selects a kind of calibration agents."""
        return self.chosen.kind in CALIBRATION_KINDS

    @cached_property
    def repositories(self) -> dict[str, str]:
        """Slug → title of each repository that is not hidden."""
        return repository_titles(without_hidden(Repository.objects.all()))

    @cached_property
    def contradicted(self) -> frozenset[int]:
        """The agents whose results a printed number contradicts."""
        return contradicted(findings_of(self.chosen.dataset))

    @cached_property
    def scope(self) -> str:
        """A digest of the filter and the hidden datasets: a result with another scope is never shown."""
        hidden = Dataset.objects.filter(hidden=True).order_by("pk").values_list("pk", flat=True)
        return text_digest(self.chosen.query(), repr(list(hidden)), repr(sorted(self.contradicted)))

    def topic_data(self, *, behaviour: bool = True, whole: bool = False) -> TopicData:
        """The runs that match, without those of agents that have no rank for what their source prints.

        `whole`: those of the board's whole dataset.
        """
        chosen = self.chosen.on(self.home) if whole else self.chosen
        runs = chosen.runs().exclude(agent__in=self.contradicted)
        facts = run_facts(runs, with_behaviour=behaviour)
        return TopicData(facts, self.agents, self.repositories, **self.details).compared(
            calibrating=self.calibrates
        )

    def slots(self, topic: Topic) -> Slots:
        """Where the result is stored; that of a whole dataset has a slot of its own."""
        if self.chosen.only_dataset and self.boards.of(self.chosen.dataset):
            return Slots(f"answer/{topic.slug}/{self.chosen.dataset}", 1, STORE_SECONDS)
        return Slots(f"answer/{topic.slug}", SLOTS, STORE_SECONDS)


def agent_names(*, hidden: bool = False) -> dict[str, AgentName]:
    """Slug → how the agent is shown. `hidden`: also of agents that ran at hidden datasets only."""
    agents = without_hidden(Agent.objects.all(), unless=hidden)
    return {
        agent.slug: AgentName(
            one_line(agent.name),
            agent.is_calibration,
            one_line(agent.model.name) if agent.model else "",
            agent.is_person,
            one_line(agent.shown_harness),
        )
        for agent in agents.select_related("model").only(
            "slug", "name", "kind", "harness", "settings", "model__name"
        )
    }


def agent_settings(*, hidden: bool = False) -> AgentSettings:
    """Slug → all that defines an agent: its kind, its model and the settings in effect, with those of its profile.

    `hidden`: as for `agent_names`.
    """
    settings: dict[str, dict[str, Any]] = {}
    for agent in without_hidden(Agent.objects.all(), unless=hidden).select_related("model"):
        profile = profile_of(agent)
        model = agent.model.slug if agent.model else None
        values = {setting.name: setting.value for setting in profile.settings}
        settings[agent.slug] = {**values, "profile": profile.name, "kind": agent.kind, "model": model}
    return settings


def repository_titles(repositories: QuerySet[Repository]) -> dict[str, str]:
    """Slug → title of these repositories."""
    return {slug: one_line(title) for slug, title in repositories.values_list("slug", "title")}


def topic_details(dataset: str = "", *, hidden: bool = False) -> dict[str, Any]:
    """What topics know beside the runs: the fields of `TopicData` on functions of tasks, recall, twins and settings.

    `dataset`: the name of a board; "": of all. `hidden`: of hidden ones, too.
    """
    return {
        "measures": function_measures(dataset, hidden=hidden),
        "settings": agent_settings(hidden=hidden),
        "recall": recalled(dataset, hidden=hidden),
        "twins": twins_of(dataset, hidden=hidden),
    }


def current_result(topic: Topic, query: TopicQuery, at_once: int | None = None) -> CurrentResult:
    """The result that can be shown now; a worker computes it if that takes long. Raises TooMany.

    `at_once`: the largest number of runs for which it is computed in this request; None: AT_ONCE.
    """
    runs, most = query.runs, most_of(topic)
    if not 0 < runs <= most:
        return CurrentResult("too many" if runs else "empty", runs, most=most)
    if connection.in_atomic_block:  # its data may be rolled back: nothing is stored
        return _fresh(query, _computed(query, topic))
    version = query.version
    stored = _stored(query, topic)
    if stored.version == version:
        return CurrentResult("fresh" if stored.result else "failed", runs, stored.result, stored.data)
    try:
        queued = runs > (AT_ONCE if at_once is None else at_once) and _enqueued(query)
    except TooMany:
        if stored.result is None:
            raise
        queued = True  # later: until then the reader sees the previous result
    if not queued:
        with place_held(query.address, COMPUTE_SECONDS):
            result = _computed(query, topic)
        _store(query, topic, version, result)
        return _fresh(query, result)
    return CurrentResult("stale" if stored.result else "pending", runs, stored.result, stored.data)


def compute_topics(query_string: str) -> None:
    """A worker's job: computes and stores those results for the filter of this query string that are not up to date."""
    query = TopicQuery(BoardFilter.from_query(QueryDict(query_string).dict()))
    version = query.version  # before the runs are read
    possible = [
        topic
        for topic in TOPICS
        if 0 < query.runs <= most_of(topic) and _stored(query, topic).version != version
    ]
    if not possible:
        return
    # Without trajectories where these are too many: `possible` then has no topic that needs them.
    data = query.topic_data(behaviour=any(topic.behaviour for topic in possible))
    for topic in possible:
        result: TopicResult | None = None
        try:
            wider = topic.whole and query.home != query.chosen.dataset
            result = _computed(query, topic) if wider else topic.compute(data)
        except Exception:
            # The other topics can still be computed; the page says that this one failed.
            log.exception("computing %s failed for %r", topic.slug, query_string)
        _store(query, topic, version, result)


def enqueue_boards() -> None:
    """Enqueues the results of every board, so that its first reader need not wait. Without Redis a reader does."""
    try:
        for entry in all_boards().entries:
            queue.enqueue_analysis(urlencode({"dataset": entry.dataset}))
    except (DatabaseError, RedisError) as error:
        log.warning("the analysis pages are computed when a reader opens them: %s", error)


def most_of(topic: Topic) -> int:
    """The largest number of runs that a topic takes."""
    return MAX_COUNTED if topic.behaviour else MAX_RUNS


def _computed(query: TopicQuery, topic: Topic) -> TopicResult:
    return topic.compute(query.topic_data(behaviour=topic.behaviour, whole=topic.whole))


def _stored(query: TopicQuery, topic: Topic) -> CachedResult:
    found = query.slots(topic).read(query.scope)
    return found[0] if found else CachedResult("", "", None)


def _store(query: TopicQuery, topic: Topic, version: str, result: TopicResult | None) -> None:
    query.slots(topic).write(query.scope, CachedResult(version, query.data, result))


def _fresh(query: TopicQuery, result: TopicResult) -> CurrentResult:
    return CurrentResult("fresh", query.runs, result, query.data)


def _enqueued(query: TopicQuery) -> bool:
    """False without Redis. Raises TooMany. A repeated request within REQUEUE_SECONDS or more reuses the queued job."""
    try:
        seconds = max(REQUEUE_SECONDS, query.runs // 200)
        if caches[STORE].get(f"queued/{query.scope}") is None:
            take_place(query.address, seconds)
            if caches[STORE].add(f"queued/{query.scope}", 1, seconds):
                queue.enqueue_analysis(query.chosen.query())
    except RedisError:
        return False
    return True


def take_place(address: str, seconds: int) -> str:
    """Takes one of an address's few places, so that it does not keep the workers from all others; a key in Redis.

    Returns the key, or "" without a limit. Raises TooMany, and RedisError.
    """
    if not address:
        return ""
    for number in range(MAX_PLACES):
        key = f"place/{text_digest(address)}/{number}"
        if caches[STORE].add(key, 1, seconds):
            return key
    raise TooMany(f"{MAX_PLACES} analyses that your address asked for are not ready", seconds)


@contextmanager
def place_held(address: str, seconds: int) -> Iterator[None]:
    """Holds a place during a computation of at most so many seconds. Raises TooMany."""
    key = ""
    with suppress(RedisError):
        key = take_place(address, seconds)
    try:
        yield
    finally:
        if key:
            with suppress(RedisError):
                caches[STORE].delete(key)
