"""Search by words of names, and of runs by number, among what the reader may see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from runs.data.queries.filters import visible_runs
from runs.data.queries.paired_replays import paired_replays
from runs.data.queries.visibility import (
    Reader,
    visible,
    visible_agents,
    visible_evaluations,
    visible_repositories,
    visible_tasks,
)
from runs.models import CellGroup, LanguageModel
from runs.models.agent import UNKNOWN_MODEL
from runs.presentation.analysis_docs import GROUPS, method_path
from runs.presentation.documents.documents import find_headings
from runs.presentation.formatting.model_names import model_address
from tasks.models import Task

MAX_COUNT = 10  # of one kind
MAX_WORDS = 8
_MAX_NUMBER_LENGTH = 18  # digits of a key that every database accepts

_Named = TypeVar("_Named", bound=Model)


@dataclass(frozen=True, slots=True)
class Hit:
    """One result. `about` says what it belongs to."""

    title: str
    href: str
    about: str


@dataclass(frozen=True, slots=True)
class HitGroup:
    """The results of one kind of object, the first MAX_COUNT by name; `more`: there are others."""

    title: str
    hits: tuple[Hit, ...]
    more: bool


def search(text: str, reader: Reader) -> tuple[HitGroup, ...]:
    """Everything whose names contain all words of `text`, ignoring case; kinds without a hit are left out.

    A number, with or without `#`, also finds the run with that number; the names of two agents and a task find the
    replays of both. An empty text finds nothing. At most nine queries.
    """
    words = text.split()[:MAX_WORDS]
    if not words:
        return ()
    named = (_agents, _models, _repositories, _tasks, _evaluations)
    groups = (
        _runs(text, reader),
        _pairs(words, reader),
        *(group(words, reader) for group in named),
        _methods(words),
        _documents(words),
    )
    return tuple(group for group in groups if group.hits)


def _runs(text: str, reader: Reader) -> HitGroup:
    number = text.strip().removeprefix("#")
    if not (number.isascii() and number.isdigit() and len(number) <= _MAX_NUMBER_LENGTH):
        return _group("Runs", [])
    runs = visible_runs(reader).filter(pk=int(number))
    return _group("Runs", [_hit(run, f"#{run.pk}", f"{run.agent.name}, {run.task.title}") for run in runs])


def _pairs(words: list[str], reader: Reader) -> HitGroup:
    page = reverse("compare_runs")
    pairs = paired_replays(words, reader)
    hits = [
        Hit(pair.agents, f"{page}?{urlencode({'a': pair.one, 'b': pair.two})}", pair.task) for pair in pairs
    ]
    return _group("Two replays of one task", hits)


def _agents(words: list[str], reader: Reader) -> HitGroup:
    names = ("name", "slug", "model__name", "model__provider", "kind")
    # Those with results first: of an agent and its recorded twin, only one may have some.
    counted = visible(CellGroup.objects.filter(agent=OuterRef("pk")), reader)
    agents = _first(visible_agents(reader).order_by(~Exists(counted), "name"), words, names)
    return _group("Agents", [_hit(agent, agent.name, str(agent.model or agent.kind)) for agent in agents])


def _models(words: list[str], reader: Reader) -> HitGroup:
    """A model that several boards spell in different ways is one hit."""
    models = visible(LanguageModel.objects.exclude(name=UNKNOWN_MODEL), reader).order_by("name", "pk")
    hits: dict[str, Hit] = {}
    for name, provider in _holding(models, words, ("name", "provider")).values_list("name", "provider"):
        address = model_address(name, provider)
        hits.setdefault(address, Hit(name, reverse("model", args=[address]), provider))
    return _group("Models", list(hits.values()))


def _repositories(words: list[str], reader: Reader) -> HitGroup:
    names = ("title", "slug", "stack", "domain")
    repositories = _first(visible_repositories(reader).order_by("title"), words, names)
    return _group(
        "Repositories",
        [_hit(home, home.title, _about(home.stack, home.dataset.title)) for home in repositories],
    )


def _tasks(words: list[str], reader: Reader) -> HitGroup:
    names = ("title", "slug", "category", "difficulty", "repository__title", "repository__slug")
    tasks = _first(visible_tasks(reader).order_by("title", "pk"), words, names)
    return _group("Tasks", [_hit(task, task.title, _about_task(task)) for task in tasks])


def _about_task(task: Task) -> str:
    home = task.repository
    return _about(home.title, f"{task.difficulty} {task.category}", home.dataset.title)


def _evaluations(words: list[str], reader: Reader) -> HitGroup:
    rows = _first(visible_evaluations(reader).order_by("-created_at", "-pk"), words, ("title", "slug"))
    return _group(
        "Evaluations", [_hit(evaluation, evaluation.title, evaluation.state) for evaluation in rows]
    )


def _methods(words: list[str]) -> HitGroup:
    hits = [
        Hit(method.title, method_path(method.anchor), group.title)
        for group in GROUPS
        for method in group.methods
        if all(word.casefold() in f"{method.title} {method.anchor}".casefold() for word in words)
    ]
    return _group("Methods", hits)


def _documents(words: list[str]) -> HitGroup:
    found = find_headings(words)
    return _group("Documentation", [Hit(it.section.title, it.address, it.document.title) for it in found])


def _first(rows: QuerySet[_Named], words: list[str], names: tuple[str, ...]) -> list[_Named]:
    """The first MAX_COUNT + 1 matches, which shows whether there are more than MAX_COUNT."""
    return list(_holding(rows, words, names)[: MAX_COUNT + 1])


def _holding(rows: QuerySet[_Named], words: list[str], names: tuple[str, ...]) -> QuerySet[_Named]:
    """The rows that have each word in one of these columns."""
    holds = (reduce(or_, (Q(**{f"{name}__icontains": word}) for name in names)) for word in words)
    return rows.filter(reduce(and_, holds))


def _group(title: str, hits: list[Hit]) -> HitGroup:
    return HitGroup(title, tuple(hits[:MAX_COUNT]), len(hits) > MAX_COUNT)


def _about(*parts: str) -> str:
    """What is known of these, in one line."""
    return ", ".join(part.strip() for part in parts if part.strip())


def _hit(thing: Any, title: str, about: str) -> Hit:
    return Hit(title, thing.get_absolute_url(), about)
