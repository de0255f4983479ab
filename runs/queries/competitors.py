"""Who stands in a row: an agent under the names that it has, or had when the table was frozen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse

from runs.cache.compiled_query import CompiledQuery
from runs.models import CALIBRATION_KINDS, Agent

_EVERYBODY = CompiledQuery(
    lambda: Agent.objects.values_list(
        "pk", "slug", "name", "kind", "model__name", "model__provider", "model__open_weights"
    )
)


@dataclass(frozen=True, slots=True)
class ModelName:
    """The model that an agent asks."""

    name: str
    provider: str
    open_weights: bool


@dataclass(frozen=True, slots=True)
class Competitor:
    """An agent, and its model where it asks one."""

    slug: str
    name: str
    kind: str
    model: ModelName | None = None

    @property
    def is_calibration(self) -> bool:
        """Whether it knows the reference patch, so that nobody takes it for a model."""
        return self.kind in CALIBRATION_KINDS

    @property
    def under(self) -> str:
        """What stands below its name: provider, model where that is not the agent's name, weights; its kind."""
        if self.model is None:
            return self.kind
        model = self.model.name if self.model.name.casefold() != self.name.casefold() else ""
        weights = "open weights" if self.model.open_weights else ""
        return " · ".join(part for part in (self.model.provider, model, weights, self.kind) if part)

    def get_absolute_url(self) -> str:
        """The page of this agent as it is now."""
        return reverse("agent", args=[self.slug])


def competitors(ids: Iterable[int]) -> dict[int, Competitor]:
    """Agents by number, in one query."""
    wanted = set(ids)
    return {
        pk: Competitor(
            slug, name, kind, None if model is None else ModelName(model, provider, bool(open_weights))
        )
        for pk, slug, name, kind, model, provider, open_weights in _EVERYBODY.rows()
        if pk in wanted
    }
