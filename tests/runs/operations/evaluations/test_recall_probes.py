"""Probes are stored, and what is stored is not asked again."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from harness.dataset import Repository, Target
from runs.models import LanguageModel, RecallProbe
from runs.operations.evaluations.recall_probes import probe_tasks, refresh
from runs.operations.monitoring.model_spending import spending
from runs.views.result_pages.task_page import recall_probes
from tasks.generation.recall.probing import UNPAID, Recall, RecallProber, RecallUnpaid
from tasks.loading import load
from tasks.models import Dataset, Task
from tests.harness.worlds import write_target, write_tiny_dataset

pytestmark = pytest.mark.django_db
KNOWN = Recall(0.5, False, 4, "", 0.01, "scripted-1")
REFUSED = Recall(None, None, 0, "refused: no", 0.25, "")


class Prober(RecallProber):
    """Gives results in place of a model's, and raises those that are errors."""

    def __init__(self, *results: Recall | RecallUnpaid) -> None:
        self.results = list(results)
        self.asked: list[Target] = []

    def probe(self, repository: Repository, targets: Sequence[Target]) -> Recall:
        self.asked.extend(targets)
        result = self.results.pop(0)
        if isinstance(result, RecallUnpaid):
            raise result
        return result


@pytest.fixture
def model() -> LanguageModel:
    return LanguageModel.objects.create(slug="m", name="M", provider="p")


@pytest.fixture
def task(tmp_path: Path) -> Task:
    directory = write_tiny_dataset(tmp_path)
    write_target(directory)
    load(directory)
    return Task.objects.get()


def test_a_probe_is_stored_and_not_asked_for_again(model: LanguageModel, task: Task) -> None:
    prober = Prober(KNOWN)
    for _ in range(2):
        probe_tasks(model, [task], prober)
    assert prober.asked == [Target("calc/sums.py", "add")]
    row = RecallProbe.objects.get()
    assert (row.similarity, row.equal, row.tokens, row.reason) == (0.5, False, 4, "")
    assert (row.cost_usd, row.answered_model, row.task_digest) == (0.01, "scripted-1", task.digest)


def test_failures_are_asked_for_again_on_demand_and_what_each_answer_cost_stays(
    model: LanguageModel, task: Task, admin_user: User
) -> None:
    prober = Prober(REFUSED, KNOWN)
    for _ in range(2):
        probe_tasks(model, [task], prober)
    row = RecallProbe.objects.get()
    assert (row.similarity, row.reason) == (None, "refused: no")
    yesterday = row.asked_at - timedelta(days=1)
    RecallProbe.objects.update(asked_at=yesterday)

    for _ in range(2):
        probe_tasks(model, [task], prober, retry_failed=True)

    first, second = RecallProbe.objects.order_by("pk")
    assert (first.cost_usd, second.similarity, second.cost_usd) == (0.25, 0.5, 0.01)
    Task.objects.update(origin=Task.Origin.REMOVED)
    task.refresh_from_db()
    assert recall_probes(task, admin_user) == [second]
    (spent,) = spending(admin_user, second.asked_at).models
    assert spent.days == {yesterday.date(): 0.25, second.asked_at.date(): 0.01}


@pytest.mark.parametrize("retry_failed", [False, True])
def test_what_was_paid_before_the_budget_ended_counts_and_the_task_is_asked_about_again(
    model: LanguageModel, task: Task, admin_user: User, retry_failed: bool
) -> None:
    Task.objects.update(origin=Task.Origin.REMOVED)
    task.refresh_from_db()
    paid = Recall(None, None, 4, f"{UNPAID}$0.2500 of $0.3000 spent", 0.25, "")
    prober = Prober(RecallUnpaid("ended", paid), RecallUnpaid("ended"), KNOWN)
    told: list[RecallProbe] = []
    for _ in range(2):
        with pytest.raises(RecallUnpaid, match="ended"):
            probe_tasks(model, [task], prober, retry_failed=retry_failed, report=told.append)
    row = RecallProbe.objects.get()
    assert (told, row.similarity, row.reason) == ([row], None, "unpaid: $0.2500 of $0.3000 spent")
    assert spending(admin_user, row.asked_at).this_months == 0.25
    assert recall_probes(task, admin_user) == []

    probe_tasks(model, [task], prober, retry_failed=retry_failed)

    assert recall_probes(task, admin_user) == [RecallProbe.objects.latest("pk")]
    assert spending(admin_user, row.asked_at).this_months == 0.26


def test_a_changed_task_and_another_prompt_are_asked_about(
    model: LanguageModel, task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    prober = Prober(KNOWN, KNOWN, KNOWN)
    probe_tasks(model, [task], prober)
    RecallProbe.objects.update(task_digest="0" * 64)
    probe_tasks(model, [task], prober)
    assert RecallProbe.objects.count() == 2
    monkeypatch.setattr("runs.operations.evaluations.recall_probes.prompt_version", lambda: "other")
    probe_tasks(model, [task], prober)
    assert RecallProbe.objects.count() == 3


def test_tasks_without_targets_are_left_out(model: LanguageModel, tmp_path: Path) -> None:
    load(write_tiny_dataset(tmp_path))
    probe_tasks(model, Task.objects.all(), Prober())
    assert not RecallProbe.objects.exists()


def test_pages_get_a_new_version_of_an_open_dataset(task: Task) -> None:
    before = task.repository.dataset.revision
    refresh(task.repository.dataset)
    assert Dataset.objects.get().revision == before + 1
