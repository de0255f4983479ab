"""The names of the agent in a row, as they are or as they were when the table was frozen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from django.urls import reverse

from runs.data.cache.agent_rows import AgentRow, agent_rows
from runs.models import CALIBRATION_KINDS
from runs.models.agent import PERSON, REPORTED, plain_name, reporter


@dataclass(frozen=True, slots=True)
class ModelName:
    """The model of an agent."""

    name: str
    provider: str
    open_weights: bool | None


@dataclass(frozen=True, slots=True)
class Competitor:
    """An agent, and its model if it has one. `reported_by`: who reported its results; '' if they are not reported.

    `graded_here`: its runs were executed elsewhere, and this site graded each that has a verdict.
    """

    slug: str
    name: str
    kind: str
    model: ModelName | None = None
    reported_by: str = ""
    graded_here: bool = False

    @property
    def executed_here(self) -> bool:
        """Whether this site executed its runs."""
        return plain_name(self.name) == self.name

    @property
    def is_calibration(self) -> bool:
        """Whether it is a calibration agent, which is not a competitor."""
        return self.kind in CALIBRATION_KINDS

    @property
    def is_person(self) -> bool:
        """Whether it stands for people, who have no place."""
        return self.kind == PERSON

    @property
    def about(self) -> str:
        """What it is: provider, model unless the name has it, weights, and the kind unless its results are reported."""
        kind = "" if self.reported_by else self.kind
        if self.model is None:
            return kind
        model = "" if self.model.name.casefold() in plain_name(self.name).casefold() else self.model.name
        weights = "open weights" if self.model.open_weights else ""
        return " · ".join(part for part in (self.model.provider, model, weights, kind) if part)

    @property
    def under(self) -> str:
        """What it is, and who reported its results."""
        reported = f"reported by {self.reported_by}" if self.reported_by else ""
        return " · ".join(part for part in (self.about, reported) if part)

    def get_absolute_url(self) -> str:
        """The current page of this agent."""
        return _agent_page(self.slug)


@lru_cache(maxsize=1024)
def _agent_page(slug: str) -> str:
    """A leaderboard has 140 such addresses: they take 2 of its 20 ms."""
    return reverse("agent", args=[slug])


def competitors(ids: Iterable[int]) -> dict[int, Competitor]:
    """Agents by number, in one query."""
    wanted = set(ids)
    return {row.pk: _competitor(row) for row in agent_rows() if row.pk in wanted}


def _competitor(row: AgentRow) -> Competitor:
    weights = row.open_weights and bool(row.open_weights)
    return Competitor(
        row.slug,
        row.name,
        row.kind,
        None if row.model is None else ModelName(row.model, row.provider or "", weights),
        reporter(row.origin) if row.kind == REPORTED else "",
        bool(row.graded_here),
    )
