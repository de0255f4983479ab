"""Answers of the analysis pages: kept while their data last, made anew where that is quick, else by a worker.

No request waits for what takes longer than a page may. A question about few runs is answered at once; one about many
is handed to the workers' queue for answers, and until it is done the page shows the answer of the last data, or says
that it is being worked on. Without Redis every question is answered at once.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from django.core.cache import caches
from django.db import connection
from django.http import QueryDict
from redis import RedisError

from runs import charts, queue, topics
from runs.cache.results import STORE, data_version, fingerprint, keep, recall
from runs.cells.dated_cells import within
from runs.formatting.text import one_line
from runs.models import Agent
from runs.queries.board_filter import BoardFilter
from runs.queries.filters import CALIBRATION_KINDS, attempted
from runs.run_facts.facts_query import run_facts
from runs.topics.answer import AgentName, Answer
from runs.topics.registry import TOPICS, Topic
from runs.topics.topic_data import TopicData, ground_of
from tasks.models import Dataset, Repository

log = logging.getLogger(__name__)

# A web process answers a question about so many runs in less than a third of a second.
AT_ONCE = 400
# So many take a worker about a minute and a gigabyte; with what was counted in their trajectories a tenth of them does.
MOST_RUNS = 1_000_000
MOST_COUNTED = 100_000
SLOTS = 128
KEEP_SECONDS = 30 * 24 * 3600
# While an evaluation goes on every run changes the data: answers follow no faster than this.
PATIENCE_SECONDS = 60

State = Literal["fresh", "stale", "pending", "failed", "empty", "too many"]


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer, to which question and of which data; None: it could not be made of these data."""

    scope: str
    version: str
    data: str
    answer: Answer | None


@dataclass(frozen=True, slots=True)
class TopicResult:
    """What there is to say. `stale`: the answer is of older data; `data`: of which.

    `runs`: how many it is about. `most`: how many it can be about.
    """

    state: State
    runs: int
    answer: Answer | None = None
    data: str = ""
    most: int = MOST_RUNS


@dataclass(frozen=True)
class TopicQuery:
    """A filter, and what is found by it: asked several topics, each thing is looked up once."""

    chosen: BoardFilter = field(default_factory=BoardFilter)

    @cached_property
    def runs(self) -> int:
        """How many attempts there are, those that the infrastructure lost included."""
        if self.chosen.dated:
            return within(self.chosen).order_by().values("pk")[: MOST_RUNS + 1].count()
        return attempted(self.chosen)

    @cached_property
    def data(self) -> str:
        """The version of the data, read before they are."""
        return data_version()

    @cached_property
    def version(self) -> str:
        """Of what an answer is made of: data and names."""
        return _digest(self.data, repr(sorted(self.agents.items())), repr(sorted(self.repositories.items())))

    @cached_property
    def agents(self) -> dict[str, AgentName]:
        """How each agent is shown."""
        return {
            slug: AgentName(one_line(name), kind in CALIBRATION_KINDS, one_line(model or ""))
            for slug, name, kind, model in Agent.objects.values_list("slug", "name", "kind", "model__name")
        }

    @property
    def calibrates(self) -> bool:
        """Whether the filter itself asks for a kind of calibration agents."""
        return self.chosen.kind in CALIBRATION_KINDS

    @cached_property
    def repositories(self) -> dict[str, str]:
        """What each open repository is called."""
        titles = Repository.objects.filter(dataset__hidden=False).values_list("slug", "title")
        return {slug: one_line(title) for slug, title in titles}

    @cached_property
    def scope(self) -> str:
        """The filter, what is hidden, and the code: of what was open once, or counted otherwise, nothing is shown."""
        hidden = Dataset.objects.filter(hidden=True).order_by("pk").values_list("pk", flat=True)
        return _digest(self.chosen.query(), repr(list(hidden)), fingerprint(), code())

    def ground(self, *, behaviour: bool = True) -> TopicData:
        """The runs themselves."""
        return ground_of(
            run_facts(within(self.chosen), with_behaviour=behaviour), self.agents, self.repositories
        )

    def key(self, topic: Topic) -> str:
        """Where the answer is kept. Anybody may ask for any filter, so the places for these are few."""
        place = "all" if self.chosen.empty else str(int(self.scope, 16) % SLOTS)
        return f"answer/{topic.slug}/{place}"


def ask(topic: Topic, question: TopicQuery, at_once: int | None = None) -> TopicResult:
    """The answer as far as it is known now; it is asked for where it is not.

    `at_once`: up to how many runs are worth waiting for; None: AT_ONCE.
    """
    runs, most = question.runs, most_of(topic)
    if not 0 < runs <= most:
        return TopicResult("too many" if runs else "empty", runs, most=most)
    if connection.in_atomic_block:  # its data may never be: nothing is kept of them
        return _fresh(question, topic.answer(question.ground(behaviour=topic.behaviour)))
    version = question.version
    kept = _kept(question, topic)
    if kept.version == version:
        return TopicResult("fresh" if kept.answer else "failed", runs, kept.answer, kept.data)
    if runs <= (AT_ONCE if at_once is None else at_once) or not _asked_worker(question):
        answer = topic.answer(question.ground(behaviour=topic.behaviour))
        _keep(question, topic, version, answer)
        return _fresh(question, answer)
    return TopicResult("stale" if kept.answer else "pending", runs, kept.answer, kept.data)


def answer_all(query: str) -> None:
    """A worker's job: answers all topics for the filter of this query string, and keeps the answers."""
    question = TopicQuery(BoardFilter.from_query(QueryDict(query).dict()))
    version = question.version  # before the runs are read
    can = [topic for topic in TOPICS if 0 < question.runs <= most_of(topic)]
    if not can:
        return
    # Without trajectories where these are too many: the topics that want them are not among these.
    ground = question.ground(behaviour=any(topic.behaviour for topic in can))
    for topic in can:
        answer: Answer | None = None
        try:
            answer = topic.answer(ground)
        except Exception:
            # Whatever it is, other topics can do without; the page says that this one failed.
            log.exception("%s cannot be answered for %r", topic.slug, query)
        _keep(question, topic, version, answer)


def most_of(topic: Topic) -> int:
    """How many runs a topic can be asked about."""
    return MOST_COUNTED if topic.behaviour else MOST_RUNS


@cache
def code() -> str:
    """A fingerprint of the code that makes answers of results."""
    content = hashlib.sha256()
    for home in (*topics.__path__, *charts.__path__):
        for path in sorted(Path(home).rglob("*.py")):
            content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


def _kept(question: TopicQuery, topic: Topic) -> Kept:
    found = recall(question.key(topic))
    if found is not None and isinstance(found[0], Kept) and found[0].scope == question.scope:
        return found[0]
    return Kept("", "", "", None)


def _keep(question: TopicQuery, topic: Topic, version: str, answer: Answer | None) -> None:
    keep(question.key(topic), Kept(question.scope, version, question.data, answer), KEEP_SECONDS)


def _fresh(question: TopicQuery, answer: Answer) -> TopicResult:
    return TopicResult("fresh", question.runs, answer, question.data)


def _asked_worker(question: TopicQuery) -> bool:
    """False when nobody can be asked. Who asks again soon is as good as asked."""
    try:
        seconds = max(PATIENCE_SECONDS, question.runs // 200)
        if caches[STORE].add(f"asked/{question.scope}", 1, seconds):
            queue.enqueue_answers(question.chosen.query())
    except RedisError:
        return False
    return True


def _digest(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:32]
