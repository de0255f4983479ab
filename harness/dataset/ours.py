"""Reads datasets in BenchBench's own layout.

    datasets/<dataset>/dataset.toml                 name, version, licence, canary string
    datasets/<dataset>/<repository>/repository.toml title, stack, languages, domain, workdir, report
      Dockerfile                                    the environment; no test and no solution in it
      environment/                                  optional: alone in the build context of the Dockerfile
      source/                                       the code as the agent first sees it
      tests/                                        optional: hidden tests of all tasks without tests/ of their own
      run_tests.sh                                  `run_tests.sh <task>` writes JUnit XML into $RESULTS_DIR; not
                                                    needed if all tasks are workflows
      tasks/<task>/                                 task.toml, description.md, reference.diff, tests/, proof.json;
                                                    optional: traps/*.diff, each adds a test that solutions fail;
                                                    start.diff and generation.json: see harness.dataset.generation;
                                                    with `mode = "workflow"`: see harness.dataset.workflow

`tools = ["api_call", …]` in task.toml (for one task) or in repository.toml (for all its tasks) offers optional tools:
OPTIONAL_TOOLS. `leave_out = ["test id", …]`, for one task or all, names tests that are skipped or expected to fail.

`load_dataset` rejects a dataset with problems and lists all of them, each with file, field and reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from harness.dataset.generation import GENERATION, START, Generation, read_generation
from harness.dataset.languages import spelled
from harness.dataset.model import (
    DEFAULT_REPORT,
    OPTIONAL_TOOLS,
    REPORT_NAMES,
    Category,
    Dataset,
    DatasetError,
    Difficulty,
    Repository,
    Task,
)
from harness.dataset.reading import Reader
from harness.dataset.scenarios import read_workflows
from harness.dataset.tables import Table
from harness.dataset.trees import Tree, digest_of
from harness.dataset.verifier_kinds import RunTests
from harness.dataset.workflow import (
    CONVERSATION,
    VERIFIERS,
    WORKFLOW,
    Mode,
    Workflow,
)
from harness.patches import PatchError, touched_paths


@dataclass(frozen=True, slots=True)
class _Shared:
    """What the tasks of a repository have in common. `report` None: not set. `extra`: what their digests depend on."""

    directory: Path
    source: Tree
    tools: tuple[str, ...]
    report: str | None
    leave_out: tuple[str, ...]
    extra: tuple[str, ...]
    tests_digest: str


class OurLayout(Reader):
    """Reads one dataset; `load` raises DatasetError when there are problems."""

    def load(self) -> Dataset:
        """The dataset; raises DatasetError if it has a problem."""
        table = Table(self, self.directory / "dataset.toml")
        repositories = (path.parent for path in sorted(self.directory.glob("*/repository.toml")))
        dataset = Dataset(
            slug=self.slug(self.directory),
            title=table.text("title"),
            description=table.text("description"),
            version=table.text("version"),
            licence=table.text("licence"),
            canary=table.text("canary"),
            directory=self.directory,
            repositories=tuple(map(self.repository, self.repositories_of(repositories))),
            public_messages=table.flag("public_messages"),
        )
        table.close()
        if not (dataset.repositories or self.only) and self.directory.is_dir():
            self.problem(
                self.directory,
                "",
                "holds no repository: expected */repository.toml, or tasks/*/task_description.txt of IDE-Bench",
            )
        if not (self.problems or self.only):
            self.check_canary(dataset)
        if self.problems:
            raise DatasetError(dict.fromkeys(self.problems))  # the personas of a scenario share its files
        return dataset

    def repository(self, directory: Path) -> Repository:
        """One repository with its tasks."""
        table = Table(self, directory / "repository.toml")
        self.check_dockerfile(directory / "Dockerfile")
        self.require(directory / "source", "it is what the agent sees", tree=True)
        workdir = PurePosixPath(table.text("workdir", "/app"))
        if not workdir.is_absolute() or ".." in workdir.parts or len(workdir.parts) < 2:
            table.problem("workdir", f"must be an absolute path below /, not {str(workdir)!r}")
        environment = directory / "environment"
        parts = (directory / "Dockerfile", environment)
        digest = self.digest(directory / "Dockerfile", directory / "source", environment, extra=str(workdir))
        shared = self.shared(table, directory, digest)
        tasks = (path.parent for path in sorted(directory.glob("tasks/*/task.toml")))
        repository = Repository(
            slug=self.slug(directory),
            title=table.text("title"),
            description=table.text("description"),
            stack=table.text("stack"),
            languages=tuple(dict.fromkeys(map(spelled, table.texts("languages")))),
            domain=table.text("domain"),
            workdir=workdir,
            directory=directory,
            source=shared.source,
            digest=digest,
            tasks=tuple(
                task
                for path in self.tasks_of(tasks)
                for task in self.tasks(path, shared)
                if self.only is None or task.slug == self.only[1]
            ),
            environment=Tree(environment) if environment.is_dir() else None,
            environment_digest=self.digest(*parts, extra=str(workdir)) if environment.is_dir() else "",
            licence=table.text("licence", ""),
            origin=table.text("origin", ""),
            origin_sha256=table.text("origin_sha256", ""),
        )
        table.close()
        if not repository.tasks or any(map(_runs_script, repository.tasks)):
            self.require(directory / "run_tests.sh", "it runs the hidden tests")
        slugs = Counter(task.slug for task in repository.tasks)
        for slug in (slug for slug, number in slugs.items() if number > 1):
            self.problem(directory / "tasks", slug, "is the name of two tasks")
        if not (repository.tasks or self.only or shared.tests_digest):  # tasks may be generated from it
            self.problem(directory, "tasks", "holds no task: expected tasks/*/task.toml")
        return repository

    def shared(self, table: Table, directory: Path, digest: str) -> _Shared:
        """The repository's settings for all its tasks."""
        declared = "report" in table.values
        tools, leave_out = table.members("tools", OPTIONAL_TOOLS), table.texts("leave_out", ())
        tests = directory / "tests"
        # Once for all tasks: with 180 of them, checking it for each takes half of the loading time.
        if tests.is_dir():
            self.require(tests, "they grade the tasks", tree=True)
        return _Shared(
            directory=directory,
            source=Tree(directory / "source"),
            tools=tools,
            report=table.choice("report", REPORT_NAMES, DEFAULT_REPORT) if declared else None,
            leave_out=leave_out,
            extra=(digest, *tools, *(f"leave_out={test}" for test in leave_out)),
            tests_digest=digest_of(tests) if tests.is_dir() else "",
        )

    def tasks(self, directory: Path, shared: _Shared) -> list[Task]:
        """The task in a directory; for a workflow, one for each persona."""
        table = Table(self, directory / "task.toml")
        report = table.choice("report", REPORT_NAMES, shared.report or DEFAULT_REPORT)
        mode = Mode(table.choice("mode", list(Mode), Mode.CODE))
        own_tests = (directory / "tests").exists() or not shared.tests_digest or mode == Mode.WORKFLOW
        tests = Tree((directory if own_tests else shared.directory) / "tests")
        # task.toml is part of the digest already. The repository's settings count only if they are not the default.
        extra = " ".join(
            (*shared.extra, *_unless_default(report), *([] if own_tests else [shared.tests_digest]))
        )
        parts = _parts(directory, shared.directory, is_workflow=mode == Mode.WORKFLOW)
        digest, proof = self.digest(*parts, extra=extra), self.proof(directory / "proof.json")
        with self.skipping_patches(skip=proof is not None and proof.digest == digest):
            workflows = self.workflows(directory, shared.directory) if mode == Mode.WORKFLOW else ()
            if mode != Mode.WORKFLOW:
                self.check_code_task(directory, shared, tests)
            traps = self.traps(directory, tests)
        written = directory / "description.md"
        offered = {*shared.tools, *table.members("tools", OPTIONAL_TOOLS)}
        task = Task(
            slug=self.slug(directory),
            title=table.text("title"),
            category=table.member("category", Category),
            difficulty=table.member("difficulty", Difficulty),
            description=self.read(written) if written.is_file() else "",
            directory=directory,
            reference_diff=directory / "reference.diff",
            tests=tests,
            test_timeout=table.seconds("test_timeout", 300.0),
            digest=digest,
            proof=proof,
            tools=tuple(tool for tool in OPTIONAL_TOOLS if tool in offered),
            report=report,
            report_declared="report" in table.values or shared.report is not None,
            traps=traps,
            mode=mode,
            start=directory / START if (directory / START).is_file() else None,
            generation=self.generation(directory / GENERATION, mode),
            leave_out=(*shared.leave_out, *table.texts("leave_out", ())),
        )
        table.close()
        return [
            replace(
                task,
                slug=f"{task.slug}.{workflow.persona}",
                title=f"{task.title} ({workflow.persona} user)",
                description=workflow.first_message,
                workflow=workflow,
            )
            for workflow in workflows
        ] or ([] if mode == Mode.WORKFLOW else [task])

    def generation(self, path: Path, mode: Mode) -> Generation | None:
        """How the task was made; reports a record that is missing or does not fit the mode."""
        if not path.is_file():
            if mode in (Mode.REMOVE, Mode.DISCOVERY):
                self.problem(
                    path, "", f"is missing: it names the functions to repair of a task in mode {mode}"
                )
            return None
        found = read_generation(path, lambda where, reason: self.problem(path, where, reason))
        if found and not found.targets and mode in (Mode.REMOVE, Mode.DISCOVERY):
            self.problem(path, "targets", f"is empty: a task in mode {mode} has a function to repair")
        return found

    def check_code_task(self, directory: Path, shared: _Shared, tests: Tree) -> None:
        """Reports missing parts of a task without a conversation, and a patch that does not apply."""
        self.require(directory / "description.md", "it is the agent's instructions")
        if tests.root != shared.directory / "tests":
            self.require(tests.root, "they grade the task", tree=True)
        source, start = shared.source, directory / START
        if start.exists() and self.require(start, "the agent starts with it"):
            source = self.check_patch(start, source)
        if self.require(directory / "reference.diff", "the oracle applies it"):
            self.check_patch(directory / "reference.diff", source)
        if (directory / WORKFLOW).exists():
            self.problem(directory / "task.toml", "mode", f'must be "workflow": there is a {WORKFLOW}')

    def workflows(self, directory: Path, repository: Path) -> tuple[Workflow, ...]:
        """The workflows of a scenario; reports missing parts, and a patch that does not apply."""
        reference, changed = directory / "reference.diff", list[str]()
        if not reference.is_file():
            self.problem(reference, "", "is missing: the oracle applies it; it may be empty")
        elif reference.stat().st_size and self.require(reference, "the oracle applies it"):
            self.check_patch(reference, Tree(repository / "source"))
            with suppress(PatchError):
                changed = touched_paths(reference.read_bytes())
        if (directory / "tests").exists():
            self.require(
                directory / "tests", "they are hidden files; leave it out if there are none", tree=True
            )
        for name in ("description.md", "traps"):
            if (directory / name).exists():
                self.problem(directory / name, "", "is not used by a workflow task")
        return read_workflows(self, directory, changed)


def _runs_script(task: Task) -> bool:
    """Whether grading runs the repository's test script."""
    verifiers = task.workflow.verifiers if task.workflow else ()
    return not task.workflow or any(isinstance(one, RunTests) and not one.command for one in verifiers)


def _parts(directory: Path, repository: Path, *, is_workflow: bool) -> Iterator[Path]:
    """The files and directories that the digest of a task covers; those that do not exist are left out."""
    yield directory / "task.toml"
    yield from (directory / name for name in ((WORKFLOW, VERIFIERS, CONVERSATION) if is_workflow else ()))
    for name in ("description.md", "reference.diff", "tests", "traps", START, GENERATION):
        yield directory / name
    yield repository / "run_tests.sh"


def _unless_default(report: str) -> Iterator[str]:
    """Empty for the default, so that proofs from before the setting existed stay valid."""
    if report != DEFAULT_REPORT:
        yield f"report={report}"
