"""The dataset of reported results, with its repositories and tasks."""

from __future__ import annotations

from itertools import permutations

import pytest

from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.storing import store
from runs.models import Run
from tasks.models import Dataset, Repository, Task
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, result, two_agents

pytestmark = pytest.mark.django_db


def test_a_dataset_may_get_another_title() -> None:
    for number, title in enumerate(("Lab", "Lab Bench", "The Bench of the Lab")):
        store(reported([result("Ada", f"task {number}", repository="")], title=title))

    assert Dataset.objects.get().title == "The Bench of the Lab"
    assert Repository.objects.get().tasks.count() == 3


ADDRESSES = {
    "one-a": "one-a",
    "one.a": "one-a-7a4fbeb6",
    "One-A": "one-a-1931a11b",
}


def addresses() -> dict[str, str]:
    return dict(Task.objects.values_list("title", "slug"))


@pytest.mark.parametrize("names", list(permutations(ADDRESSES)), ids=" ".join)
def test_names_that_differ_in_case_or_punctuation_have_addresses_whatever_their_order(
    names: list[str],
) -> None:
    results = [result("Ada", name, won=name == "One-A") for name in names]
    store(reported(results))

    assert addresses() == ADDRESSES
    assert store(reported(results[::-1], version="a2")).new == len(names)
    assert addresses() == ADDRESSES
    assert Run.objects.get(outcome="resolved", evaluation__listed=True).task.title == "One-A"


def test_a_stored_task_keeps_its_address() -> None:
    store(reported([result("Ada", "one.a")]))
    store(reported([result("Ada", "one-a"), result("Ada", "one.a")], version="a2"))

    assert addresses() == {"one.a": "one-a", "one-a": "one-a-a4b1fef7"}


def test_a_name_that_is_the_address_of_another_is_refused() -> None:
    with pytest.raises(ResultsRefused, match=r"the addresses of the task 'one\.a' are taken: rename it"):
        store(reported([result("Ada", name) for name in ("one.a", "one-a", "one-a-7a4fbeb6")]))

    assert not Task.objects.exists()


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
