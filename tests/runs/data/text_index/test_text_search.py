"""What a search finds: runs, steps, counts and what was not searched."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from runs.data.queries.visibility import ANONYMOUS
from runs.data.text_index import index_file, text_search
from runs.data.text_index.index_file import forget_text_index
from runs.data.text_index.text_query import BadQuery, TextQuery
from runs.data.text_index.text_search import address_of, hits_of
from runs.models import Run
from tests.runs.data.text_index.searching import Library, found, steps

pytestmark = pytest.mark.django_db


def test_words_phrases_exclusions_kinds_and_filters(library: Library) -> None:
    (a, b), (c, d) = library.alice, library.bob
    cases: dict[str, dict[Run, tuple[int, ...]]] = {
        "econnrefused": {b: (2,), c: (2,)},
        "ECONNREFUSED outcome:unresolved agent:bob": {c: (2,)},
        "connection refused": {c: (3,), d: (2,)},
        '"connection refused"': {c: (3,)},
        "connection -peer": {d: (2,)},
        "127.0.0.1": {b: (2,)},
        "foo_bar.baz": {d: (2,)},
        "bar": {},
        "conn* kind:output": {a: (3,), c: (2, 3), d: (2,)},
        "database kind:message": {b: (2,)},
        "database kind:output": {},
        "left_pad kind:command outcome:resolved": {a: (2, 3)},
        "src/port.py kind:path agent:alice": {a: (4,), b: (3,)},
        "anchored kind:patch agent:alice": {a: (4,), b: (3,)},
        "test_neap kind:test": {b: (0,), c: (0,), d: (0,)},
        "AssertionError": {},
    }
    for q, expected in cases.items():
        assert steps(q) == {run.pk: places for run, places in expected.items()}, q


def test_results_are_counted_by_outcome_agent_and_kind(
    library: Library, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        results = found("conn*")
    assert [each.run for each in results.runs] == sorted((run.run for run in results.runs), reverse=True)
    assert (len(results.runs), results.steps, results.more) == (3, 4, False)
    shown = {
        facet.title: [(choice.label, choice.count, choice.query) for choice in facet.choices]
        for facet in results.facets
    }
    assert shown == {
        "outcome": [("unresolved", 2, "conn* outcome:unresolved"), ("resolved", 1, "conn* outcome:resolved")],
        "agent": [("Bob", 2, "conn* agent:bob"), ("Alice", 1, "conn* agent:alice")],
    }
    kinds = found("npm").facets[-1]
    assert (kinds.unit, [(choice.label, choice.count, choice.query) for choice in kinds.choices]) == (
        "steps",
        [("command", 6, "npm kind:command"), ("output", 1, "npm kind:output")],
    )
    assert results.searched.runs == 4


def test_a_common_word_is_counted_up_to_a_limit_of_its_newest_steps(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(text_search, "MAX_COUNT", 4)
    results = found("npm")
    assert (results.steps, results.more) == (4, True)
    assert [each.run for each in results.runs] == [
        run.pk for run in (*reversed(library.bob), library.alice[1])
    ]
    agents = {choice.label: (choice.count, choice.more) for choice in results.facets[0].choices}
    assert agents == {"Bob": (2, True), "Alice": (1, True)}
    monkeypatch.setattr(text_search, "MAX_KIND_STEPS", 4)
    monkeypatch.setattr(text_search, "MAX_COUNT", 99)
    kinds = found("npm").facets[-1]
    assert (kinds.unit, [(choice.label, choice.count) for choice in kinds.choices]) == (
        "of the newest 4 steps",
        [("command", 4), ("output", 1)],
    )


def test_a_hit_has_its_place_a_snippet_and_the_other_steps(
    library: Library, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    query = TextQuery.parse("npm kind:command outcome:resolved")
    results = found(str(query))
    with django_assert_num_queries(1):
        (hit,) = hits_of(results.runs, query, ANONYMOUS)
    assert hit.snippet is not None
    assert (hit.run, hit.step, hit.others, hit.left) == (library.alice[0], 2, (3,), 0)
    assert (hit.snippet.kind, hit.snippet.text) == (
        "command",
        "run_terminal_cmd To see. npm install left_pad",
    )
    assert hit.href == address_of(hit.run.pk, 2) == f"/runs/{hit.run.pk}/?step=2"
    assert address_of(7, 0) == "/runs/7/end/"


def test_what_cannot_be_answered_says_why(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(BadQuery, match="A filter needs a word beside it"):
        found("outcome:resolved")
    assert found("...").runs == ()
    with monkeypatch.context() as patch:
        patch.setattr(index_file, "MAX_SECONDS", -1)
        patch.setattr(index_file, "_INSTRUCTIONS", 1)
        assert found("npm").trouble == text_search.TOO_SLOW
    forget_text_index()
    assert found("npm").trouble == text_search.UNREADABLE
    assert found("npm").searched.waiting == 4
