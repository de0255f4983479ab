"""Starting, stopping, continuing and publishing generations of tasks, and what becomes of those of dead workers."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from harness.dataset import DatasetError
from harness.errors import ConfigurationError
from runs.access.audit.audit_log import record
from runs.jobs import queue
from runs.jobs.claims import this_try
from runs.jobs.job_kinds import GENERATE
from runs.jobs.swept_work import ContainerWork
from runs.models import AuditEntry, GenerationJob, LanguageModel
from runs.operations.evaluations.harness_specs import model_spec
from tasks.generation.corrupting.candidates import Kind
from tasks.generation.generation_request import GenerationRequest, Plan
from tasks.generation.suite.screening import Thresholds
from tasks.loading import load
from tasks.models import MAX_SLUG_LENGTH, Dataset, Repository
from tasks.stored_maps import read_map

log = logging.getLogger(__name__)

State = GenerationJob.State


class GenerationRefused(Exception):
    """Nothing was started or published. The message is a sentence with what to do; `field`: to blame, '' for none."""

    def __init__(self, reason: str, field: str = "") -> None:
        self.field = field
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class SourceRepository:
    """A repository on disk that tasks can be generated from: it has hidden tests for all tasks."""

    dataset: Dataset
    repository: str

    @property
    def name(self) -> str:
        """Its name in forms: DATASET/REPOSITORY."""
        return f"{self.dataset.slug}/{self.repository}"


def places(datasets: QuerySet[Dataset]) -> Iterator[SourceRepository]:
    """The repositories of these datasets that have hidden tests for all tasks."""
    for dataset in datasets.filter(reported_by="").order_by("slug"):
        for settings_file in sorted(directory_of(dataset).glob("*/repository.toml")):
            if (settings_file.parent / "tests").is_dir():
                yield SourceRepository(dataset, settings_file.parent.name)


def directory_of(dataset: Dataset) -> Path:
    """Where a loaded dataset is."""
    return (Path(settings.BASE_DIR) / dataset.directory).resolve()


def output_of(slug: str) -> Path:
    """Where the output of this name is: below the data directory, never among the shipped datasets."""
    return (Path(settings.GENERATED_ROOT) / slug).resolve()  # as a loaded dataset has it


def target_of(place: SourceRepository, output: str) -> str:
    """The name of the repository in the output. A site has one repository of a name, so a copy gets another one."""
    if directory_of(place.dataset) == output_of(output):
        return place.repository
    return f"{place.repository}-{output}"


def check_output(place: SourceRepository, output: str) -> None:
    """Raises GenerationRefused where `start_generation` would, except because of an open job."""
    target = target_of(place, output)
    if len(target) > MAX_SLUG_LENGTH:
        raise GenerationRefused(
            f"The repository would be called {target}: more than {MAX_SLUG_LENGTH} characters. Choose a shorter name.",
            "output",
        )
    other = Dataset.objects.filter(slug=output).first()
    if other is not None and directory_of(other) != output_of(output):
        raise GenerationRefused(
            f"The dataset {output} is loaded from another place than {output_of(output)}. Choose another name.",
            "output",
        )
    if Repository.objects.filter(slug=target).exclude(dataset__slug=output).exists():
        raise GenerationRefused(
            f"Another dataset has a repository {target}. Choose another name for the dataset.", "output"
        )


def check_budget_of(model: LanguageModel | None, budget_usd: float | None) -> None:
    """Raises GenerationRefused for a budget that nothing can be counted against."""
    if model and budget_usd is not None and None in (model.input_price, model.output_price):
        raise GenerationRefused(
            f"The price of {model} is unknown, so no budget can hold. Set its prices in the admin, or no budget.",
            "budget_usd",
        )


def start_generation(
    place: SourceRepository,
    *,
    output: str,
    title: str,
    hidden: bool,
    plan: Plan,
    thresholds: Thresholds,
    model: LanguageModel | None = None,
    budget_usd: float | None = None,
    user: AbstractBaseUser | AnonymousUser | None = None,
) -> GenerationJob:
    """Stores a job and enqueues it. Raises GenerationRefused.

    `model`: for the kind adversarial alone; it may cost `budget_usd` at most, which counts all its earlier replies for
    the same output.
    If Redis is down, it stays queued in the database, and the sweeper enqueues it later.
    """
    check_output(place, output)
    if Kind.ADVERSARIAL not in plan.kinds:
        model = budget_usd = None
    check_budget_of(model, budget_usd)
    job = GenerationJob(
        dataset=place.dataset,
        repository=place.repository,
        output=output,
        target=target_of(place, output),
        title=title.strip(),
        hidden=hidden,
        kinds=[kind.value for kind in plan.kinds],
        seed=plan.seed,
        limit=plan.limit,
        per_function=plan.per_function,
        least_lines=plan.least_lines,
        least_removal=thresholds.removal,
        least_corruption=thresholds.corruption,
        suite_seconds=thresholds.suite_seconds,
        model=model,
        budget_usd=budget_usd,
        created_by_id=user.pk if user else None,
    )
    try:
        request_of(job).check()
    except (ConfigurationError, ValueError) as error:
        raise GenerationRefused(f"{error}.", "kinds") from error
    try:
        with transaction.atomic():
            job.save(force_insert=True)
            queue.enqueue_on_commit(GENERATE, [job])
    except IntegrityError as error:
        raise _taken(job) from error
    return job


def request_of(job: GenerationJob) -> GenerationRequest:
    """What the job generates. Raises ValueError for a stored map of another version."""
    kinds = tuple(map(Kind, job.kinds))
    stored = None
    if Kind.MULTI in kinds:
        found = Repository.objects.filter(dataset=job.dataset_id, slug=job.repository).select_related("map")
        stored = getattr(found.first(), "map", None)
    return GenerationRequest(
        dataset=directory_of(job.dataset),
        repository=job.repository,
        output=output_of(job.output),
        plan=Plan(kinds, job.seed, job.limit, job.per_function, least_lines=job.least_lines),
        thresholds=Thresholds(job.least_removal, job.least_corruption, job.suite_seconds),
        slug=job.target,
        title=job.title,
        code_map=read_map(stored) if stored else None,
        model=model_spec(job.model) if job.model else None,
        budget=job.budget_usd,
    )


def stop_generation(job: GenerationJob) -> bool:
    """Stops a job: at once if it is queued, after its step if a worker has it. False if it has ended."""
    with transaction.atomic():
        found = GenerationJob.objects.filter(pk=job.pk)
        stopped = found.filter(state=State.QUEUED).update(
            state=State.STOPPED, finished_at=timezone.now()
        ) or found.filter(state=State.RUNNING, stop_requested=False).update(stop_requested=True)
        if stopped:
            record(AuditEntry.Act.CANCELLED, job)
    job.refresh_from_db()
    return bool(stopped)


def continue_generation(job: GenerationJob) -> None:
    """Queues a job again that has ended. Nothing that is done is done again. Raises GenerationRefused."""
    try:
        with transaction.atomic():
            queued = (
                GenerationJob.objects.filter(pk=job.pk)
                .exclude(state__in=GenerationJob.OPEN)
                .update(state=State.QUEUED, reason="", stop_requested=False, losses=0, finished_at=None)
            )
            if queued:
                record(AuditEntry.Act.RETRIED, job)
                queue.enqueue_on_commit(GENERATE, [job])
    except IntegrityError as error:
        raise _taken(job) from error
    job.refresh_from_db()


def publish_output(job: GenerationJob, *, hidden: bool) -> Dataset:
    """Loads the output into the site. Raises GenerationRefused."""
    working = GenerationJob.objects.filter(output=job.output, state__in=GenerationJob.OPEN).first()
    if working:
        raise GenerationRefused(f"{working} still gets tasks: wait for its end, or stop it.")
    try:
        dataset = load(output_of(job.output), hidden=hidden)
    except DatasetError as error:
        raise GenerationRefused(
            f"The dataset cannot be loaded: {error}. Remove what is wrong, and publish again."
        ) from error
    GenerationJob.objects.filter(output=job.output).update(published_at=timezone.now(), hidden=hidden)
    job.refresh_from_db()
    return dataset


def _taken(job: GenerationJob) -> GenerationRefused:
    return GenerationRefused(
        f"Another job generates tasks for {job}: wait for its end, or stop it.", "output"
    )


class GenerationWork(ContainerWork[GenerationJob]):
    """Generations whose worker died go on where they were; after MAX_TRIES such losses one fails."""

    model = GenerationJob
    plural = "generations"
    called = "generation"
    ended = "done, stopped"
    why = "reason"
    related = ("dataset",)
    goes_on = "it goes on where it was"
    remedy = "continue"
    label = "generation"
    stopped = "The site was stopped while it ran; it goes on where it was."

    def lose(self, dead: GenerationJob) -> bool:
        """Counts the loss, and removes the containers. One that was to stop has stopped."""
        values = self.after_loss(dead.losses + 1)
        if dead.stop_requested:
            values = {"state": State.STOPPED, "finished_at": timezone.now()}
        lost = bool(this_try(dead).update(losses=F("losses") + 1, worker="", **values))
        if lost:
            log.warning("generation %s is lost: its worker gave no sign of life (%s)", dead, dead.worker)
            self.remove_containers(dead.pk)
        return lost
