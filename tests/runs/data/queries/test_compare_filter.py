"""The address of a comparison: which agents, and over which tasks."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from runs.data.queries.compare_filter import MAX_COUNT, compare_query
from runs.data.queries.filters import BoardChoices, CellFilter
from runs.data.queries.parameters import BadParameter


def test_two_agents_are_a_and_b() -> None:
    found = compare_query(QueryDict("b=bob&a=alice&repository=harbour"))

    assert (found.agents, found.first, found.second, found.same) == (("alice", "bob"), "alice", "bob", False)
    assert found.chosen == CellFilter(repository="harbour")
    assert found.address() == "a=alice&b=bob&repository=harbour"
    assert found.unfiltered == "a=alice&b=bob"


def test_more_agents_are_named_one_by_one_each_once() -> None:
    found = compare_query(QueryDict("a=alice&agent=bob&agent=carol&agent=alice&agent="))

    assert found.agents == ("alice", "bob", "carol")
    assert found.address() == "agent=alice&agent=bob&agent=carol"


def test_an_agent_may_be_missing_or_be_compared_with_itself() -> None:
    none, one, same = (compare_query(QueryDict(query)) for query in ("", "b=bob", "a=bob&b=bob"))

    assert (none.first, none.second, none.address()) == ("", "", "")
    assert (one.first, one.second, one.same) == ("bob", "", False)
    assert (same.agents, same.first, same.second, same.same) == (("bob",), "bob", "bob", True)
    assert not compare_query(QueryDict("a=bob&b=bob&agent=carol")).same


def test_filters_of_agents_are_ignored_as_the_address_names_the_agents() -> None:
    found = compare_query(QueryDict("a=alice&kind=ide&weights=ajar&difficulty=hard"))

    assert found.filters() == {"difficulty": "hard"}


def test_filters_are_named_by_their_titles() -> None:
    choices = BoardChoices((("ports", "Ports"),), (("harbour", "Harbour master"),), (), (), ())
    found = compare_query(QueryDict("dataset=gone&repository=harbour&difficulty=hard"))

    assert found.filters_in_words(choices) == [
        "dataset: gone",
        "repository: Harbour master",
        "difficulty: hard",
    ]


def test_the_matrix_has_a_limit() -> None:
    names = [f"agent={number}" for number in range(MAX_COUNT + 1)]

    assert len(compare_query(QueryDict("&".join(names[:MAX_COUNT]))).agents) == MAX_COUNT
    with pytest.raises(BadParameter) as refused:
        compare_query(QueryDict("&".join(names)))
    assert str(refused.value) == "agent='12' is invalid; allowed: one of at most 12 agents"
