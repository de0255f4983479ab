"""The runs in which a query finds something, with snippets, counts by facet, and what could not be searched."""

from __future__ import annotations

import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from django.urls import reverse

from runs.data.queries.filters import visible_runs
from runs.data.queries.visibility import Reader, visible_agents, visible_datasets
from runs.data.text_index.index_file import TextIndex, TooSlow, readable_text_index
from runs.data.text_index.run_texts import END, texts_at
from runs.data.text_index.searched_runs import RunFacets, facets_of, searched_runs
from runs.data.text_index.text_query import KINDS, UNKNOWN, BadQuery, TextQuery
from runs.data.text_index.text_snippets import Snippet, snippet_of
from runs.models import Run
from runs.presentation.formatting.text import words

PAGE = 20
MAX_COUNT = 10_000  # steps that are counted and can be reached, the newest
MAX_CHOICES = 8  # of a facet
MAX_KIND_STEPS = 100  # the newest, whose kinds are counted
MAX_NAMED_STEPS = 6  # of a run, beside the one that is quoted
MAX_SNIPPET_SECONDS = 0.5  # of a page
TOO_SLOW = "This search takes too long. A rarer word, or a filter, makes it faster."
UNREADABLE = "The texts cannot be searched now: their index is being made again."


@dataclass(frozen=True, slots=True)
class RunSteps:
    """The steps of a run that match, in order. 0 is the end of the run: its tests, or its patch."""

    run: int
    steps: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class TextHit:
    """A run with its first match. `others`: some of its other steps that match; `left`: how many more there are."""

    run: Run
    step: int
    snippet: Snippet | None
    others: tuple[int, ...]
    left: int

    @property
    def href(self) -> str:
        """Where the match is."""
        return address_of(self.run.pk, self.step)


@dataclass(frozen=True, slots=True)
class FacetChoice:
    """One value of a facet: how many of the results have it, whether there are more, and the query for them."""

    label: str
    count: int
    more: bool
    query: str


@dataclass(frozen=True, slots=True)
class Facet:
    """A way to divide the results. `unit`: what is counted. `left`: values with fewer results that are not shown."""

    title: str
    unit: str
    choices: tuple[FacetChoice, ...]
    left: int = 0


@dataclass(frozen=True, slots=True)
class Searched:
    """What was searched: runs that the reader may see, of those that the filters select.

    `waiting`: runs that are not indexed yet; `characters` were searched, `left_out` were not because a limit was
    reached, in `cut` runs.
    """

    runs: int = 0
    waiting: int = 0
    characters: int = 0
    left_out: int = 0
    cut: int = 0

    @property
    def left_out_share(self) -> float:
        """The share of the text that no search finds, 0 to 1."""
        return self.left_out / (self.characters + self.left_out) if self.left_out else 0.0


@dataclass(frozen=True, slots=True)
class TextResults:
    """The runs with a match, the newest first. `more`: other steps match, which are neither counted nor reached.

    `trouble`: why there is no answer, for the reader.
    """

    query: TextQuery
    runs: tuple[RunSteps, ...] = ()
    steps: int = 0
    more: bool = False
    facets: tuple[Facet, ...] = ()
    searched: Searched = field(default_factory=Searched)
    trouble: str = ""


def search_texts(
    query: TextQuery, reader: Reader, *, player: Reader | None = None, facets: bool = True
) -> TextResults:
    """All results of a query among what the reader may see. At most six queries of the database.

    `player`: as in `searched_runs`. BadQuery for a query with filters only. Without a term in it there are no results.
    """
    if not query.match():
        if query.filters:
            raise BadQuery(
                "A filter needs a word beside it that is searched for, such as timeout outcome:unresolved."
            )
        return TextResults(query)
    allowed = facets_of(searched_runs(query, reader, player))
    with readable_text_index() as index:
        if index is None:
            return TextResults(
                query, searched=Searched(0, len(allowed)), trouble=UNREADABLE if allowed else ""
            )
        try:
            return _results(query, reader, allowed, index, facets=facets)
        except TooSlow:
            return TextResults(query, trouble=TOO_SLOW)
        except sqlite3.DatabaseError:
            return TextResults(query, trouble=UNREADABLE)


def hits_of(found: Sequence[RunSteps], query: TextQuery, reader: Reader) -> list[TextHit]:
    """Some of the results with their snippets, those of one page. One query, none without results.

    Reading them ends after half a second: the last ones have no snippet then.
    """
    if not found:
        return []
    deadline = time.monotonic() + MAX_SNIPPET_SECONDS
    named = {run.pk: run for run in visible_runs(reader).filter(pk__in=[each.run for each in found])}
    hits = []
    for each in found:
        run = named.get(each.run)
        if run is None:
            continue
        snippet = snippet_of(texts_at(run, each.steps[0]), query) if time.monotonic() < deadline else None
        others = each.steps[1 : 1 + MAX_NAMED_STEPS]
        hits.append(TextHit(run, each.steps[0], snippet, others, len(each.steps) - 1 - len(others)))
    return hits


def address_of(run: int, step: int) -> str:
    """The page that shows a step of a run, or its end."""
    return reverse("run_end", args=[run]) if step == END else f"{reverse('run', args=[run])}?step={step}"


def _results(
    query: TextQuery, reader: Reader, allowed: Mapping[int, RunFacets], index: TextIndex, *, facets: bool
) -> TextResults:
    indexed = index.runs()
    segments = {indexed[pk].segment: pk for pk in allowed if pk in indexed}
    hits, more = index.hits(query.match(), segments, MAX_COUNT)
    found = tuple(
        sorted((RunSteps(segments[segment], steps) for segment, steps in hits), key=lambda each: -each.run)
    )
    characters = left_out = cut = 0
    for pk in segments.values():
        characters += indexed[pk].characters
        if indexed[pk].left_out:
            left_out += indexed[pk].left_out
            cut += 1
    searched = Searched(len(segments), len(allowed) - len(segments), characters, left_out, cut)
    divided: tuple[Facet | None, ...] = ()
    if facets and found:
        rows = [allowed[each.run] for each in found]
        divided = (*_of_runs(query, rows, reader, more=more), _of_kinds(query, index, hits))
    return TextResults(
        query, found, sum(len(each.steps) for each in found), more, tuple(filter(None, divided)), searched
    )


def _of_runs(
    query: TextQuery, rows: Sequence[RunFacets], reader: Reader, *, more: bool
) -> Iterator[Facet | None]:
    """The facets that count runs. Two queries, for names."""
    outcomes = Counter(row.outcome or UNKNOWN for row in rows)
    yield _facet(query, "outcome", outcomes, {outcome: words(outcome) for outcome in outcomes}, more=more)
    agents = Counter(row.agent for row in rows)
    names = {
        pk: (slug, name)
        for pk, slug, name in visible_agents(reader).filter(pk__in=agents).values_list("pk", "slug", "name")
    }
    by_slug = Counter({names[pk][0]: count for pk, count in agents.items() if pk in names})
    yield _facet(query, "agent", by_slug, dict(names.values()), more=more)
    boards = Counter(row.dataset for row in rows)
    titles = dict(visible_datasets(reader).filter(slug__in=boards).values_list("slug", "title"))
    yield _facet(query, "board", boards, titles, more=more)


def _of_kinds(
    query: TextQuery, index: TextIndex, hits: Sequence[tuple[int, tuple[int, ...]]]
) -> Facet | None:
    """How many of the newest steps match in each kind of text alone. None if the query names kinds.

    None also with beginnings of words, which would be looked up again for each kind.
    """
    if len(query.kinds) < len(KINDS) or any(term.prefix for term in (*query.terms, *query.without)):
        return None
    newest: dict[int, int] = {}
    for segment, steps in hits:
        if sum(newest.values()) < MAX_KIND_STEPS:
            newest[segment] = len(steps)
    counts = {kind: index.count(query.match((kind,)), newest, MAX_COUNT) for kind in KINDS}
    choices = tuple(
        FacetChoice(kind, count, more=False, query=str(query.only("kind", kind)))
        for kind, count in sorted(counts.items(), key=lambda item: -item[1])
        if count
    )
    unit = f"of the newest {sum(newest.values()):,} steps" if len(newest) < len(hits) else "steps"
    return Facet("kind", unit, choices) if len(choices) > 1 else None


def _facet(
    query: TextQuery, name: str, counts: Counter[str], labels: Mapping[str, str], *, more: bool
) -> Facet | None:
    """None if all results have the same value."""
    if len(counts) < 2:
        return None
    shown = counts.most_common(MAX_CHOICES)
    choices = tuple(
        FacetChoice(labels.get(value, value), count, more, str(query.only(name, value)))
        for value, count in shown
    )
    return Facet(name, "runs", choices, len(counts) - len(shown))
