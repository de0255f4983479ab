from __future__ import annotations

import secrets
import shlex
import shutil
import tomllib
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from harness.archive_stream import ArchiveRefused
from harness.dataset import DatasetError
from harness.errors import HarnessError
from harness.sandbox import open_engine
from tasks.generation.repositories.adding_repository import add_repository
from tasks.generation.repositories.repository_files import RepositorySettings
from tasks.generation.suite.screening import RepositoryRefused

_DATASET = """\
title = "{title}"
description = "Tasks generated from open source packages."
version = "1.0.0"
licence = "see each repository"
canary = "BENCHBENCH-CANARY {canary}"
"""


class Command(BaseCommand):
    """Adds a repository to a dataset."""

    help = (
        "Adds the source archive of a Python package to a dataset, as a repository that tasks can be generated from. "
        "Its own tests run three times in containers, and become the hidden tests. A missing dataset is made."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The archive, the dataset, and what the archive does not say."""
        parser.add_argument(
            "archive",
            type=Path,
            help="a source archive (sdist) with tests, NAME-VERSION.tar.gz, or a .dsc file",
        )
        parser.add_argument("--dataset", type=Path, required=True, metavar="DIR")
        parser.add_argument(
            "--slug", help="the name of the repository; default: that of the archive, without version"
        )
        parser.add_argument("--domain", default="library", help="what the package is about, in a word or two")
        parser.add_argument(
            "--licence", default="", help="an SPDX expression, if the archive does not state one"
        )
        parser.add_argument(
            "--apt", nargs="*", default=[], metavar="PACKAGE", help="Debian packages that the tests need"
        )
        parser.add_argument(
            "--pytest", default="", metavar="OPTIONS", help="for pytest, such as --pytest='--deselect=TEST'"
        )
        parser.add_argument(
            "--for-changes",
            action="store_true",
            help="for tasks from merged changes only: source/ and tests/ are left to collect_pulls",
        )
        parser.add_argument("--title", default="Generated tasks", help="of a new dataset")

    def handle(self, *_args: Any, archive: Path, dataset: Path, **options: Any) -> None:
        """Writes the repository; a refused one leaves nothing."""
        slug = options["slug"] or _slug(archive)
        is_new = not (dataset / "dataset.toml").exists()
        if is_new:
            dataset.mkdir(parents=True, exist_ok=True)
            text = _DATASET.format(title=options["title"], canary=secrets.token_hex(16))
            (dataset / "dataset.toml").write_text(text, encoding="utf-8")
        settings = RepositorySettings(
            slug=slug,
            domain=options["domain"],
            canary=tomllib.loads((dataset / "dataset.toml").read_text("utf-8"))["canary"],
            packages=options["apt"],
            pytest_options=shlex.split(options["pytest"]),
            licence=options["licence"],
            for_changes=options["for_changes"],
        )
        try:
            with closing(open_engine()) as engine:
                found = add_repository(archive, dataset, settings, engine)
        except (HarnessError, ArchiveRefused, DatasetError, RepositoryRefused, OSError) as error:
            if is_new:
                shutil.rmtree(dataset)
            raise CommandError(str(error)) from error
        left_out = f", {len(found.left_out)} left out" if found.left_out else ""
        self.stdout.write(
            f"{slug}: {len(found.passed)} tests in {found.cpu_seconds:.1f} s of CPU time{left_out} → {dataset / slug}"
        )


def _slug(archive: Path) -> str:
    """The name of the package: before the last dash of an sdist, before the underscore of a .dsc file."""
    name = archive.name.removesuffix(".tar.gz")
    return (name.partition("_") if archive.suffix == ".dsc" else name.rpartition("-"))[0].lower()
