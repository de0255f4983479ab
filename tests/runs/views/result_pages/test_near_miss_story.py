"""The near miss on the first page: four frames, linked to the replay."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from runs.models import PlaySession
from runs.views.result_pages.near_miss_story import near_miss_story
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.played import player

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    """Alice passes four of five tests of one task, with a record."""
    cast = Cast()
    (task,) = cast.add_tasks(1)
    run = cast.add_run(
        cast.alice(), task, passed=4, files_changed=1, lines_added=1, lines_removed=1, steps=10
    )
    record(run, messages={"tests/test_tide.py::test_neap": "secret noon"})
    cast.settle()
    return cast


def test_its_frames_are_the_task_the_work_the_last_edit_and_what_failed(cast: Cast, client: Client) -> None:
    story = near_miss_story("ports", AnonymousUser())
    page = compact(client.get("/").content.decode())

    assert story is not None
    assert [(line.sign, line.text) for line in story.lines] == [
        ("−", "    return 0"),
        ("+", "    return hour % 12"),
    ]
    assert (story.missing, len(story.failed), story.more) == (1, 1, 0)
    address = story.run.get_absolute_url()
    assert "One test short" in page
    assert '<a class="push" href="/near-misses/?dataset=ports">All near misses</a>' in page
    assert "took 10 steps and changed 1 file" in page
    assert f'<a href="{address}#step-{story.last.step}">' in page
    assert f"<code>{story.failed[0].id}</code>" in page
    assert f'<a class="btn" href="{address}">Replay the run</a>' in page
    assert "secret noon" not in page


def test_it_stands_below_the_best_agents_or_else_below_the_table(cast: Cast, client: Client) -> None:
    alone = client.get("/").content.decode()
    assert alone.index('class="all"') < alone.index("One test short") < alone.index("Why believe it")

    for task in cast.repository.tasks.all():
        cast.add_run(cast.bob(), task)
    cast.settle()

    page = client.get("/").content.decode()
    assert page.index("Best by tasks solved") < page.index("One test short") < page.index("Why believe it")
    assert page.index("Why believe it") < page.index('class="all"')


def test_another_board_tells_it_too_and_a_record_that_is_gone_is_not_told(cast: Cast, client: Client) -> None:
    assert near_miss_story("nowhere", AnonymousUser()) is not None

    (cast.evaluation.runs.get().path / "edits.jsonl").unlink()

    assert near_miss_story("ports", AnonymousUser()) is None
    assert "story-heading" not in client.get("/").content.decode()


def test_who_plays_its_task_does_not_see_it(cast: Cast) -> None:
    petra = player("petra")
    told = cast.evaluation.runs.get()
    own = cast.add_run(cast.add_agent("Person", "person"), told.task, state="running", outcome="")
    PlaySession.objects.create(user=petra, run=own, pseudonym="p-petra")

    assert near_miss_story("ports", petra) is None
