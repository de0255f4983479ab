"""Reads datasets in BenchBench's own layout.

    datasets/<dataset>/dataset.toml                 name, version, licence, canary string
    datasets/<dataset>/<repository>/repository.toml title, stack, languages, domain, workdir, report
      Dockerfile                                    the environment; no test and no solution in it
      source/                                       the code as the agent first sees it
      run_tests.sh                                  `run_tests.sh <task>` writes JUnit XML into $RESULTS_DIR
      tasks/<task>/                                 task.toml, description.md, reference.diff, tests/, proof.json;
                                                    optional: traps/*.diff, each adds a test that solutions fail

`tools = ["api_call", …]` in task.toml (for one task) or in repository.toml (for all its tasks) offers optional tools:
OPTIONAL_TOOLS.

`load_dataset` rejects a dataset with problems and lists all of them, each with file, field and reason.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from harness.dataset.reading import Reader, Table
from harness.dataset.trees import Tree


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
            raise DatasetError(self.problems)
        return dataset

    def repository(self, directory: Path) -> Repository:
        """One repository with its tasks."""
        table = Table(self, directory / "repository.toml")
        self.check_dockerfile(directory / "Dockerfile")
        self.require(directory / "run_tests.sh", "it runs the hidden tests")
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
            tasks=tuple(self.task(path, directory, digest, tools, report) for path in self.tasks_of(tasks)),
        )
        table.close()
        if not (repository.tasks or self.only):
            self.problem(directory, "tasks", "holds no task: expected tasks/*/task.toml")
        return repository

    def task(
        self,
        directory: Path,
        repository: Path,
        repository_digest: str,
        shared_tools: tuple[str, ...],
        shared_report: str | None,
    ) -> Task:
        """One task. `shared_*`: the repository's settings for all its tasks; None: not set."""
        table = Table(self, directory / "task.toml")
        report = table.choice("report", REPORT_NAMES, shared_report or DEFAULT_REPORT)
        description = self.require(directory / "description.md", "it is the agent's instructions")
        reference = self.require(directory / "reference.diff", "the oracle applies it")
        tests = self.require(directory / "tests", "they grade the task", tree=True)
        if reference:
            self.check_patch(directory / "reference.diff", Tree(repository / "source"))
        digest = self.digest(
            directory / "task.toml",
            directory / "description.md",
            directory / "reference.diff",
            tests and directory / "tests",
            directory / "traps",
            repository / "run_tests.sh",
            # task.toml is part of the digest already. The repository's settings count only if they are not the default.
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
            reference_diff=directory / "reference.diff",
            tests=Tree(directory / "tests"),
            test_timeout=table.seconds("test_timeout", 300.0),
            digest=digest,
            proof=self.proof(directory / "proof.json"),
            tools=tuple(tool for tool in OPTIONAL_TOOLS if tool in offered),
            report=report,
            report_declared="report" in table.values or shared_report is not None,
            traps=self.traps(directory, Tree(directory / "tests")),
        )
        table.close()
        return task


def _unless_default(report: str) -> Iterator[str]:
    """Empty for the default, so that proofs from before the setting existed stay valid."""
    if report != DEFAULT_REPORT:
        yield f"report={report}"
