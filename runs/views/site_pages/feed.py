"""The Atom feed of new results: each finished and listed evaluation."""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join

from runs.data.cache.results import cached
from runs.data.cells.run_sums import run_sums
from runs.data.queries.filters import agents_by_id
from runs.data.queries.visibility import ANONYMOUS, visible, visible_agents, visible_evaluations
from runs.models import Agent, Evaluation
from runs.presentation.formatting.text import one_line
from runs.work.progress import run_counts
from runs.work.progress.agent_progress import AgentSoFar, agents_so_far

MAX_ENTRIES = 30
MAX_AGENTS = 10
MAX_NAMES = 3  # in a title
_NO_XML = re.compile("[\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class FeedLine:
    """The result of one agent. `rate`: its pass@1 and the ends of the interval, in percent; None without a value."""

    agent: int
    resolved: int
    attempts: int
    rate: tuple[float, float, float] | None

    def words(self, agent: Agent) -> str:
        """The result in words, after the agent's name."""
        mark = " (calibration)" if agent.is_calibration else " (people)" if agent.is_person else ""
        counts = f"{feed_text(agent.name)}{mark}: {self.resolved} of {self.attempts} attempts resolved"
        if self.rate is None:
            return counts
        value, low, high = self.rate
        return f"{counts}, pass@1 {value:.0f} % (95 % interval {low:.0f} to {high:.0f})"


def feed(request: HttpRequest) -> HttpResponse:
    """The newest results first."""
    found = [(evaluation, lines_of(evaluation)) for evaluation in _finished()[:MAX_ENTRIES]]
    agents = agents_by_id({line.agent for _, lines in found for line in lines})
    atom = Atom1Feed(
        title="BenchBench: new results",
        subtitle="Evaluations of coding agents that are finished",
        link=request.build_absolute_uri("/"),
        feed_url=request.build_absolute_uri(reverse("feed")),
        description="",
        language="en",
        author_name="BenchBench",
        feed_guid=feed_id("feed"),
    )
    for evaluation, lines in found:
        competing = [line for line in lines if not agents[line.agent].is_calibration]
        ordered = [*competing, *(line for line in lines if agents[line.agent].is_calibration)]
        words = [(line.words(agents[line.agent]),) for line in ordered[:MAX_AGENTS]]
        listed = format_html_join("", "<li>{}</li>", words)
        more = f" And {len(lines) - MAX_AGENTS} more." if len(lines) > MAX_AGENTS else ""
        atom.add_item(
            title=f"{feed_text(evaluation.title)}: {_headline(competing, agents)}",
            link=request.build_absolute_uri(evaluation.get_absolute_url()),
            description=format_html("<ul>{}</ul>{}", listed, more),
            unique_id=feed_id(f"evaluations/{evaluation.slug}"),
            pubdate=evaluation.finished_at,
            updateddate=evaluation.finished_at,
        )
    if not found:
        atom.latest_post_date = lambda: datetime(2026, 1, 1, tzinfo=UTC)  # type: ignore[method-assign]
    return HttpResponse(atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def lines_of(evaluation: Evaluation) -> tuple[FeedLine, ...]:
    """The result of each agent at open datasets, the best first."""

    def count() -> tuple[FeedLine, ...]:
        rows = run_sums(visible(evaluation.runs.all(), ANONYMOUS))
        agents = list(visible_agents(ANONYMOUS).filter(pk__in={row.agent for row in rows}))
        return tuple(map(_line, agents_so_far(agents, rows, run_counts.cells(rows))))

    return cached("feed", evaluation.slug, count)


def _finished() -> QuerySet[Evaluation]:
    """Finished and listed evaluations with public runs, the newest first."""
    ended = visible_evaluations(ANONYMOUS).filter(
        state=Evaluation.State.FINISHED, listed=True, finished_at__isnull=False
    )
    return ended.order_by("-finished_at", "-pk")


def _line(it: AgentSoFar) -> FeedLine:
    rate = it.rate
    drawn = None if rate is None else (100 * rate.value, 100 * rate.interval.low, 100 * rate.interval.high)
    return FeedLine(it.agent.pk, it.tally.resolved, it.tally.finished, drawn)


def _headline(lines: Sequence[FeedLine], agents: Mapping[int, Agent]) -> str:
    """The best of the competing agents, which come best first; equal agents are named together."""
    if not lines:
        return "only calibration agents ran, so none competes"
    best = [line for line in lines if _level(line, lines[0])]
    if len(lines) == 1:
        return lines[0].words(agents[lines[0].agent])
    if lines[0].rate is None:
        return f"none of {len(lines)} competing agents has a verdict"
    if len(best) == 1:
        return f"best of {len(lines)} competing agents is {best[0].words(agents[best[0].agent])}"
    names = [feed_text(agents[line.agent].name) for line in best[:MAX_NAMES]]
    if len(best) > MAX_NAMES:
        names.append(f"{len(best) - MAX_NAMES} more")
    equal = f"{', '.join(names[:-1])} and {names[-1]}, each with pass@1 {lines[0].rate[0]:.0f} %"
    return f"best of {len(lines)} competing agents are {equal}"


def _level(one: FeedLine, other: FeedLine) -> bool:
    """Whether both have the same pass@1."""
    return one.rate is not None and other.rate is not None and math.isclose(one.rate[0], other.rate[0])


def feed_text(hostile: str) -> str:
    """One line, without characters that XML forbids."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", one_line(hostile, 200))


def feed_id(what: str) -> str:
    """A stable id within this site, whatever host name is used."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'benchbench/{settings.INSTANCE}/{what}')}"
