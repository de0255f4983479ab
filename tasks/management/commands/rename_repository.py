from __future__ import annotations

import itertools
import shutil
import tomllib
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.admission.admit import AdmissionRefused
from harness.dataset import Dataset, Repository, Tree, load_repository, write_proof
from harness.errors import ConfigurationError, HarnessError
from harness.sandbox import open_engine
from harness.sandbox.base import Engine
from tasks.generation.admitting import Prove, load_task_of, prover
from tasks.generation.renaming.failures import mentioned_names
from tasks.generation.renaming.new_names import new_names
from tasks.generation.renaming.package_names import package_names
from tasks.generation.renaming.safe_names import MAX_RUNS, SafeNames, Trial, find_safe_names
from tasks.generation.renaming.twin import Renaming, changes, write_repository, write_twin_task
from tasks.generation.suite.hidden_suite import HiddenSuite
from tasks.generation.suite.screening import Baseline, Thresholds, compared, measure_baseline

INSTANCE = "shell"  # a running site does not remove its containers


class Command(BaseCommand):
    """Writes the twin of a repository with other names."""

    help = (
        "Writes a twin of a generated repository in which the names that its package defines are others, and twins of "
        "its tasks. The hidden tests decide in containers which names can be renamed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The repository, the twin's name, and how much may be tried."""
        parser.add_argument("repository", metavar="REPOSITORY", help="with hidden tests in tests/")
        parser.add_argument("--dataset", type=Path, required=True, metavar="DIR")
        parser.add_argument("--slug", required=True, metavar="NEW", help="name of the twin")
        parser.add_argument("--seed", type=int, default=0, metavar="N")
        parser.add_argument("--most-runs", type=int, default=MAX_RUNS, metavar="N", help="of the tests")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Prints each test run, how many names were renamed, and each task."""
        try:
            with closing(open_engine()) as engine:
                if not engine.isolated:
                    raise ConfigurationError("the tests run in containers: unset BENCHBENCH_ENGINE")
                self._make(engine, options)
        except (HarnessError, OSError) as error:
            raise CommandError(str(error)) from error

    def _make(self, engine: Engine, options: dict[str, Any]) -> None:
        seed, slug = options["seed"], options["slug"]
        dataset, repository = load_repository(options["dataset"], options["repository"])
        if (dataset.directory / slug).exists():
            raise ConfigurationError(f"{dataset.directory / slug} exists already: choose another --slug")
        renaming, found = _renaming(engine, repository, seed, options["most_runs"], self._say)
        write_repository(repository, renaming, slug)
        _, twin = load_repository(dataset.directory, slug)
        names = len(renaming.names), len(renaming.modules)
        self._say(
            f"renamed {names[0]} names and {names[1]} modules; {len(found.refused)} break the tests, "
            f"{len(found.untried)} untried; {found.runs} test runs"
        )
        measure_baseline(_suite(engine, twin), Thresholds(), _left_out(twin))
        prove = prover(engine, INSTANCE)
        for place in sorted((repository.directory / "tasks").iterdir()):
            _, task = load_task_of(dataset.directory, repository.slug, place.name)
            directory = write_twin_task(repository, task, twin, renaming, canary=dataset.canary, seed=seed)
            if directory is not None:
                self._say(f"{task.slug}: {_proved(dataset, twin, directory, prove)}")

    def _say(self, line: str) -> None:
        """At once, also into a file or a pipe: the command takes minutes."""
        self.stdout.write(line)
        self.stdout.flush()


def _proved(dataset: Dataset, twin: Repository, directory: Path, prove: Prove) -> str:
    """The name of a task whose proof was stored, or why it was refused, and removed."""
    loaded, written = load_task_of(dataset.directory, twin.slug, directory.name)
    try:
        write_proof(written, prove(loaded, written))
    except AdmissionRefused as refused:
        shutil.rmtree(directory)
        return f"refused: {refused.reason[:300]}"
    return directory.name


def _renaming(
    engine: Engine, repository: Repository, seed: int, most_runs: int, say: Callable[[str], None]
) -> tuple[Renaming, SafeNames]:
    """The names with which the hidden tests pass as before."""
    tests = Tree(repository.directory / "tests")
    package = package_names(repository.source.files(), tests.files())
    names = new_names(package.names | package.modules, package.identifiers, seed=seed)
    renaming = Renaming(
        {name: names[name] for name in package.names}, {name: names[name] for name in package.modules}
    )
    baseline = measure_baseline(_suite(engine, repository), Thresholds(), _left_out(repository))
    trial = _trial(engine, repository, tests, renaming, baseline)
    numbers = itertools.count(1)

    def noted(tried: Sequence[str]) -> frozenset[str] | None:
        mentioned = trial(tried)
        result = "passed" if mentioned is None else "failed"
        say(f"test run {next(numbers)} of at most {most_runs}, with {len(tried)} other names: {result}")
        return mentioned

    found = find_safe_names(sorted(names), noted, most_runs=most_runs)
    return renaming.only(found.renamed), found


def _trial(
    engine: Engine, repository: Repository, tests: Tree, renaming: Renaming, baseline: Baseline
) -> Trial:
    def trial(names: Sequence[str]) -> frozenset[str] | None:
        chosen = renaming.only(names)
        suite = _suite(engine, repository, Tree(tests.root, changed=tuple(changes(tests, chosen))))
        run = suite(changes(repository.source, chosen), max(60.0, 5 * baseline.seconds))
        failing, _ = compared(run, baseline)
        return mentioned_names(run, failing, chosen.all) if run.trouble or failing else None

    return trial


def _suite(engine: Engine, repository: Repository, tests: Tree | None = None) -> HiddenSuite:
    report = _settings(repository).get("report", "junit")
    tests = tests or Tree(repository.directory / "tests")
    return HiddenSuite(engine, repository, tests, report=report, instance=INSTANCE)


def _left_out(repository: Repository) -> Sequence[str]:
    return tuple(_settings(repository).get("leave_out", ()))


def _settings(repository: Repository) -> dict[str, Any]:
    return tomllib.loads((repository.directory / "repository.toml").read_text(encoding="utf-8"))
