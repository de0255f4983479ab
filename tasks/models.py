"""An index of the datasets on disk. `manage.py load_dataset DIR` rebuilds it from the files."""

from __future__ import annotations

import hashlib
import json
from typing import Any, ClassVar

from django.db import models
from django.urls import reverse

from harness.dataset import Category as TaskCategory
from harness.dataset import Difficulty as TaskDifficulty
from harness.dataset import Mode as TaskMode
from harness.dataset import Origin as TaskOrigin
from harness.dataset import Persona as TaskPersona

MAX_SLUG_LENGTH = 100


class Dataset(models.Model):
    """A versioned set of repositories with tasks.

    `directory` is absolute, or relative to the project. A reported dataset has none: its tasks are names only, and all
    of its results come from `reported_by`.
    """

    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    version = models.CharField(max_length=40)
    licence = models.CharField(max_length=40)
    directory = models.CharField(max_length=500, blank=True)
    reported_by = models.CharField(
        max_length=200,
        blank=True,
        editable=False,
        help_text="Who reported all of its results; empty: its tasks are run here.",
    )
    loaded_at = models.DateTimeField(auto_now=True)
    revision = models.PositiveBigIntegerField(
        default=0, help_text="Grows each time it is loaded, hidden or opened."
    )
    hidden = models.BooleanField(
        default=False,
        help_text="Its tasks and runs are shown to operators and viewers of hidden datasets alone, "
        "and counted in no public number.",
    )

    public_messages = models.BooleanField(
        default=False,
        editable=False,
        help_text="Everybody may read what its hidden tests say when they fail. Its manifest declares it.",
    )

    class Meta:
        ordering: ClassVar = ["slug"]
        permissions: ClassVar = [("view_hidden", "Can see hidden datasets with their tasks and runs")]

    def __str__(self) -> str:
        return f"{self.title} {self.version}"


class Repository(models.Model):
    """One code base with an image, a stack and a domain. `slug` is unique over all datasets, for the page's URL."""

    dataset = models.ForeignKey(Dataset, models.CASCADE, related_name="repositories")
    slug = models.SlugField(max_length=MAX_SLUG_LENGTH, unique=True)
    title = models.CharField(max_length=200)
    description = models.TextField()
    stack = models.CharField(max_length=200)
    languages: models.JSONField[list[str], list[str]] = models.JSONField(default=list)
    domain = models.CharField(max_length=200)

    class Meta:
        ordering: ClassVar = ["slug"]
        verbose_name_plural = "repositories"

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        """The heatmap of this repository."""
        return reverse("repository", args=[self.slug])


class RepositoryMap(models.Model):
    """The map of a repository's code, as `manage.py map_repository` made it; see `tasks.stored_maps`.

    It is in the database and not in the data directory, so that it is deleted with its repository, and all hosts of a
    site have the same one. `digest`: of the source that was mapped.
    """

    repository = models.OneToOneField(Repository, models.CASCADE, related_name="map", primary_key=True)
    digest = models.CharField(max_length=64)
    made_at = models.DateTimeField(auto_now=True)
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"map of {self.repository}"


class Task(models.Model):
    """One task on a repository.

    Category, difficulty and description of a task in a reported dataset are empty: they are unknown. A workflow has one
    task for each persona of its scenario; `scenario` and `persona` of other tasks are empty.
    """

    class Category(models.TextChoices):
        """harness.dataset.Category, for the database."""

        BUG = TaskCategory.BUG.value, "bug"
        FEATURE = TaskCategory.FEATURE.value, "feature"
        REFACTORING = TaskCategory.REFACTORING.value, "refactoring"
        OPTIMISATION = TaskCategory.OPTIMISATION.value, "optimisation"
        OTHER = TaskCategory.OTHER.value, "other"

    class Difficulty(models.TextChoices):
        """harness.dataset.Difficulty, for the database."""

        EASY = TaskDifficulty.EASY.value, "easy"
        MEDIUM = TaskDifficulty.MEDIUM.value, "medium"
        HARD = TaskDifficulty.HARD.value, "hard"

    class Mode(models.TextChoices):
        """harness.dataset.Mode, for the database."""

        CODE = TaskMode.CODE.value, "code"
        REMOVE = TaskMode.REMOVE.value, "remove"
        DISCOVERY = TaskMode.DISCOVERY.value, "discovery"
        PULL_REQUEST = TaskMode.PULL_REQUEST.value, "pull request"
        WORKFLOW = TaskMode.WORKFLOW.value, "workflow"

    class Persona(models.TextChoices):
        """harness.dataset.Persona, for the database."""

        DEFAULT = TaskPersona.DEFAULT.value, "default"
        TOXIC = TaskPersona.TOXIC.value, "toxic"
        HELPFUL = TaskPersona.HELPFUL.value, "helpful"

    class Origin(models.TextChoices):
        """harness.dataset.Origin, for the database."""

        HAND_MADE = TaskOrigin.HAND_MADE.value, "hand-made"
        REMOVED = TaskOrigin.REMOVED.value, "removed"
        CORRUPTED = TaskOrigin.CORRUPTED.value, "corrupted"
        MULTIPLE = TaskOrigin.MULTIPLE.value, "multiple"
        PULL_REQUEST = TaskOrigin.PULL_REQUEST.value, "pull request"
        RELEASE = TaskOrigin.RELEASE.value, "release"

    repository = models.ForeignKey(Repository, models.CASCADE, related_name="tasks")
    slug = models.SlugField(max_length=MAX_SLUG_LENGTH)
    title = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    category = models.CharField(max_length=20, choices=Category.choices, blank=True)
    difficulty = models.CharField(max_length=20, choices=Difficulty.choices, blank=True)
    mode = models.CharField(max_length=20, choices=Mode.choices, default=Mode.CODE)
    origin = models.CharField(max_length=20, choices=Origin.choices, default=Origin.HAND_MADE)
    measures: models.JSONField[dict[str, float], dict[str, float]] = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="Numbers of the functions to repair, by name: size, complexity, centrality. Empty: none.",
    )
    twin_of = models.CharField(
        max_length=2 * MAX_SLUG_LENGTH + 1,
        blank=True,
        default="",
        editable=False,
        help_text="The task of which this one is the same with other names, as repository/task. Empty: none.",
    )
    scenario = models.CharField(max_length=MAX_SLUG_LENGTH, blank=True)
    persona = models.CharField(max_length=20, choices=Persona.choices, blank=True)
    workflow: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(
        default=dict,
        blank=True,
        editable=False,
        help_text="Of a workflow: objective, instructions and limits, for pages. Agents never see it.",
    )
    digest = models.CharField(max_length=64)
    admitted = models.BooleanField(default=False)
    tests_total = models.PositiveIntegerField(default=0)

    class Meta:
        ordering: ClassVar = ["repository", "slug"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["repository", "slug"], name="task_slug_in_repository")
        ]

    def __str__(self) -> str:
        return f"{self.repository.slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        """The page of this task."""
        return reverse("task", args=[self.repository.slug, self.slug])

    @property
    def proof(self) -> dict[str, Any] | None:
        """What its admission showed, as `harness.dataset.Proof` has it; None without one. Takes a query."""
        found = TaskProof.objects.filter(task=self).first()
        return found.content if found else None

    def store_proof(self, content: dict[str, Any] | None) -> None:
        """Stores the proof, or removes it with None. What is stored already is not written again."""
        mine = TaskProof.objects.filter(task=self)
        if content is None:
            mine.delete()
            return
        digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
        if not mine.filter(digest=digest).exists():
            TaskProof.objects.update_or_create(task=self, defaults={"content": content, "digest": digest})


class TaskProof(models.Model):
    """The proof of admission of a task, with the names of all its tests: 60 kB for a generated task.

    A row of its own, since lists of runs and tasks do not need it.
    """

    task = models.OneToOneField(Task, models.CASCADE, primary_key=True, related_name="stored_proof")
    content: models.JSONField[dict[str, Any], dict[str, Any]] = models.JSONField(editable=False)
    digest = models.CharField(max_length=64, editable=False)

    def __str__(self) -> str:
        return f"proof of {self.task}"
