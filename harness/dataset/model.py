"""What a dataset is made of: words and values, wherever they were read from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TypeVar

from harness.dataset.proofs import Proof
from harness.dataset.trees import Tree
from harness.errors import HarnessError

SLUG = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
OPTIONAL_TOOLS = ("api_call", "database_query", "websocket_test", "ui_test")
SCRIPT_AT = PurePosixPath("/benchbench/run_tests.sh")
DEFAULT_REPORT = "junit"
REPORT_NAMES = (
    DEFAULT_REPORT,
    "ctrf",
    "tap",
    "pytest",
    "jest",
    "mocha",
    "surefire",
    "junit-console",
    "go",
    "cargo",
    "rspec",
    "phpunit",
    "dotnet",
    "ctest",
)

_Named = TypeVar("_Named", "Task", "Repository")


class Category(StrEnum):
    """What kind of work a task asks for."""

    BUG = "bug"
    FEATURE = "feature"
    REFACTORING = "refactoring"
    OPTIMISATION = "optimisation"
    OTHER = "other"


class Difficulty(StrEnum):
    """How hard its author thinks a task is."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with a dataset: the file, the field or line in it ('' for the whole file), the reason."""

    path: Path
    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}{f', {self.where}' if self.where else ''}: {self.reason}"


class DatasetError(HarnessError):
    """A dataset was refused. `problems` holds everything that was found, not only the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class Layout:
    """What the arrangement of a repository's files asks of the build and of the test run.

    `context_directory`: where the build context holds the source, '' for its top. `stand_ins`: names that the
    Dockerfile may copy or change and whose content it must not see: empty in the build, gone from the workspace; the
    name of a directory ends in '/'. `script_at`: where the test script stands when it runs. `safe_path`: whether Python
    is kept from importing out of the working directory by itself then. `sealed`: directories of the workspace of which
    nothing but what the reference patch changes is taken from an agent.
    """

    name: str = "BenchBench"
    context_directory: str = "source"
    stand_ins: tuple[str, ...] = ()
    script_at: PurePosixPath = SCRIPT_AT
    safe_path: bool = True
    sealed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One exercise on a repository. Paths are absolute and lie inside the dataset.

    `tools` are the optional tools that it offers, its own and its repository's, in the order of OPTIONAL_TOOLS.
    `report`: what the test script gives, one of REPORT_NAMES. Files in $RESULTS_DIR (junit, ctrf, tap), or else the
    output of the runner of that name.
    `reference_diff`, the patch that the oracle applies, and `tests`, the tree that is laid over the workspace to grade,
    never enter an agent's container.
    """

    slug: str
    title: str
    category: Category
    difficulty: Difficulty
    description: str
    directory: Path
    reference_diff: Path
    tests: Tree
    test_timeout: float
    digest: str
    proof: Proof | None
    tools: tuple[str, ...] = ()
    report: str = DEFAULT_REPORT

    @property
    def admitted(self) -> bool:
        """Whether a proof for exactly these files is stored beside them."""
        return self.proof is not None and self.proof.digest == self.digest


@dataclass(frozen=True, slots=True)
class Repository:
    """One code base with its environment and its tasks, in the order of their directory names.

    `source` is the code as the agent first sees it: all of the dataset that ever enters its workspace.
    """

    slug: str
    title: str
    description: str
    stack: str
    languages: tuple[str, ...]
    domain: str
    workdir: PurePosixPath
    directory: Path
    source: Tree
    digest: str
    tasks: tuple[Task, ...] = field(repr=False)
    layout: Layout = Layout()

    @property
    def dockerfile(self) -> Path:
        """Builds the environment. Its build context is the source and itself, nothing else."""
        return self.directory / "Dockerfile"

    @property
    def run_tests(self) -> Path:
        """The script that runs the hidden tests of one task; Task.report says what it gives."""
        return self.directory / "run_tests.sh"

    def task(self, slug: str) -> Task:
        """The task of that name; KeyError names the ones there are."""
        return _by_slug(self.tasks, slug)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A versioned set of repositories with tasks.

    `canary` is a text that all hidden parts hold and nothing else does; '' where there is none. `notes` say what was
    not read, for whoever loads the dataset.
    """

    slug: str
    title: str
    description: str
    version: str
    licence: str
    canary: str
    directory: Path
    repositories: tuple[Repository, ...] = field(repr=False)
    notes: tuple[str, ...] = ()

    def repository(self, slug: str) -> Repository:
        """The repository of that name; KeyError names the ones there are."""
        return _by_slug(self.repositories, slug)

    def tasks(self) -> Iterator[tuple[Repository, Task]]:
        """Every task with its repository, in order."""
        return ((repository, task) for repository in self.repositories for task in repository.tasks)


def _by_slug(items: Iterable[_Named], slug: str) -> _Named:
    names = []
    for item in items:
        if item.slug == slug:
            return item
        names.append(item.slug)
    raise KeyError(f"no {slug!r}; there are: {', '.join(names) or 'none'}")
