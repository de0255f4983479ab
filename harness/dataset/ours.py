"""Reads datasets in BenchBench's own layout.

    datasets/<dataset>/dataset.toml                 name, version, licence, canary string
    datasets/<dataset>/<repository>/repository.toml title, stack, languages, domain, workdir, report
      Dockerfile                                    the environment; no test and no solution in it
      source/                                       the code as the agent first sees it
      run_tests.sh                                  `run_tests.sh <task>` writes JUnit XML into $RESULTS_DIR; not
                                                    needed if all tasks are workflows
      tasks/<task>/                                 task.toml, description.md, reference.diff, tests/, proof.json;
                                                    optional: traps/*.diff, each adds a test that solutions fail;
                                                    with `mode = "workflow"`: see harness.dataset.workflow

`tools = ["api_call", …]` in task.toml (for one task) or in repository.toml (for all its tasks) offers optional tools:
OPTIONAL_TOOLS.

`load_dataset` rejects a dataset with problems and lists all of them, each with file, field and reason.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

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
from harness.dataset.trees import Tree
from harness.dataset.verifier_kinds import RunTests
from harness.dataset.workflow import (
    CONVERSATION,
    VERIFIERS,
    WORKFLOW,
    Mode,
    Workflow,
)
from harness.patches import PatchError, touched_paths


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
        digest = self.digest(directory / "Dockerfile", directory / "source", extra=str(workdir))
        tools = table.members("tools", OPTIONAL_TOOLS)
        declared = "report" in table.values
        report = table.choice("report", REPORT_NAMES, DEFAULT_REPORT) if declared else None
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
            source=Tree(directory / "source"),
            digest=digest,
            tasks=tuple(
                task
                for path in self.tasks_of(tasks)
                for task in self.tasks(path, directory, digest, tools, report)
                if self.only is None or task.slug == self.only[1]
            ),
        )
        table.close()
        if not repository.tasks or any(map(_runs_script, repository.tasks)):
            self.require(directory / "run_tests.sh", "it runs the hidden tests")
        slugs = Counter(task.slug for task in repository.tasks)
        for slug in (slug for slug, number in slugs.items() if number > 1):
            self.problem(directory / "tasks", slug, "is the name of two tasks")
        if not (repository.tasks or self.only):
            self.problem(directory, "tasks", "holds no task: expected tasks/*/task.toml")
        return repository

    def tasks(
        self,
        directory: Path,
        repository: Path,
        repository_digest: str,
        shared_tools: tuple[str, ...],
        shared_report: str | None,
    ) -> list[Task]:
        """The task in a directory; for a workflow, one for each persona.

        `shared_*`: the repository's settings for all its tasks; None: not set.
        """
        table = Table(self, directory / "task.toml")
        report = table.choice("report", REPORT_NAMES, shared_report or DEFAULT_REPORT)
        is_workflow = table.choice("mode", list(Mode), Mode.CODE) == Mode.WORKFLOW
        workflows = self.workflows(directory, repository) if is_workflow else ()
        if not is_workflow:
            self.check_code_task(directory, repository)
        written = directory / "description.md"
        # task.toml is part of the digest already. The repository's settings count only if they are not the default.
        extra = " ".join((repository_digest, *shared_tools, *_unless_default(report)))
        offered = {*shared_tools, *table.members("tools", OPTIONAL_TOOLS)}
        task = Task(
            slug=self.slug(directory),
            title=table.text("title"),
            category=table.member("category", Category),
            difficulty=table.member("difficulty", Difficulty),
            description=self.read(written) if written.is_file() else "",
            directory=directory,
            reference_diff=directory / "reference.diff",
            tests=Tree(directory / "tests"),
            test_timeout=table.seconds("test_timeout", 300.0),
            digest=self.digest(*_parts(directory, repository, is_workflow=is_workflow), extra=extra),
            proof=self.proof(directory / "proof.json"),
            tools=tuple(tool for tool in OPTIONAL_TOOLS if tool in offered),
            report=report,
            report_declared="report" in table.values or shared_report is not None,
            traps=self.traps(directory, Tree(directory / "tests")),
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
        ] or ([] if is_workflow else [task])

    def check_code_task(self, directory: Path, repository: Path) -> None:
        """Reports missing parts of a task without a conversation, and a patch that does not apply."""
        self.require(directory / "description.md", "it is the agent's instructions")
        self.require(directory / "tests", "they grade the task", tree=True)
        if self.require(directory / "reference.diff", "the oracle applies it"):
            self.check_patch(directory / "reference.diff", Tree(repository / "source"))
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
    for name in ("description.md", "reference.diff", "tests", "traps"):
        yield directory / name
    yield repository / "run_tests.sh"


def _unless_default(report: str) -> Iterator[str]:
    """Empty for the default, so that proofs from before the setting existed stay valid."""
    if report != DEFAULT_REPORT:
        yield f"report={report}"
