"""The index is kept up to date, and made again if it is lost."""

from __future__ import annotations

import pytest
from django.utils import timezone

from runs.data.text_index import indexing
from runs.data.text_index.index_file import forget_text_index, text_index, text_index_path
from runs.data.text_index.indexing import (
    changes_of_runs,
    index_run,
    index_some,
    indexing_state,
    rebuild_text_index,
)
from runs.models import Run
from tests.runs.data.text_index.searching import Library, found, steps, write

pytestmark = pytest.mark.django_db


def test_a_run_is_indexed_once_and_again_when_its_record_is_another(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = library.bob[0]
    assert steps("ECONNREFUSED connect") == {run.pk: (2,)}
    assert not index_run(run.pk)
    assert index_some(60) == 0
    before = changes_of_runs()
    run.steps, run.directory = 9, run.directory.replace("try-1", "try-2")
    run.finished_at = timezone.now()
    run.save()
    write(run, "it grew: anchor")
    assert changes_of_runs() != before
    with text_index() as index:
        assert indexing_state(index).due == (run.pk,)
    assert index_run(run.pk)
    assert (steps("ECONNREFUSED connect"), steps("it grew")) == ({}, {run.pk: (2,)})


def test_runs_that_are_not_over_have_no_directory_or_are_gone_are_not_indexed(library: Library) -> None:
    Run.objects.filter(pk=library.bob[0].pk).update(state=Run.State.RUNNING)
    Run.objects.filter(pk=library.bob[1].pk).update(directory="")
    library.alice[0].delete()
    assert not index_run(library.bob[0].pk)
    assert index_some(60) == 0
    with text_index() as index:
        assert list(index.runs()) == [library.alice[1].pk]


def test_the_oldest_runs_come_first_and_the_rest_is_said_to_be_missing(library: Library) -> None:
    forget_text_index()
    assert index_some(0) == 3
    results = found("ECONNREFUSED")
    assert (results.searched.runs, results.searched.waiting, results.runs) == (1, 3, ())
    assert index_some(60) == 0
    assert found("ECONNREFUSED").searched.waiting == 0


def test_a_damaged_index_is_made_again(library: Library) -> None:
    text_index_path().write_bytes(b"SQLite format 3\0" + b"x" * 9_000)
    assert (
        found("ECONNREFUSED").trouble == "The texts cannot be searched now: their index is being made again."
    )
    assert not index_run(library.bob[0].pk)
    while index_some(60):
        pass
    assert len(found("ECONNREFUSED").runs) == 2


def test_an_index_of_which_most_belongs_to_no_run_is_made_again(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(indexing, "MAX_LEFT_BEHIND", 0.1)
    library.bob[0].delete()
    assert index_some(60) == 0
    with text_index() as index:
        assert index.left_behind() > 0.1
    assert index_some(60) == 0
    with text_index() as index:
        assert (index.left_behind(), len(index.runs())) == (0, 3)


def test_a_rebuilt_index_says_how_large_it_is(library: Library) -> None:
    made = rebuild_text_index()
    assert (made.runs, made.left_out) == (4, 0)
    assert made.size == text_index_path().stat().st_size
    assert made.characters > 400
    assert len(found("ECONNREFUSED").runs) == 2
