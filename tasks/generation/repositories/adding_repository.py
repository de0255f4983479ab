"""Adds a repository to a dataset: writes its files, and measures its own tests."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from harness.dataset import Tree, load_repository
from harness.errors import ConfigurationError
from harness.patches import write_files
from harness.records import TestStatus
from harness.sandbox.base import Engine
from harness.scratch import scratch
from tasks.generation.repositories.repository_files import RepositorySettings, repository_files
from tasks.generation.suite.hidden_suite import HiddenSuite
from tasks.generation.suite.screening import Baseline, RepositoryRefused, Thresholds, measure_baseline

_NOT_RUN = (TestStatus.SKIPPED, TestStatus.EXPECTED_FAILURE)
_SECONDS = 600.0
_COPY = "copy: "
# Names of the packages in the workspace, looked for on the rest of Python's path.
_FIND_COPIES = f"""#!/bin/sh
exec python3 -I -c '
import os, sys
own = [place for place in sys.path if place == "/app" or place.startswith("/app/")]
names = {{name[:-3] if name.endswith(".py") else name for place in own for name in os.listdir(place)
         if name.endswith(".py") or os.path.exists(os.path.join(place, name, "__init__.py"))}}
for place in sys.path:
    for name in sorted(names - {{"setup", "tests", "test"}}):
        for end in ("", ".py"):
            if place not in own and os.path.exists(os.path.join(place, name + end)):
                print("{_COPY}" + os.path.join(place, name + end))
'
"""


def add_repository(archive: Path, dataset: Path, settings: RepositorySettings, engine: Engine) -> Baseline:
    """Adds the package in `archive` to the dataset, and returns how its tests ran three times on the unchanged source.

    Tests that are skipped or expected to fail are left out by name. With `settings.for_changes`, source and tests are
    removed again: tasks from merged changes have their own. Raises ConfigurationError, ArchiveRefused,
    DatasetError, and RepositoryRefused if a test fails or is flaky; then nothing is added.
    """
    directory = dataset.resolve() / settings.slug
    if directory.exists():
        raise ConfigurationError(f"{directory} exists already: remove it, or choose another --slug")
    try:
        write_files(directory, repository_files(archive, settings))
        _refuse_copies(directory, engine)
        left_out = _not_run(directory, engine)
        shutil.rmtree(directory)
        write_files(directory, repository_files(archive, replace(settings, leave_out=left_out)))
        baseline = measure_baseline(_suite(directory, engine), Thresholds(), left_out)
        if settings.for_changes:
            shutil.rmtree(directory / "source")
            shutil.rmtree(directory / "tests")
        return baseline
    except BaseException:
        shutil.rmtree(directory, ignore_errors=True)
        raise


def _refuse_copies(directory: Path, engine: Engine) -> None:
    """Raises RepositoryRefused if the environment has a copy of the package: agents could read the original there."""
    suite = _suite(directory, engine)
    with scratch("copies") as place:
        script = place / "find_copies.sh"
        script.write_text(_FIND_COPIES, encoding="utf-8")
        found = suite.output_of(script, _SECONDS)
    copies = [line.removeprefix(_COPY) for line in found.splitlines() if line.startswith(_COPY)]
    if copies:
        raise RepositoryRefused(
            f"the environment has a copy of the package, where agents could read the original: {', '.join(copies)}. "
            "A package that pytest needs cannot be a repository; leave out the --apt package that brings it"
        )


def _not_run(directory: Path, engine: Engine) -> list[str]:
    """The tests that do not run here, or are expected to fail."""
    run = _suite(directory, engine)((), _SECONDS)
    if run.trouble:
        raise RepositoryRefused(f"the tests have no results: {run.trouble}; output ends: {run.output}")
    return sorted(result.id for result in run.results if result.status in _NOT_RUN)


def _suite(directory: Path, engine: Engine) -> HiddenSuite:
    _, repository = load_repository(directory.parent, directory.name)
    return HiddenSuite(engine, repository, Tree(directory / "tests"), report="junit")
