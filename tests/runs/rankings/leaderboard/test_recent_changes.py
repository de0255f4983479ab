"""What changed on the boards, the newest first."""

from __future__ import annotations

from datetime import date

import pytest
from django.test import Client

from runs.data.cells.boards import BoardEntry, Boards, all_boards
from runs.models import ResultReport
from runs.rankings.leaderboard.recent_changes import MAX_CHANGES, recent_changes
from tests.runs.cast import Cast

pytestmark = pytest.mark.django_db


def board(name: str, day: date | None, *, competitors: int = 2, reported_by: str = "") -> BoardEntry:
    return BoardEntry(
        name, name, reported_by, frozenset(), competitors, tasks=1, attempts=1, tested=0, day=day
    )


def test_the_newest_boards_with_competitors_come_first() -> None:
    days = [date(2026, 1, day) for day in range(1, MAX_CHANGES + 3)]
    boards = [board(f"b{day.day}", day) for day in days]
    without = [board("none", date(2026, 2, 1), competitors=0), board("undated", None)]

    found = recent_changes(Boards((*boards, *without)))

    assert [change.board.dataset for change in found] == [f"b{day.day}" for day in days[:1:-1]]
    assert found[0].sentence == "the newest run here; 2 agents so far"
    assert recent_changes(Boards(())) == ()


def test_a_new_version_of_a_source_names_the_one_before() -> None:
    cast = Cast()
    lab = board("ports", date(2026, 3, 1), reported_by="The Lab", competitors=1)
    assert recent_changes(Boards((lab,)))[0].sentence == "1 agent"

    ResultReport.objects.create(evaluation=cast.evaluation, dataset=cast.dataset, version="v1", digest="1")
    assert recent_changes(Boards((lab,)))[0].sentence == "1 agent in version v1 of The Lab"

    newer = cast.add_evaluation("newer", "Newer")
    ResultReport.objects.create(evaluation=newer, dataset=cast.dataset, version="v2\n<b>", digest="2")
    cast.evaluation.listed = False
    cast.evaluation.save()
    sentence = recent_changes(Boards((lab,)))[0].sentence
    assert sentence == "version v2 <b> of The Lab, with 1 agent, in place of v1"


def test_the_first_page_lists_them_and_leads_to_the_feed(client: Client) -> None:
    cast = Cast()
    cast.add_cell(cast.alice(), cast.add_tasks(1)[0], [5])
    cast.settle()

    page = client.get("/").content.decode()

    assert len(recent_changes(all_boards())) == 1
    assert "What changed" in page
    assert '<a class="push faint" href="/changes/">All changes</a>' in page
    assert '<a href="/feed.atom">Feed</a>' in page
    assert "Why believe it" in page
