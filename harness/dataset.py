"""A dataset as it lies on disk.

    datasets/<dataset>/dataset.toml                 name, version, licence, canary string
    datasets/<dataset>/<repository>/repository.toml title, stack, languages, domain, workdir, report
      Dockerfile                                    the environment; no test and no solution in it
      source/                                       the code as the agent first sees it
      run_tests.sh                                  `run_tests.sh <task>` writes JUnit XML into $RESULTS_DIR
      tasks/<task>/                                 task.toml, description.md, reference.diff, tests/, proof.json

`tools = ["api_call", …]`, in a task.toml for one task or in repository.toml for all of them, offers tools that not
every task has a use for: OPTIONAL_TOOLS.

`load_dataset` reads all of it or refuses all of it: every problem that it finds is listed with file, field and reason.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Any, TypeVar

from harness.errors import HarnessError
from harness.patches import PatchError, check_applies

SLUG = re.compile(r"[a-z0-9]+(?:[-_.][a-z0-9]+)*")
OPTIONAL_TOOLS = ("api_call", "database_query", "websocket_test", "ui_test")
PROOF_SCHEMA = 1
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
_Member = TypeVar("_Member", bound=StrEnum)


class Category(StrEnum):
    """What kind of work a task asks for."""

    BUG = "bug"
    FEATURE = "feature"
    REFACTORING = "refactoring"
    OPTIMISATION = "optimisation"


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
class Proof:
    """What admission measured in containers, and the manifest that grades a run.

    `digest` is the task's digest at the time; a proof for another digest proves nothing.
    `fail_to_pass` fail untouched and pass with the reference patch; `pass_to_pass` pass both times.
    """

    digest: str
    fail_to_pass: tuple[str, ...]
    pass_to_pass: tuple[str, ...]
    repeats: int
    proved_at: str
    harness_version: str
    floor_passed: int
    ceiling_seconds: float

    @property
    def tests(self) -> tuple[str, ...]:
        """Every test id that has to be present and to pass, fail-to-pass first."""
        return self.fail_to_pass + self.pass_to_pass

    def to_json(self) -> dict[str, Any]:
        """The object that `proof.json` holds."""
        return {
            "schema_version": PROOF_SCHEMA,
            "digest": self.digest,
            "proved_at": self.proved_at,
            "harness_version": self.harness_version,
            "repeats": self.repeats,
            "floor_passed": self.floor_passed,
            "ceiling_seconds": self.ceiling_seconds,
            "fail_to_pass": list(self.fail_to_pass),
            "pass_to_pass": list(self.pass_to_pass),
        }


@dataclass(frozen=True, slots=True)
class Task:
    """One exercise on a repository. Paths are absolute and lie inside the dataset.

    `tools` are the optional tools that it offers, its own and its repository's, in the order of OPTIONAL_TOOLS.
    `report`: what the test script gives, one of REPORT_NAMES. Files in $RESULTS_DIR (junit, ctrf, tap), or else the
    output of the runner of that name.
    """

    slug: str
    title: str
    category: Category
    difficulty: Difficulty
    description: str
    directory: Path
    test_timeout: float
    digest: str
    proof: Proof | None
    tools: tuple[str, ...] = ()
    report: str = DEFAULT_REPORT

    @property
    def reference_diff(self) -> Path:
        """The patch that the oracle applies. Never enters an agent's container."""
        return self.directory / "reference.diff"

    @property
    def tests(self) -> Path:
        """The hidden tests, a tree that is laid over the workspace to grade. Never enters an agent's container."""
        return self.directory / "tests"

    @property
    def admitted(self) -> bool:
        """Whether a proof for exactly these files is stored beside them."""
        return self.proof is not None and self.proof.digest == self.digest


@dataclass(frozen=True, slots=True)
class Repository:
    """One code base with its environment and its tasks, in the order of their directory names."""

    slug: str
    title: str
    description: str
    stack: str
    languages: tuple[str, ...]
    domain: str
    workdir: PurePosixPath
    directory: Path
    digest: str
    tasks: tuple[Task, ...] = field(repr=False)

    @property
    def source(self) -> Path:
        """The code as the agent first sees it: all that ever enters its workspace."""
        return self.directory / "source"

    @property
    def dockerfile(self) -> Path:
        """Builds the environment. Its build context is `source/` and itself, nothing else."""
        return self.directory / "Dockerfile"

    @property
    def run_tests(self) -> Path:
        """The script that runs the hidden tests of one task and writes JUnit XML into $RESULTS_DIR."""
        return self.directory / "run_tests.sh"

    def task(self, slug: str) -> Task:
        """The task of that name; KeyError names the ones there are."""
        return _by_slug(self.tasks, slug)


@dataclass(frozen=True, slots=True)
class Dataset:
    """A versioned set of repositories with tasks."""

    slug: str
    title: str
    description: str
    version: str
    licence: str
    canary: str
    directory: Path
    repositories: tuple[Repository, ...] = field(repr=False)

    def repository(self, slug: str) -> Repository:
        """The repository of that name; KeyError names the ones there are."""
        return _by_slug(self.repositories, slug)

    def tasks(self) -> Iterator[tuple[Repository, Task]]:
        """Every task with its repository, in order."""
        return ((repository, task) for repository in self.repositories for task in repository.tasks)


def load_dataset(directory: Path) -> Dataset:
    """The dataset in `directory`, complete and checked. Raises DatasetError with every problem found."""
    return _Loader(directory.resolve()).load()


def write_proof(task: Task, proof: Proof) -> Path:
    """Stores `proof` beside the task's files, replacing an older one in one move. Returns its path."""
    path = task.directory / "proof.json"
    partial = path.with_suffix(".json.partial")
    partial.write_text(json.dumps(proof.to_json(), indent=2) + "\n", encoding="utf-8")
    partial.replace(path)
    return path


def files_below(directory: Path) -> list[Path]:
    """Every file and symbolic link below `directory`, sorted by relative path; Python's caches are left out."""
    return sorted(
        path
        for path in directory.rglob("*")
        if (path.is_symlink() or path.is_file()) and "__pycache__" not in path.parts
    )


def digest_of(*roots: Path) -> str:
    """SHA-256 over names, executable bits and contents of these files and trees: equal trees, equal digests."""
    total = hashlib.sha256()
    for root in roots:
        for path in [root] if root.is_file() else files_below(root):
            name = path.name if path == root else f"{root.name}/{path.relative_to(root).as_posix()}"
            if path.is_symlink():
                mode, content = "l", str(path.readlink()).encode()
            else:
                mode = "x" if path.stat().st_mode & 0o100 else "-"
                content = path.read_bytes()
            total.update(f"{mode} {len(content)} {name}\n".encode())
            total.update(content)
    return total.hexdigest()


def _unless_default(report: str) -> Iterator[str]:
    """Nothing for the default: proofs from before there was a choice stay valid."""
    if report != DEFAULT_REPORT:
        yield f"report={report}"


def _by_slug(items: Iterable[_Named], slug: str) -> _Named:
    names = []
    for item in items:
        if item.slug == slug:
            return item
        names.append(item.slug)
    raise KeyError(f"no {slug!r}; there are: {', '.join(names) or 'none'}")


class _Loader:
    """Reads one dataset, collecting problems; `load` raises when there are any."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.problems: list[Problem] = []

    def load(self) -> Dataset:
        table = _Table(self, self.directory / "dataset.toml")
        dataset = Dataset(
            slug=self.slug(self.directory),
            title=table.text("title"),
            description=table.text("description"),
            version=table.text("version"),
            licence=table.text("licence"),
            canary=table.text("canary"),
            directory=self.directory,
            repositories=tuple(
                self.repository(path.parent) for path in sorted(self.directory.glob("*/repository.toml"))
            ),
        )
        table.close()
        if not dataset.repositories and self.directory.is_dir():
            self.problem(self.directory, "", "holds no repository: expected */repository.toml")
        if not self.problems:
            self.check_canary(dataset)
        if self.problems:
            raise DatasetError(self.problems)
        return dataset

    def repository(self, directory: Path) -> Repository:
        table = _Table(self, directory / "repository.toml")
        self.require(directory / "Dockerfile", "the environment is built from it")
        self.require(directory / "run_tests.sh", "it runs the hidden tests")
        self.require(directory / "source", "it is what the agent sees", tree=True)
        workdir = PurePosixPath(table.text("workdir", "/app"))
        if not workdir.is_absolute() or ".." in workdir.parts or len(workdir.parts) < 2:
            table.problem("workdir", f"must be an absolute path below /, not {str(workdir)!r}")
        digest = self.digest(directory / "Dockerfile", directory / "source", extra=str(workdir))
        tools = table.members("tools", OPTIONAL_TOOLS)
        report = table.choice("report", REPORT_NAMES, DEFAULT_REPORT)
        repository = Repository(
            slug=self.slug(directory),
            title=table.text("title"),
            description=table.text("description"),
            stack=table.text("stack"),
            languages=table.texts("languages"),
            domain=table.text("domain"),
            workdir=workdir,
            directory=directory,
            digest=digest,
            tasks=tuple(
                self.task(path.parent, directory, digest, tools, report)
                for path in sorted(directory.glob("tasks/*/task.toml"))
            ),
        )
        table.close()
        if not repository.tasks:
            self.problem(directory, "tasks", "holds no task: expected tasks/*/task.toml")
        return repository

    def task(
        self,
        directory: Path,
        repository: Path,
        repository_digest: str,
        shared_tools: tuple[str, ...],
        shared_report: str,
    ) -> Task:
        table = _Table(self, directory / "task.toml")
        report = table.choice("report", REPORT_NAMES, shared_report)
        description = self.require(directory / "description.md", "it tells the agent what to do")
        reference = self.require(directory / "reference.diff", "the oracle applies it")
        tests = self.require(directory / "tests", "they grade the task", tree=True)
        if reference:
            self.check_patch(directory / "reference.diff", repository / "source")
        digest = self.digest(
            directory / "task.toml",
            directory / "description.md",
            directory / "reference.diff",
            tests and directory / "tests",
            repository / "run_tests.sh",
            # What task.toml itself says is in it already; what its repository says counts only where it says something.
            extra=" ".join((repository_digest, *shared_tools, *_unless_default(report))),
        )
        offered = {*shared_tools, *table.members("tools", OPTIONAL_TOOLS)}
        task = Task(
            slug=self.slug(directory),
            title=table.text("title"),
            category=table.member("category", Category),
            difficulty=table.member("difficulty", Difficulty),
            description=self.read(directory / "description.md") if description else "",
            directory=directory,
            test_timeout=table.seconds("test_timeout", 300.0),
            digest=digest,
            proof=self.proof(directory / "proof.json"),
            tools=tuple(tool for tool in OPTIONAL_TOOLS if tool in offered),
            report=report,
        )
        table.close()
        return task

    def proof(self, path: Path) -> Proof | None:
        if not path.exists():
            return None
        try:
            stored = json.loads(path.read_text(encoding="utf-8"))
            if stored.pop("schema_version") != PROOF_SCHEMA:
                self.problem(path, "schema_version", f"must be {PROOF_SCHEMA}")
                return None
            lists: dict[str, Any] = {
                name: tuple(stored.pop(name)) for name in ("fail_to_pass", "pass_to_pass")
            }
            proof = Proof(**lists, **stored)
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            self.problem(path, "", f"is not a proof of admission: {error!r}")
            return None
        if not proof.fail_to_pass:
            self.problem(path, "fail_to_pass", "is empty: an untouched workspace would resolve the task")
        if len(set(proof.tests)) != len(proof.tests):
            self.problem(path, "fail_to_pass, pass_to_pass", "name a test twice")
        return proof

    def check_patch(self, reference: Path, source: Path) -> None:
        try:
            check_applies(reference.read_bytes(), source)
        except PatchError as error:
            self.problem(reference, error.where, error.reason)

    def check_canary(self, dataset: Dataset) -> None:
        """The canary must be in every hidden part, so that its absence elsewhere proves something."""
        needle = dataset.canary.encode()
        for repository, task in dataset.tasks():
            if needle not in task.reference_diff.read_bytes():
                self.problem(task.reference_diff, "", "does not contain the dataset's canary")
            if not any(needle in path.read_bytes() for path in files_below(task.tests) if path.is_file()):
                self.problem(task.tests, "", "no file contains the dataset's canary")
            for path in [repository.dockerfile, *files_below(repository.source)]:
                if path.is_file() and needle in path.read_bytes():
                    self.problem(path, "", "contains the canary, which belongs to the hidden parts only")

    def require(self, path: Path, why: str, *, tree: bool = False) -> bool:
        """Whether `path` is a file with content (or a tree with files), inside the dataset."""
        if not (path.is_dir() if tree else path.is_file()):
            self.problem(path, "", f"is missing: {why}")
        elif not (files_below(path) if tree else path.stat().st_size):
            self.problem(path, "", f"is empty: {why}")
        else:
            outside = [
                link
                for link in (files_below(path) if tree else [path])
                if not link.resolve().is_relative_to(self.directory)
            ]
            for link in outside:
                self.problem(link, "", "leads out of the dataset")
            return not outside
        return False

    def read(self, path: Path) -> str:
        try:
            return path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            self.problem(path, f"byte {error.start}", "is not UTF-8")
            return ""

    def digest(self, *roots: Path | bool, extra: str) -> str:
        there = [root for root in roots if isinstance(root, Path) and root.exists()]
        return hashlib.sha256(f"{digest_of(*there)} {extra}".encode()).hexdigest()

    def slug(self, directory: Path) -> str:
        if not SLUG.fullmatch(directory.name):
            self.problem(
                directory,
                "name",
                "must be lower-case letters and digits, joined by '-', '_' or '.'",
            )
        return directory.name

    def problem(self, path: Path, where: str, reason: str) -> None:
        self.problems.append(Problem(path, where, reason))


class _Table:
    """One TOML file, read field by field; `close` complains about fields that nobody asked for."""

    def __init__(self, loader: _Loader, path: Path) -> None:
        self.loader = loader
        self.path = path
        self.readable = False
        self.values: Mapping[str, Any] = {}
        self.known: set[str] = set()
        try:
            self.values = tomllib.loads(path.read_text(encoding="utf-8"))
            self.readable = True
        except FileNotFoundError:
            self.problem("", "is missing")
        except UnicodeDecodeError as error:
            self.problem(f"byte {error.start}", "is not UTF-8")
        except tomllib.TOMLDecodeError as error:
            self.problem("", f"is not TOML: {error}")

    def text(self, name: str, default: str | None = None) -> str:
        """A non-empty string."""
        value = self.get(name, default)
        if value is not None and (not isinstance(value, str) or not value.strip()):
            self.problem(name, f"must be a non-empty string, not {value!r}")
        return value if isinstance(value, str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """A non-empty list of strings."""
        value = self.get(name, None)
        if isinstance(value, list) and value and all(isinstance(item, str) for item in value):
            return tuple(value)
        if value is not None:
            self.problem(name, f"must be a non-empty list of strings, not {value!r}")
        return ()

    def members(self, name: str, known: Sequence[str]) -> tuple[str, ...]:
        """A list of some of the `known` names, each once; optional."""
        value = self.get(name, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            self.problem(name, f"must be a list of strings, not {value!r}")
            return ()
        if unknown := [item for item in value if item not in known]:
            self.problem(name, f"names {', '.join(map(repr, unknown))}; known are: {', '.join(known)}")
        elif len(set(value)) != len(value):
            self.problem(name, f"names one twice: {', '.join(value)}")
        return tuple(value)

    def seconds(self, name: str, default: float) -> float:
        """A positive number of seconds."""
        value = self.get(name, default)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
        self.problem(name, f"must be a positive number of seconds, not {value!r}")
        return default

    def member(self, name: str, kind: type[_Member]) -> _Member:
        """One of the values of an enumeration."""
        value = self.get(name, None)
        try:
            return kind(value)
        except ValueError:
            if value is not None:
                self.problem(name, f"must be one of {', '.join(kind)}; not {value!r}")
            return next(iter(kind))

    def choice(self, name: str, known: Iterable[str], default: str) -> str:
        """One of a few names."""
        value = self.get(name, default)
        if value in known:
            return str(value)
        self.problem(name, f"must be one of {', '.join(known)}; not {value!r}")
        return default

    def get(self, name: str, default: Any) -> Any:
        self.known.add(name)
        if name not in self.values and default is None and self.readable:
            self.problem(name, "is missing")
        return self.values.get(name, default)

    def close(self) -> None:
        for name in sorted(self.values.keys() - self.known):
            self.problem(name, f"is unknown; known are: {', '.join(sorted(self.known))}")

    def problem(self, where: str, reason: str) -> None:
        self.loader.problem(self.path, where, reason)
