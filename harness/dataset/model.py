"""The data model of datasets, independent of their layout on disk."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import TypeVar

from harness.dataset.generation import Generation, Origin, Target
from harness.dataset.proofs import Proof
from harness.dataset.trees import Tree
from harness.dataset.workflow import Mode, Workflow
from harness.errors import ConfigurationError, HarnessError

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
    """The kind of work that a task requires."""

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
    """One problem in a dataset. `where`: the field or line in the file, '' for the whole file."""

    path: Path
    where: str
    reason: str

    def __str__(self) -> str:
        return f"{self.path}{f', {self.where}' if self.where else ''}: {self.reason}"


class DatasetError(HarnessError):
    """A dataset was rejected. `problems` holds all problems that were found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(map(str, self.problems)))


@dataclass(frozen=True, slots=True)
class Layout:
    """How the arrangement of a repository's files affects the image build and the test run.

    `context_directory`: the directory of the source in the build context, '' for the top. `stand_ins`: names that the
    Dockerfile may copy or change but whose content must stay hidden. They are empty in the build and are removed from
    the workspace; the name of a directory ends in '/'. `script_at`: the path of the test script when it runs.
    `safe_path`: whether the tests run with PYTHONSAFEPATH, so that Python does not import from the working directory by
    default. `sealed`: directories in which an agent's changes are ignored, except to files that the reference patch
    changes.
    """

    name: str = "BenchBench"
    context_directory: str = "source"
    stand_ins: tuple[str, ...] = ()
    script_at: PurePosixPath = SCRIPT_AT
    safe_path: bool = True
    sealed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """One task on a repository. Paths are absolute and inside the dataset.

    `tools` are the optional tools of the task and of its repository, in the order of OPTIONAL_TOOLS.
    `report`: the format of the test results, one of REPORT_NAMES. junit, ctrf and tap are files in $RESULTS_DIR; the
    others are the output of the runner of that name. `report_declared`: whether the dataset names it.
    `reference_diff` is the patch that the oracle applies. `tests` is the tree that grading copies into the workspace.
    `traps` are the author's diffs of that tree, each of which adds a test that correct solutions fail. None of these
    enters an agent's container.
    `mode`: how the task is worked on. `start`: the patch from the repository's source to the tree that the agent gets;
    None if it gets the source; see `started`. `generation`: how the task was made, None for one made by hand.
    `leave_out`: tests whose results are ignored.
    `workflow`: the conversation of a workflow task, None for others. Its `description` is the user's first message, and
    the personas of one scenario share `directory`, `digest` and `proof`.
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
    report_declared: bool = True
    traps: tuple[Path, ...] = ()
    mode: Mode = Mode.CODE
    start: Path | None = None
    generation: Generation | None = None
    leave_out: tuple[str, ...] = ()
    workflow: Workflow | None = None

    @property
    def origin(self) -> Origin:
        """Where the task comes from."""
        return self.generation.origin if self.generation else Origin.HAND_MADE

    @property
    def targets(self) -> tuple[Target, ...]:
        """The functions that have to be repaired; empty if the task does not say."""
        return self.generation.targets if self.generation else ()

    @property
    def scenario(self) -> str:
        """What results of this task depend on together with those of other tasks: the scenario, or the task itself."""
        return self.workflow.scenario if self.workflow else self.slug

    @property
    def admitted(self) -> bool:
        """Whether a proof for exactly these files is stored beside them."""
        return self.proof is not None and self.proof.digest == self.digest


@dataclass(frozen=True, slots=True)
class Repository:
    """One code base with its environment and its tasks, sorted by directory name.

    `source` is the code that the agent starts with, unless its task has a start of its own: see `started`. Nothing else
    of the dataset enters its workspace. `environment`: the build context of the Dockerfile, if it is not the source;
    then the tasks share the image that is built from it, which depends on `environment_digest`. `licence` (an SPDX
    expression), `origin` (a package URL) and `origin_sha256` (of the package) are those of the code, '' if the dataset
    does not say. `start`: which start of a task is applied, '' if none is.
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
    environment: Tree | None = None
    environment_digest: str = ""
    licence: str = ""
    origin: str = ""
    origin_sha256: str = ""
    start: str = ""

    @property
    def dockerfile(self) -> Path:
        """Builds the environment. Its build context contains only the source and the Dockerfile."""
        return self.directory / "Dockerfile"

    @property
    def run_tests(self) -> Path:
        """The script that runs the hidden tests of one task. Task.report is the format of its results."""
        return self.directory / "run_tests.sh"

    def task(self, slug: str) -> Task:
        """The task with this slug. Raises ConfigurationError with the known slugs."""
        return _by_slug(self.tasks, slug)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A versioned set of repositories with tasks.

    `canary` is a text that is in all hidden parts and nowhere else; '' if there is none. `notes` are messages for the
    user about files that were not read. `public_messages`: whether everybody may read what its hidden tests say when
    they fail, because the tests are published.
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
    public_messages: bool = False

    def repository(self, slug: str) -> Repository:
        """The repository with this slug. Raises ConfigurationError with the known slugs."""
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
    raise ConfigurationError(f"no {slug!r}; there are: {', '.join(names) or 'none'}")
