"""Every agent as a row, read once for all parts of a page."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast

from runs.data.cache.compiled_query import CompiledQuery
from runs.data.cache.reading_once import once
from runs.models import Agent


class AgentRow(NamedTuple):
    """An agent with its model. `settings` is text in JSON; the last three are None without a model.

    Columns are as the database has them: `graded_here` and `open_weights` may be 0 or 1.
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


_AGENTS = CompiledQuery(
    lambda: (
        Agent.objects.order_by()
        .annotate(settings_text=Cast("settings", TextField()))
        .values_list(
            *("pk", "slug", "name", "kind", "origin", "graded_here", "harness", "settings_text"),
            *("model__name", "model__provider", "model__open_weights"),
        )
    )
)


def agent_rows() -> list[AgentRow]:
    """Every agent, hidden ones too: for code that names the agents of rows which the reader may see. One query."""
    return once("agents", lambda: list(map(AgentRow._make, _AGENTS.rows())))
