"""The names of the agent in a row, as they are or as they were when the table was frozen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from runs.cache.compiled_query import CompiledQuery
from runs.models import CALIBRATION_KINDS, Agent

_AGENTS = CompiledQuery(
    lambda: Agent.objects.values_list(
        "pk", "slug", "name", "kind", "model__name", "model__provider", "model__open_weights"
    )
)


@dataclass(frozen=True, slots=True)
class ModelName:
    """The model of an agent."""

    name: str
    provider: str
    open_weights: bool


@dataclass(frozen=True, slots=True)
class Competitor:
    """An agent, and its model if it has one."""

    slug: str
    name: str
    kind: str
    model: ModelName | None = None

    @property
    def is_calibration(self) -> bool:
        """Whether it is a calibration agent, which is not a competitor."""
        return self.kind in CALIBRATION_KINDS

    @property
    def under(self) -> str:
        """The line below its name: provider, model unless the agent has the same name, weights, kind."""
        if self.model is None:
            return self.kind
        model = self.model.name if self.model.name.casefold() != self.name.casefold() else ""
        weights = "open weights" if self.model.open_weights else ""
        return " · ".join(part for part in (self.model.provider, model, weights, self.kind) if part)

    def get_absolute_url(self) -> str:
        """The current page of this agent."""
        return reverse("agent", args=[self.slug])


def competitors(ids: Iterable[int]) -> dict[int, Competitor]:
    """Agents by number, in one query."""
    wanted = set(ids)
    return {
        pk: Competitor(
            slug, name, kind, None if model is None else ModelName(model, provider, bool(open_weights))
        )
        for pk, slug, name, kind, model, provider, open_weights in _AGENTS.rows()
        if pk in wanted
    }
