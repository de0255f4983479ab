"""Atom feeds of new results: each finished and listed evaluation, of all agents or of one."""

from __future__ import annotations

import math
import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html, format_html_join

from runs.data.cache.results import cached
from runs.data.cells.run_sums import run_sums
from runs.data.queries.filters import agents_by_id
from runs.data.queries.visibility import ANONYMOUS, visible, visible_agents, visible_evaluations
from runs.models import Agent, Evaluation, Run
from runs.presentation.formatting.numbers import whole
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
        return f"{counts}, pass@1 {whole(value)} % (95 % interval {whole(low)} to {whole(high)})"


def feed(request: HttpRequest) -> HttpResponse:
    """The newest results first."""
    atom = AtomFeed(
        request, "new results", "Evaluations of coding agents that are finished", reverse("feed"), "/"
    )
    results = _results(_finished())
    agents = agents_by_id({line.agent for _, lines in results for line in lines})
    for evaluation, lines in results:
        competing = [line for line in lines if not agents[line.agent].is_calibration]
        ordered = [*competing, *(line for line in lines if agents[line.agent].is_calibration)]
        words = [(line.words(agents[line.agent]),) for line in ordered[:MAX_AGENTS]]
        listed = format_html_join("", "<li>{}</li>", words)
        more = f" And {len(lines) - MAX_AGENTS} more." if len(lines) > MAX_AGENTS else ""
        title = f"{feed_text(evaluation.title)}: {_headline(competing, agents)}"
        description = format_html("<ul>{}</ul>{}", listed, more)
        atom.add(evaluation, title, description, f"evaluations/{evaluation.slug}")
    return atom.response()


def agent_feed(request: HttpRequest, slug: str) -> HttpResponse:
    """The newest results of one agent first."""
    agent = get_object_or_404(visible_agents(ANONYMOUS), slug=slug)
    name = feed_text(agent.name)
    own = reverse("agent_feed", args=[slug])
    atom = AtomFeed(request, name, f"New results of {name}", own, agent.get_absolute_url())
    # By a set of evaluations: with a join, each of its runs would be a row.
    theirs = visible(Run.objects.filter(agent=agent), ANONYMOUS).order_by().values("evaluation")
    for evaluation, lines in _results(_finished().filter(pk__in=theirs)):
        words = next((line.words(agent) for line in lines if line.agent == agent.pk), "")
        if words:
            title = f"{feed_text(evaluation.title)}: {words}"
            atom.add(evaluation, title, format_html("{}", words), f"agents/{slug}/{evaluation.slug}")
    return atom.response()


def _finished() -> QuerySet[Evaluation]:
    return visible_evaluations(ANONYMOUS).filter(
        state=Evaluation.State.FINISHED, listed=True, finished_at__isnull=False
    )


def _results(evaluations: QuerySet[Evaluation]) -> list[tuple[Evaluation, tuple[FeedLine, ...]]]:
    newest = evaluations.order_by("-finished_at", "-pk")[:MAX_ENTRIES]
    return [(evaluation, lines_of(evaluation)) for evaluation in newest]


class AtomFeed:
    """An Atom feed of objects that have finished and have pages. `own`: its address; `link`: that of its page."""

    def __init__(self, request: HttpRequest, title: str, subtitle: str, own: str, link: str) -> None:
        self._request = request
        self._feed = Atom1Feed(
            title=f"BenchBench: {title}",
            subtitle=subtitle,
            link=request.build_absolute_uri(link),
            feed_url=request.build_absolute_uri(own),
            description="",
            language="en",
            author_name="BenchBench",
            feed_guid=feed_id(link.strip("/") or own.removesuffix(".atom").strip("/")),
        )

    def add(self, shown: Any, title: str, description: str, unique: str) -> None:
        """Adds an entry. `unique`: names it within this site."""
        self._feed.add_item(
            title=title,
            link=self._request.build_absolute_uri(shown.get_absolute_url()),
            description=description,
            unique_id=feed_id(unique),
            pubdate=shown.finished_at,
            updateddate=shown.finished_at,
        )

    def response(self) -> HttpResponse:
        """The feed. Without an entry it has a fixed day, so that it does not change at every request."""
        if not self._feed.num_items():
            self._feed.latest_post_date = lambda: datetime(2026, 1, 1, tzinfo=UTC)  # type: ignore[method-assign]
        return HttpResponse(
            self._feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
        )


def lines_of(evaluation: Evaluation) -> tuple[FeedLine, ...]:
    """The result of each agent at open datasets, the best first."""

    def count() -> tuple[FeedLine, ...]:
        rows = run_sums(visible(evaluation.runs.all(), ANONYMOUS))
        agents = list(visible_agents(ANONYMOUS).filter(pk__in={row.agent for row in rows}))
        return tuple(
            FeedLine(it.agent.pk, it.tally.resolved, it.tally.finished, percents(it))
            for it in agents_so_far(agents, rows, run_counts.cells(rows))
        )

    def percents(it: AgentSoFar) -> tuple[float, float, float] | None:
        ends = it.rate and it.rate.interval
        return (100 * it.rate.value, 100 * ends.low, 100 * ends.high) if it.rate and ends else None

    return cached("feed", evaluation.slug, count)


def _headline(lines: Sequence[FeedLine], agents: Mapping[int, Agent]) -> str:
    """The best of the competing agents, which come best first; equal agents are named together."""
    if not lines:
        return "only calibration agents ran, so none competes"
    rate = lines[0].rate
    best = [line for line in lines if rate and line.rate and math.isclose(line.rate[0], rate[0])]
    if len(lines) == 1:
        return lines[0].words(agents[lines[0].agent])
    if rate is None:
        return f"none of {len(lines)} competing agents has a verdict"
    if len(best) == 1:
        return f"best of {len(lines)} competing agents is {best[0].words(agents[best[0].agent])}"
    names = [feed_text(agents[line.agent].name) for line in best[:MAX_NAMES]]
    if len(best) > MAX_NAMES:
        names.append(f"{len(best) - MAX_NAMES} more")
    equal = f"{', '.join(names[:-1])} and {names[-1]}, each with pass@1 {whole(rate[0])} %"
    return f"best of {len(lines)} competing agents are {equal}"


def feed_text(hostile: str) -> str:
    """One line, without characters that XML forbids."""
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", one_line(hostile, 200))


def feed_id(what: str) -> str:
    """A stable id within this site, whatever host name is used."""
    return f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, f'benchbench/{settings.INSTANCE}/{what}')}"
