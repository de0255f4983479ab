"""A summary is there once for each dimension of a topic, and is hidden with its dataset."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from runs.models import FAULT_CATALOGUE, JudgeSummary, SummaryGroup, SummarySource
from runs.models.open_rows import without_hidden
from tests.runs.cast import Cast
from tests.runs.panels import add_panel, add_pass, add_summary

pytestmark = pytest.mark.django_db
KINDS = (JudgeSummary, SummarySource, SummaryGroup)


def test_it_is_unique_with_and_without_another_agent() -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    run, other = cast.add_run(cast.alice(), task), cast.add_run(cast.bob(), task)
    judge = add_panel(cast.add_model("Bench"))
    started = add_pass(judge)
    for others in ([], [other]):
        summary = add_summary(started, judge, [run], others=others)
        with pytest.raises(IntegrityError), transaction.atomic():
            add_summary(started, judge, [run], others=others)
    assert str(summary) == f"summary of pitfalls in pass {started.pk}"
    assert (str(summary.sources.get()), str(summary.groups.get())) == (f"1: run {run.pk}", "Unchecked claims")

    other.delete()
    assert [source.number for source in SummarySource.objects.all()] == [1]


def test_it_is_hidden_with_its_dataset_and_of_the_fault_catalogue() -> None:
    cast = Cast()
    hidden = cast.add_run(cast.alice(), cast.add_hidden_task())
    planted = cast.add_run(cast.bob(), cast.add_tasks(1)[0])
    planted.agent.origin = FAULT_CATALOGUE
    planted.agent.save()
    judge = add_panel(cast.add_model("Bench"))
    for run in (hidden, planted):
        add_summary(add_pass(judge, slug=f"pass-{run.pk}"), judge, [run])

    for model in KINDS:
        assert model._default_manager.count() == 2
        assert not without_hidden(model._default_manager.all()).exists()
