"""The dataset of reported results, with its repositories and tasks."""

from __future__ import annotations

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from tasks.models import Dataset, Repository
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


def test_a_dataset_may_get_another_title() -> None:
    for number, title in enumerate(("Lab", "Lab Bench", "The Bench of the Lab")):
        store(reported([result("Ada", f"task {number}", repository="")], title=title))

    assert Dataset.objects.get().title == "The Bench of the Lab"
    assert Repository.objects.get().tasks.count() == 3


def test_a_task_whose_name_looks_like_a_stored_one_is_refused() -> None:
    store(reported([result("Ada", "one.a")]))

    with pytest.raises(ResultsRefused, match="names that differ in punctuation only"):
        store(reported([result("Ada", "one-a")]))


def test_a_dataset_that_is_run_here_takes_no_reported_results() -> None:
    Cast()

    with pytest.raises(
        ResultsRefused, match="there is a dataset of this name, run here: choose another slug"
    ):
        store(reported(two_agents(), slug="ports"))


def test_two_sources_do_not_share_a_dataset() -> None:
    store(reported(two_agents()))

    with pytest.raises(ResultsRefused, match="reported by The Lab: choose another slug"):
        store(reported(two_agents(), reported_by="Another lab"))
