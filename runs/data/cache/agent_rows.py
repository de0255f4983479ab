"""Every agent as a row, read once for all parts of a page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, QuerySet, TextField
from django.db.models.functions import Cast

from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.digests import text_digest
from runs.data.cache.reading_once import once
from runs.models import Agent, LanguageModel
from runs.models.open_rows import without_hidden


class AgentRow(NamedTuple):
    """An agent with its model. `settings` is text in JSON; those of the model are None without one.

    `is_open`: everybody may see it. Columns are as the database has them: the Booleans may be 0 or 1.
    """

    pk: int
    slug: str
    name: str
    kind: str
    origin: str
    graded_here: bool
    harness: str
    settings: str
    model: str | None
    provider: str | None
    open_weights: bool | None
    is_open: bool


@dataclass(frozen=True, slots=True)
class _StoredAgents:
    """All agents, `read` from the database. `version` changes with everything stored of the open ones."""

    read: list[tuple[Any, ...]]
    rows: list[AgentRow]
    version: str


def _with_models() -> QuerySet[Agent, Any]:
    """The columns of AgentRow, then all others of agents and their models."""
    first = (
        *("pk", "slug", "name", "kind", "origin", "graded_here", "harness", "settings_text"),
        *("model__name", "model__provider", "model__open_weights", "is_open"),
    )
    own = (field.attname for field in Agent._meta.concrete_fields if field.name not in {"id", "settings"})
    of_model = (f"model__{field.attname}" for field in LanguageModel._meta.concrete_fields)
    agents = Agent.objects.annotate(
        settings_text=Cast("settings", TextField()),
        is_open=Exists(without_hidden(Agent.objects.filter(pk=OuterRef("pk")))),
    )
    return agents.order_by("pk").values_list(
        *first, *(name for name in (*own, *of_model) if name not in first)
    )


_AGENTS = CompiledQuery(_with_models)
_last = _StoredAgents([], [], text_digest(repr([])))


def agent_rows() -> list[AgentRow]:
    """Every agent, hidden ones too: for code that names the agents of rows which the reader may see. One query."""
    return _agents().rows


def agents_version() -> str:
    """Changes with everything stored of the agents that everybody may see, and of their models. The same query.

    Without hidden ones: an ETag that changes while the page stays the same would tell of them.
    """
    return _agents().version


def _agents() -> _StoredAgents:
    return once("agents", _read)


def _read() -> _StoredAgents:
    """Agents seldom change: what is made of 264 of them is made again only then, in 0.5 ms."""
    global _last  # noqa: PLW0603 - one store for one process, replaced as a whole
    read, found = _AGENTS.rows(), _last
    if read != found.read:
        rows = [AgentRow(*columns[: len(AgentRow._fields)]) for columns in read]
        shown = [columns for columns, row in zip(read, rows, strict=True) if row.is_open]
        found = _last = _StoredAgents(read, rows, text_digest(repr(shown)))
    return found
