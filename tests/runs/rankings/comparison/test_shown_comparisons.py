"""Comparisons are turned to the runs of the page, whichever was their first, and equal ones are shown once."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from runs.models import Run, RunComparison
from runs.rankings.comparison.shown_comparisons import ShownComparison, comparisons_of
from tests.runs.cast import Cast
from tests.runs.panels import add_comparison, add_order, add_panel, add_pass

pytestmark = pytest.mark.django_db


@pytest.fixture
def pair() -> tuple[Run, Run]:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    add_panel(cast.add_model("Bench"))
    return cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)


def compared(
    pair: tuple[Run, Run], slug: str = "one", dimension: str = "end_result", **more: object
) -> RunComparison:
    from runs.models import PanelJudge

    judge = PanelJudge.objects.get()
    return add_comparison(add_pass(judge, slug), judge, pair, dimension, **more)


def shown(one: Run, two: Run) -> list[ShownComparison]:
    return comparisons_of(one, two, AnonymousUser())


def test_in_the_other_order_scores_winners_and_quotes_are_turned(pair: tuple[Run, Run]) -> None:
    alice, bob = pair
    row = compared(pair)
    add_order(row, 1, -3)
    add_order(row, 2, -1)

    (here,), (there,) = shown(alice, bob), shown(bob, alice)

    assert (here.score, here.winner, there.score, there.winner, there.points) == (-3, "A", 3, "B", 3)
    assert [(order.first, order.score) for order in here.orders] == [("A", -3), ("B", -1)]
    assert [(order.first, order.score) for order in there.orders] == [("B", 3), ("A", 1)]
    (line,) = there.orders[0].lines
    assert (line.winner, line.label, line.run) == ("B", "B", alice)


def test_equal_ones_of_several_passes_are_shown_once_by_dimension(pair: tuple[Run, Run]) -> None:
    compared(pair, "one", "tool_calls", key="1" * 32)
    latest = compared(pair, "two", "tool_calls", key="1" * 32)
    first = compared(pair, "three", state=RunComparison.State.MALFORMED, score=None)

    assert [each.row.pk for each in shown(*pair)] == [first.pk, latest.pk]
    assert shown(*pair)[0].winner == ""


def test_open_ones_and_those_of_earlier_tries_are_left_out(pair: tuple[Run, Run]) -> None:
    compared(pair, "one", state=RunComparison.State.QUEUED, score=None)
    compared(pair, "two", try_two=7)
    assert shown(*pair) == []
