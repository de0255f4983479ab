"""Search by words of names, and of runs by number, among what the reader may see."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_
from typing import Any, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, QuerySet
from django.urls import reverse

from runs.data.queries.filters import visible_runs
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

    A number, with or without `#`, also finds the run with that number. An empty text finds nothing. At most six
    queries.
    """
    words = text.split()[:MAX_WORDS]
    if not words:
        return ()
    named = (_agents, _models, _repositories, _tasks, _evaluations)
    groups = (
        _runs(text, reader),
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
    return _group("Repositories", [_hit(home, home.title, home.stack) for home in repositories])


def _tasks(words: list[str], reader: Reader) -> HitGroup:
    names = ("title", "slug", "category", "difficulty", "repository__title", "repository__slug")
    tasks = _first(visible_tasks(reader).order_by("title", "pk"), words, names)
    about = "{0.repository.title}, {0.difficulty} {0.category}".format
    return _group("Tasks", [_hit(task, task.title, about(task)) for task in tasks])


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


def _hit(thing: Any, title: str, about: str) -> Hit:
    return Hit(title, thing.get_absolute_url(), about)
