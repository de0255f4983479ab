"""Printed numbers of a source that its own results do not give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from runs.analysis.outcomes.printed_claims import METRICS
from runs.cache.results import cached
from runs.formatting.numbers import shown_number
from runs.models import Claim
from runs.models.open_rows import without_hidden


@dataclass(frozen=True)
class PrintedFinding:
    """A printed number that differs from the own one by more than rounding. `gross`: beyond the interval.

    `reported_by`: who prints it; `metric` is a name of analysis.outcomes.printed_claims.
    """

    reported_by: str
    metric: str
    printed: str
    own: float
    gross: bool

    @cached_property
    def sentence(self) -> str:
        """The finding for readers."""
        about = METRICS[self.metric]
        unit = f" {about.unit}" if about.unit else ""
        printed = f"{self.reported_by} prints {about.title.lower()} {self.printed}{unit}"
        return f"{printed}, its results give {shown_number(self.own)}{unit}"


Findings = Mapping[int, tuple[PrintedFinding, ...]]


def findings_of(dataset: str) -> Findings:
    """Agent → its findings in the current report of a dataset, in one query; cached until the data change."""
    return cached("findings", dataset, lambda: _findings_of(dataset))


def _findings_of(dataset: str) -> Findings:
    claims = (
        without_hidden(Claim.objects.all())
        .filter(report__dataset__slug=dataset, report__evaluation__listed=True, agent__isnull=False)
        .select_related("report__dataset")
        .order_by("pk")
    )
    return findings(claims)


def findings(claims: Iterable[Claim]) -> Findings:
    """Agent → its findings among these claims."""
    found: dict[int, list[PrintedFinding]] = defaultdict(list)
    for claim in claims:
        verdict = claim.verdict
        if claim.agent_id is not None and claim.own is not None and verdict in ("differs", "contradicts"):
            by = claim.report.dataset.reported_by
            found[claim.agent_id].append(
                PrintedFinding(by, claim.metric, claim.printed, claim.own, verdict == "contradicts")
            )
    return {agent: tuple(theirs) for agent, theirs in found.items()}


def contradicted(found: Findings) -> frozenset[int]:
    """The agents that have no place, because a printed number is beyond the interval of their own results."""
    return frozenset(agent for agent, theirs in found.items() if any(one.gross for one in theirs))
