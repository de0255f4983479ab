"""Every URL of the site, read from its URL configuration, so that none is forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.contrib.admindocs.views import simplify_regex
from django.urls import URLPattern, URLResolver, get_resolver
from django.urls.resolvers import RoutePattern

from runs.models import Run
from runs.reporting.topics.registry import TOPICS
from tests.site.world import World

OPERATORS = ("admin/", "django-rq/", "operate/")


@dataclass(frozen=True, slots=True)
class Route:
    """One entry: its path with parameters as `<name>`, the names of these, and its name with its namespaces."""

    path: str
    parameters: tuple[str, ...]
    name: str

    @property
    def for_operators(self) -> bool:
        """Whether it is an operator page."""
        return self.path.startswith(OPERATORS)

    def filled(self, values: dict[str, str]) -> str:
        """The URL with these values. KeyError if a parameter of a public page has no value."""
        path = self.path
        for name in self.parameters:
            value = values.get(name, "1") if self.for_operators else values[name]
            path = path.replace(f"<{name}>", quote(value, safe="/"))
        return f"/{path}"


def routes() -> list[Route]:
    """All routes of the site."""
    return list(_walk(get_resolver().url_patterns, "", ""))


def visible_values(world: World) -> Iterator[dict[str, str]]:
    """Sets of values for parameters, each from another part of the world."""
    runs = (world.run_of("bob", world.tasks[0], 3), world.long, world.lost, world.acting, world.bare)
    for run in runs:
        yield values_of(run) | {"digest": world.frozen.digest}
    yield values_of(runs[0]) | {"slug": runs[0].agent.slug}
    yield values_of(runs[0]) | {"slug": TOPICS[0].slug, "name": "agents"}
    yield values_of(runs[0]) | {"pk": str(world.flood.pk), "slug": world.flood.slug}


def values_of(run: Run) -> dict[str, str]:
    """A value for every parameter of a public page, all about this run. A new parameter belongs here."""
    task = run.task
    return {
        "pk": str(run.pk),
        "number": "3",
        "note": "1",
        "name": "step-0001-1.png",
        "slug": task.repository.slug,
        "repository": task.repository.slug,
        "task": task.slug,
        "agent": run.agent.slug,
        "other": run.agent.slug,
        "dataset": task.repository.dataset.slug,
        "model": run.agent.model.slug if run.agent.model else "none",
        "evaluation": run.evaluation.slug,
        "run": str(run.pk),
        "step": "3",
        "anchor": "pass-rate",
        "digest": "0" * 16,
        "rest": "nothing",
        "section": "tasks",
    }


def _walk(patterns: Sequence[URLPattern | URLResolver], before: str, space: str) -> Iterator[Route]:
    for entry in patterns:
        path = before + _plain(entry)
        if isinstance(entry, URLResolver):
            inner = f"{space}{entry.namespace}:" if entry.namespace else space
            yield from _walk(entry.url_patterns, path, inner)
        else:
            yield Route(path, tuple(re.findall(r"<(\w+)>", path)), f"{space}{entry.name or ''}")


def _plain(entry: URLPattern | URLResolver) -> str:
    """The path with parameters as `<name>`, also for regular expressions."""
    if isinstance(entry.pattern, RoutePattern):
        return re.sub(r"<(?:[^:<>]+:)?(\w+)>", r"<\1>", str(entry.pattern))
    return str(simplify_regex(str(entry.pattern))).removeprefix("/")


def addresses(values: Iterable[dict[str, str]], chosen: Iterable[Route]) -> list[str]:
    """The URLs of these routes with each of these sets of values, without duplicates."""
    return list(addresses_by_route(values, chosen))


def addresses_by_route(values: Iterable[dict[str, str]], chosen: Iterable[Route]) -> dict[str, Route]:
    """Each of these URLs with its route; of two routes with the same URL, the first."""
    chosen, found = list(chosen), dict[str, Route]()
    for one in values:
        for route in chosen:
            found.setdefault(route.filled(one), route)
    return found
