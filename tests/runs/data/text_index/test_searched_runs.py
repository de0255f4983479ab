"""Filters select runs, and nobody searches what they may not see."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from runs.data.queries.visibility import ANONYMOUS
from runs.data.text_index.indexing import index_some
from runs.data.text_index.searched_runs import facets_of, searched_runs
from runs.data.text_index.text_query import TextQuery
from runs.models import Run
from runs.models.evaluation import FAULT_CATALOGUE
from tests.runs.cast import Cast
from tests.runs.data.queries.test_blind_sessions import start
from tests.runs.data.text_index.searching import Library, steps, write
from tests.runs.roles import OPERATORS, member

pytestmark = pytest.mark.django_db


def selected(q: str, library: Library) -> str:
    """The runs that a query selects, by letters: A and B of Alice, C and D of Bob."""
    runs = set(searched_runs(TextQuery.parse(q), ANONYMOUS).values_list("pk", flat=True))
    names = zip("ABCD", [*library.alice, *library.bob], strict=True)
    return "".join(name for name, run in names if run.pk in runs)


def test_filters_name_objects_exactly_or_by_a_part_of_their_name(library: Library) -> None:
    Run.objects.filter(pk=library.bob[1].pk).update(outcome="")
    for q, expected in {
        "x": "ABCD",
        "outcome:resolved": "A",
        "outcome:unknown": "D",
        "outcome:resolved outcome:unresolved": "ABC",
        "-outcome:unresolved": "AD",
        "agent:alice": "AB",
        "agent:ALI": "AB",
        "-agent:alice": "CD",
        "agent:nobody": "",
        "model:babbage": "CD",
        "task:tide-1": "AC",
        "task:harbour/tide-2": "BD",
        'task:"Tide 2"': "BD",
        "repository:harbour": "ABCD",
        "board:ports": "ABCD",
        "board:ports.removed": "",
        "board:starter": "",
        "agent:bob task:tide-2 outcome:unknown": "D",
    }.items():
        assert selected(q, library) == expected, q
    facets = facets_of(searched_runs(TextQuery.parse("agent:bob"), ANONYMOUS))
    assert [(row.outcome, row.dataset) for row in facets.values()] == [("", "ports"), ("unresolved", "ports")]


def test_a_hidden_dataset_is_searched_by_those_who_may_see_it_only(library: Library) -> None:
    secret = library.cast.add_run(library.alice[0].agent, library.cast.add_hidden_task())
    write(secret, "xyzzy")
    index_some(60)
    assert steps("xyzzy") == {}
    assert steps("xyzzy", User.objects.create_user("reader")) == {}
    assert steps("xyzzy", member("operator", OPERATORS)) == {secret.pk: (2,)}


def test_the_fault_catalogue_is_searched_by_nobody(library: Library) -> None:
    faulty = library.cast.add_evaluation("faults", "Faults", origin=FAULT_CATALOGUE)
    Run.objects.filter(pk=library.bob[0].pk).update(evaluation=faulty)
    assert list(steps("ECONNREFUSED")) == [library.alice[1].pk]
    assert list(steps("ECONNREFUSED", member("operator", OPERATORS))) == [library.alice[1].pk]


def test_who_plays_a_task_finds_nothing_of_what_others_did_there() -> None:
    playing = start(Cast())
    player = playing.session.user
    assert player is not None
    runs = {
        reader: set(searched_runs(TextQuery(), reader).values_list("pk", flat=True))
        for reader in (ANONYMOUS, player)
    }
    assert {playing.theirs.pk, playing.other.pk, playing.elsewhere.pk} <= runs[ANONYMOUS]
    assert runs[player] == {playing.elsewhere.pk}
    as_program = searched_runs(TextQuery(), ANONYMOUS, player)
    assert set(as_program.values_list("pk", flat=True)) == {playing.elsewhere.pk}
