"""The pace of an evaluation and its end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from runs.analysis.estimate import Estimate
from runs.models import Evaluation, Run
from runs.work.progress.pace import Pace, pace_of, taken
from tests.runs.cast import Cast

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def ended(cast: Cast, count: int, ago: timedelta, evaluation: Evaluation) -> None:
    """So many runs that took a minute and ended so long ago."""
    agent, task = cast.alice(), cast.add_tasks(1)[0]
    end = timezone.now() - ago
    for attempt in range(1, count + 1):
        cast.add_run(
            agent,
            task,
            attempt,
            evaluation=evaluation,
            started_at=end - timedelta(minutes=1),
            finished_at=end,
        )


@pytest.mark.django_db
def test_a_running_evaluation_has_a_pace_and_an_end(cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    ended(cast, 12, timedelta(minutes=4, seconds=30), evaluation)

    found = pace_of(evaluation, Run.objects.all(), finished=12, remaining=6)

    # Twelve runs in the five and a half minutes since the first start.
    assert found.overall.value == pytest.approx(12 / 5.5, rel=0.01)
    assert found.lately.value == pytest.approx(12 / 5.5, rel=0.01)
    assert found.left.value == pytest.approx(5.5 * 60 / 12 * 6, rel=0.01)
    assert found.end is not None
    assert abs(found.end - timezone.now() - timedelta(seconds=165)) < timedelta(seconds=10)
    assert found.minutes == (*[0] * 25, 12, 0, 0, 0, 0)
    assert found.most == 12


@pytest.mark.django_db
def test_a_run_of_an_hour_ago_is_in_no_minute(cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    ended(cast, 3, timedelta(hours=1), evaluation)
    found = pace_of(evaluation, Run.objects.all(), finished=3, remaining=0)
    assert found.minutes == (0,) * 30
    assert (found.lately.value, found.left.value) == (0.0, 0.0)


@pytest.mark.django_db
def test_nothing_is_expected_of_an_evaluation_that_is_over(cast: Cast) -> None:
    ended(cast, 2, timedelta(minutes=1), cast.evaluation)
    found = pace_of(cast.evaluation, Run.objects.all(), finished=2, remaining=1)
    assert found.overall == Estimate(2.0, 2)
    assert found.lately == found.left == Estimate.unknown("it is over")
    assert (found.minutes, found.end, found.took) == ((), None, timedelta(minutes=1))


@pytest.mark.django_db
def test_before_any_start_it_is_too_early_to_say(cast: Cast) -> None:
    evaluation = cast.add_evaluation("neap", "Neap", state=Evaluation.State.RUNNING)
    found = pace_of(evaluation, evaluation.runs.all(), finished=0, remaining=5)
    assert found.overall == found.lately == found.left == Estimate.unknown("too early to say")
    assert (found.end, found.took) == (None, None)


@pytest.mark.parametrize(
    ("state", "first", "last", "expected"),
    [
        (Evaluation.State.RUNNING, 0, 20, timedelta(minutes=30)),
        (Evaluation.State.RUNNING, None, None, None),
        (Evaluation.State.FINISHED, 0, 20, timedelta(minutes=20)),
        (Evaluation.State.CANCELLED, 5, None, None),
        (Evaluation.State.FINISHED, 20, 0, timedelta()),
    ],
)
def test_it_took_from_the_first_start_to_the_last_end_or_to_now(
    state: Evaluation.State, first: int | None, last: int | None, expected: timedelta | None
) -> None:
    start, end = (None if minute is None else NOON + timedelta(minutes=minute) for minute in (first, last))
    assert taken(Evaluation(state=state), start, end, NOON + timedelta(minutes=30)) == expected


def test_bars_are_as_high_as_the_busiest_minute_allows() -> None:
    nothing = Estimate.unknown("too early to say")
    found = Pace(nothing, nothing, (0, 4, 2), nothing, None, None)
    assert found.bars == ((0, 27.0, 1.0), (4, 0.0, 28.0), (8, 14.0, 14.0))
    assert Pace(nothing, nothing, (0,), nothing, None, None).bars == ((0, 27.0, 1.0),)
    assert Pace(nothing, nothing, (), nothing, None, None).bars == ()
