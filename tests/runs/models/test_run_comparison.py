"""A comparison goes with either of its runs, and is there once for each judge, dimension and sample of a pass."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from runs.models import ComparisonLine, ComparisonOrder, RunComparison
from runs.models.open_rows import without_hidden
from tests.runs.cast import Cast
from tests.runs.panels import add_comparison, add_order, add_panel, add_pass

pytestmark = pytest.mark.django_db


def test_it_is_unique_and_deleted_with_its_second_run() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    pair = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    order = add_order(add_comparison(started, judge, pair), 2, 3)
    with pytest.raises(IntegrityError), transaction.atomic():
        add_comparison(started, judge, pair)
    assert str(order.comparison) == f"end_result of runs {pair[0].pk} and {pair[1].pk} by {judge.pk}"
    assert (str(order), str(order.lines.get())) == ("run 2 first", "verification")

    pair[1].delete()
    assert not RunComparison.objects.exists()


def test_it_is_hidden_if_one_of_its_runs_is() -> None:
    cast = Cast()
    open_run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    hidden = cast.add_run(cast.bob(), cast.add_hidden_task())
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    for dimension, pair in (("end_result", (open_run, hidden)), ("pitfalls", (hidden, open_run))):
        add_order(add_comparison(started, judge, pair, dimension), 1, -3)

    for model in (RunComparison, ComparisonOrder, ComparisonLine):
        assert model.objects.count() == 2
        assert not without_hidden(model.objects.all()).exists()
