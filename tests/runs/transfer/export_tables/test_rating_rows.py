"""Ratings in exports."""

from __future__ import annotations

from datetime import UTC, datetime

from django.contrib.auth.models import User

from runs.models import Run
from runs.transfer.export_tables.rating_rows import RATING_COLUMNS, rating_batches
from tasks.loading import hide
from tests.runs.cast import Cast
from tests.runs.panels import add_rating


def test_a_row_for_each_score_under_a_pseudonym_newest_run_first(cast: Cast) -> None:
    agent = cast.alice()
    first, second = (cast.add_run(agent, task) for task in cast.add_tasks(2))
    add_rating(
        first,
        rater=User.objects.create_user("ada-lovelace"),
        text="Why.",
        evidence=[{"quote": "The tide.", "found_step": 2}, {"quote": "+++ b/tide.py", "found_step": None}],
        created_at=datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC),
    )
    add_rating(first, round=2, score=1.0)
    add_rating(second, "tool_calls", rater_name="p-bea", score=0.0)

    rows = [row for batch in rating_batches(Run.objects.all(), 1) for row in batch]

    assert [(row["run"], row["rater"], row["dimension"], row["round"], row["score"]) for row in rows] == [
        (second.pk, "p-bea", "tool_calls", 1, 0.0),
        (first.pk, "p-ada", "pitfalls", 1, 0.5),
        (first.pk, "p-ada", "pitfalls", 2, 1.0),
    ]
    assert list(rows[1]) == [column.name for column in RATING_COLUMNS]
    assert (rows[1]["text"], rows[0]["text"]) == ("Why.", None)
    assert (rows[1]["quotes"], rows[1]["quote_steps"]) == (["The tide.", "+++ b/tide.py"], [2, 0])
    assert (rows[1]["seconds"], rows[1]["rated_at"]) == (60.0, "2026-01-02T03:04:05Z")
    assert "lovelace" not in repr(rows)


def test_runs_without_ratings_and_ratings_of_hidden_datasets_have_no_row(cast: Cast) -> None:
    for task in cast.add_tasks(2):
        run = cast.add_run(cast.add_agent(task.slug), task)
    add_rating(run)
    assert [len(batch) for batch in rating_batches(Run.objects.all())] == [1]
    hide(cast.dataset, hidden=True)
    assert not [row for batch in rating_batches(Run.objects.all()) for row in batch]
