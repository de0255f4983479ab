"""Starting, stopping, continuing and publishing generations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from harness.admission.admit import REPEATS
from harness.dataset import load_dataset
from runs.models import AuditEntry, GenerationJob
from runs.operations.evaluations.harness_specs import model_spec
from runs.work.generation import generating
from runs.work.generation.generating import generate_tasks
from runs.work.generation.generation_jobs import (
    GenerationRefused,
    SourceRepository,
    continue_generation,
    output_of,
    places,
    publish_output,
    request_of,
    start_generation,
    stop_generation,
)
from tasks.generation.corrupting.candidates import Kind
from tasks.generation.generation_request import Plan
from tasks.generation.suite.screening import Thresholds
from tasks.loading import load
from tasks.models import Dataset, Task
from tests.harness.worlds import write_tiny_dataset
from tests.runs.cast import Cast
from tests.runs.work.generation.made_jobs import add_generation
from tests.tasks.generation.small import write_calc

pytestmark = pytest.mark.django_db
State = GenerationJob.State


@pytest.fixture
def calc(tmp_path: Path) -> SourceRepository:
    dataset = load(write_calc(tmp_path))
    (found,) = places(Dataset.objects.all())
    assert (found.dataset, found.name) == (dataset, "tiny/calc")
    return found


def start(place: SourceRepository, **values: Any) -> GenerationJob:
    return start_generation(
        place,
        **{
            "output": "more",
            "title": "More",
            "hidden": True,
            "plan": Plan((Kind.REMOVE,), 1, least_lines=1),
            "thresholds": Thresholds(),
            **values,
        },
    )


def test_a_job_is_stored_queued_and_in_the_audit_log(calc: SourceRepository, data_directory: Path) -> None:
    job = start(calc, plan=Plan((Kind.REMOVE, Kind.CORRUPT), 3, limit=2))

    assert (job.state, job.output, job.target, job.kinds) == (
        State.QUEUED, "more", "calc-more", ["remove", "corrupt"],
    )  # fmt: skip
    assert output_of("more") == data_directory / "datasets/more"
    entry = AuditEntry.objects.get(kind="generation job")
    assert entry.act == AuditEntry.Act.CREATED
    assert entry.after is not None
    assert (entry.after["seed"], entry.after["limit"]) == (3, 2)


def test_two_jobs_never_write_into_one_repository(calc: SourceRepository) -> None:
    start(calc)
    with pytest.raises(GenerationRefused, match="Another job generates tasks for more/calc-more"):
        start(calc)


def test_a_model_works_for_one_kind_alone_and_a_budget_needs_its_price(calc: SourceRepository) -> None:
    model = Cast().add_model("Countess", input_price=1.0, output_price=2.0)
    model.litellm_id = "openai/countess"
    model.save()
    adversarial = Plan((Kind.ADVERSARIAL,), 1)

    job = start(calc, plan=adversarial, model=model, budget_usd=2.0)
    other = start(calc, output="other", model=model, budget_usd=2.0)

    assert (job.model, job.budget_usd) == (model, 2.0)
    assert request_of(job).model == model_spec(model)
    assert (other.model, other.budget_usd) == (None, None)
    model.input_price = None
    with pytest.raises(GenerationRefused, match="price of Countess is unknown"):
        start(calc, output="third", plan=adversarial, model=model, budget_usd=2.0)


def test_combinations_need_a_map(calc: SourceRepository) -> None:
    with pytest.raises(GenerationRefused, match="map_repository"):
        start(calc, plan=Plan((Kind.MULTI,), 1))
    assert not GenerationJob.objects.exists()


def test_the_output_is_no_dataset_from_elsewhere(calc: SourceRepository) -> None:
    with pytest.raises(GenerationRefused, match="is loaded from another place"):
        start(calc, output="tiny")


def test_a_queued_job_stops_at_once_and_is_continued(calc: SourceRepository) -> None:
    job = start(calc)
    assert stop_generation(job)
    assert (job.state, stop_generation(job)) == (State.STOPPED, False)

    continue_generation(job)

    assert (job.state, job.finished_at) == (State.QUEUED, None)
    acts = list(AuditEntry.objects.filter(kind="generation job").values_list("act", flat=True))
    assert acts == [AuditEntry.Act.RETRIED, AuditEntry.Act.CANCELLED, AuditEntry.Act.CREATED]


def test_a_running_job_stops_after_its_step() -> None:
    job = add_generation(Cast().dataset, "harbour")
    assert stop_generation(job)
    assert (job.state, job.stop_requested) == (State.RUNNING, True)


@pytest.mark.parametrize("hidden", [True, False])
def test_the_output_is_published_hidden_or_open(data_directory: Path, hidden: bool) -> None:
    write_tiny_dataset(data_directory / "datasets")
    job = add_generation(Cast().dataset, "harbour", output="tiny", state=State.FINISHED)

    dataset = publish_output(job, hidden=hidden)

    assert (dataset.slug, dataset.hidden) == ("tiny", hidden)
    assert job.published_at is not None
    assert job.hidden is hidden


def test_more_tasks_of_a_published_output_keep_the_name_of_its_repository(
    data_directory: Path, tmp_path: Path, settings: Any
) -> None:
    (tmp_path / "link").symlink_to(data_directory / "datasets")
    settings.GENERATED_ROOT = tmp_path / "link"
    load(write_calc(data_directory / "datasets"))
    (place,) = places(Dataset.objects.all())

    assert start(place, output="tiny").target == "calc"
    assert start(place, output="more").target == "calc-more"


def test_an_output_that_still_gets_tasks_is_not_published() -> None:
    job = add_generation(Cast().dataset, "harbour")
    with pytest.raises(GenerationRefused, match="still gets tasks"):
        publish_output(job, hidden=True)


def test_an_output_that_cannot_be_loaded_is_refused_with_its_problem() -> None:
    job = add_generation(Cast().dataset, "harbour", state=State.FINISHED)
    with pytest.raises(GenerationRefused, match="cannot be loaded"):
        publish_output(job, hidden=True)


@pytest.mark.engine
@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True)  # the heartbeat and the test runs have threads
def test_a_job_generates_tasks_in_containers_that_are_published_hidden(
    calc: SourceRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generating, "STORE_SECONDS", 0.0)
    job = start(calc, plan=Plan((Kind.REMOVE,), 2, limit=2, least_lines=1), thresholds=Thresholds(removal=3))

    generate_tasks(job.pk, 0)

    job.refresh_from_db()
    assert (job.state, job.reason) == (State.FINISHED, "")
    dataset = publish_output(job, hidden=True)
    assert (dataset.title, dataset.hidden) == ("More", True)
    tasks = Task.objects.filter(repository__slug="calc-more")
    assert sorted(task.slug for task in tasks) == sorted(task["slug"] for task in job.counts["tasks"])
    assert all(task.admitted for task in tasks)
    assert tasks
    proofs = [task.proof for _, task in load_dataset(output_of("more")).tasks()]
    assert {proof.repeats if proof else 0 for proof in proofs} == {REPEATS} == {3}
