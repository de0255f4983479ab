"""Which run a person rates next."""

from __future__ import annotations

from collections import Counter

from django.contrib.auth.models import User

from runs.judging.raters.next_rating import OTHERS_BETWEEN, next_rating
from runs.judging.raters.rater_names import rater_name
from runs.models import Run
from tasks.loading import hide
from tests.runs.cast import Cast, record
from tests.runs.panels import add_panel, add_pass, add_rating, add_review
from tests.runs.roles import rater


def many(cast: Cast, count: int) -> list[Run]:
    """Recorded runs of one agent at so many tasks."""
    agent = cast.alice()
    runs = [cast.add_run(agent, task) for task in cast.add_tasks(count)]
    for run in runs:
        record(run)
    return runs


def rate(user: User) -> tuple[int, int]:
    """Rates the next run; returns its number and the round."""
    found = next_rating(user)
    assert found is not None
    add_rating(found.run, round=found.round, rater=user, rater_name=rater_name(user))
    return found.run.pk, found.round


def test_runs_with_reviews_come_first(cast: Cast, ada: User) -> None:
    runs = many(cast, 6)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    add_review(started, judge, runs[3])
    add_review(started, judge, runs[4], state="malformed", score=None)

    assert rate(ada) == (runs[3].pk, 1)
    assert rate(ada)[0] in {run.pk for run in runs if run != runs[3]}


def test_the_same_run_comes_until_it_is_rated(cast: Cast, ada: User) -> None:
    many(cast, 5)
    chosen = {found.run.pk for _ in range(5) if (found := next_rating(ada))}
    assert len(chosen) == 1


def test_agents_have_the_same_chance_whatever_the_number_of_their_runs(cast: Cast) -> None:
    runs = many(cast, 9)
    record(cast.add_run(cast.bob(), runs[0].task))

    drawn = Counter(
        found.run.agent.slug for number in range(60) if (found := next_rating(rater(f"rater-{number}")))
    )

    assert drawn.total() == 60
    assert 18 <= drawn["bob"] <= 42  # with equal chances, all but one in a thousand times


def test_after_five_others_the_first_run_comes_again_once(cast: Cast, ada: User) -> None:
    many(cast, 13)

    order = [rate(ada) for _ in range(13)]

    rounds = [number for _, number in order]
    assert rounds == [1] * (OTHERS_BETWEEN + 1) + [2] + [1] * OTHERS_BETWEEN + [2]
    assert [order[6][0], order[12][0]] == [order[0][0], order[1][0]]


def test_without_new_runs_the_remaining_repeats_come_and_then_nothing(cast: Cast, ada: User) -> None:
    many(cast, 7)
    order = [rate(ada) for _ in range(8)]  # seven runs and the first repeat

    rest = []
    while found := next_rating(ada):
        rest.append(rate(ada))
        assert found.round == 2

    assert [run for run, _ in rest] == [order[place][0] for place in (1, 2, 3, 4, 5, 7)]


def test_what_cannot_be_read_or_has_no_verdict_is_left_out(cast: Cast, ada: User) -> None:
    (lost, _, odd) = many(cast, 3)
    (lost.path / "trajectory.jsonl").unlink()
    (odd.path / "trajectory.jsonl").write_text("{")
    cast.add_run(cast.bob(), lost.task, state=Run.State.RUNNING, outcome="", ending="")

    first = rate(ada)[0]

    assert first not in {lost.pk, odd.pk}
    assert next_rating(ada) is None


def test_a_run_of_a_hidden_dataset_is_for_those_who_may_see_it(cast: Cast, ada: User) -> None:
    many(cast, 1)
    hide(cast.dataset, hidden=True)
    assert next_rating(ada) is None
    assert next_rating(User.objects.create_superuser("root")) is not None
