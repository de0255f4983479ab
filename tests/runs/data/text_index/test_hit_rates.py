"""The counts of a search for each agent."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.analysis.statistics.intervals import wilson
from runs.data.queries.visibility import ANONYMOUS
from runs.data.text_index.hit_rates import HitRates, hit_rates
from runs.data.text_index.index_file import forget_text_index
from runs.data.text_index.text_query import BadQuery, TextQuery
from runs.data.text_index.text_search import UNREADABLE
from runs.models import Run
from tests.runs.data.text_index.searching import Library

pytestmark = pytest.mark.django_db


def rates(q: str) -> HitRates:
    """The counts among what everybody may see."""
    return hit_rates(TextQuery.parse(q), ANONYMOUS)


def test_each_agent_has_its_share_with_an_interval_and_by_outcome(
    library: Library, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(
        7
    ):  # five of them for the boards, which are read once in a process elsewhere
        counted = rates("ECONNREFUSED")
    assert (counted.hits, counted.searched, counted.waiting) == (2, 4, 0)
    assert counted.outcomes == (("resolved", 0, 1), ("unresolved", 2, 3))
    alice, bob = counted.agents
    assert [(row.agent.name, row.board, row.hits, row.searched) for row in (alice, bob)] == [
        ("Alice", "Ports", 1, 2),
        ("Bob", "Ports", 1, 2),
    ]
    assert (alice.share.value, alice.share.n, alice.share.interval) == (0.5, 2, wilson(0.5, 2))
    assert [(of.outcome, of.hits, of.searched, of.share.value) for of in alice.outcomes] == [
        ("resolved", 0, 1, 0.0),
        ("unresolved", 1, 1, 1.0),
    ]
    assert [(of.outcome, of.searched, of.share.value) for of in bob.outcomes] == [
        ("resolved", 0, None),
        ("unresolved", 2, 0.5),
    ]
    assert alice.query == "ECONNREFUSED agent:alice board:ports"
    assert alice.outcomes[1].query == "ECONNREFUSED agent:alice board:ports outcome:unresolved"


def test_only_runs_that_count_are_counted(library: Library) -> None:
    trial = library.cast.add_evaluation("trial", "Trial", listed=False)
    Run.objects.filter(pk=library.bob[0].pk).update(evaluation=trial)
    Run.objects.filter(pk=library.bob[1].pk).update(outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    assert (rates("npm").searched, [row.agent.name for row in rates("npm").agents]) == (2, ["Alice"])
    Run.objects.filter(pk=library.bob[1].pk).update(outcome="")
    assert (rates("npm").searched, [row.agent.name for row in rates("npm").agents]) == (2, ["Alice"])


def test_what_cannot_be_counted_says_why(library: Library) -> None:
    with pytest.raises(BadQuery, match="need a word"):
        rates("outcome:resolved")
    forget_text_index()
    counted = rates("npm")
    assert (counted.trouble, counted.waiting, counted.agents) == (UNREADABLE, 4, ())
