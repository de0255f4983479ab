from __future__ import annotations

import shlex
from argparse import ArgumentParser
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.urls import reverse

from harness.dataset import Repository as DiskRepository
from harness.dataset import load_dataset, load_repository
from harness.errors import ConfigurationError, HarnessError
from harness.sandbox import open_engine
from tasks.generation.maps.code_map import CodeMap, Graph, dumps
from tasks.generation.maps.mapping import hidden_tests, map_repository, places_of
from tasks.generation.maps.traced_calls import SECONDS, PytestCommand
from tasks.models import Repository
from tasks.stored_maps import store_map


class Command(BaseCommand):
    """Maps the code of a repository."""

    help = (
        "Maps the code of a repository: its functions and classes, their size and complexity, who calls whom, and "
        "their centralities. Its tests run in a container; they must be pytest's. If the repository is loaded, its "
        "page shows the map."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The repository, and how its tests run."""
        parser.add_argument("repository", help="its name: that of its directory in the dataset")
        parser.add_argument(
            "--dataset",
            type=Path,
            metavar="DIR",
            help="the dataset on disk; by default the one that is loaded",
        )
        parser.add_argument(
            "--output", type=Path, metavar="FILE", help="write the map into a file, as JSON, too"
        )
        parser.add_argument("--static-only", action="store_true", help="run no tests: no container is needed")
        parser.add_argument(
            "--python", default="python3", help="the interpreter in the image that has pytest"
        )
        parser.add_argument(
            "--pytest",
            metavar="ARGUMENTS",
            help="arguments of pytest; by default the directories of the hidden tests",
        )
        parser.add_argument(
            "--seconds", type=float, default=SECONDS, help="limit of each of the two test runs (%(default)s)"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        """Prints what was found at each stage."""
        stored = _loaded(options["repository"])
        try:
            repository = _on_disk(options["dataset"], options["repository"], stored)
            if stored and stored.dataset.slug != repository.directory.parent.name:
                stored = None  # one of the same name in another dataset
            if stored is None and options["output"] is None:
                raise CommandError(
                    "this repository is not loaded, so no page can show its map: add --output FILE"
                )
            found = self._map(repository, options)
        except HarnessError as error:
            raise CommandError(str(error)) from error
        if options["output"]:
            options["output"].write_bytes(dumps(found))
            self.stdout.write(f"map: {options['output']}")
        if stored:
            store_map(stored, found)
            self.stdout.write(f"page: {reverse('repository_map', args=[stored.slug])}")

    def _map(self, repository: DiskRepository, options: dict[str, Any]) -> CodeMap:
        with ExitStack() as stack:
            engine = None if options["static_only"] else stack.enter_context(closing(open_engine()))
            if engine and not engine.isolated:
                raise ConfigurationError(
                    "tests are only traced in containers: unset BENCHBENCH_ENGINE, or add --static-only"
                )
            given = options["pytest"]
            arguments = places_of(hidden_tests(repository)) if given is None else shlex.split(given)
            command = PytestCommand(options["python"], tuple(arguments), options["seconds"])
            found = map_repository(repository, engine, command=command, notify=self.stdout.write)
        for note in found.notes:
            self.stdout.write(note)
        counts = ", ".join(f"{len(found.calls(graph))} {graph}" for graph in Graph)
        self.stdout.write(f"calls between them: {counts}")
        return found


def _loaded(slug: str) -> Repository | None:
    """The repository in the database; None if it is not loaded, or if the site was not set up: a map needs none."""
    try:
        return Repository.objects.filter(slug=slug).select_related("dataset").first()
    except DatabaseError:
        if "tasks_repository" in connection.introspection.table_names():
            raise
        return None


def _on_disk(directory: Path | None, slug: str, stored: Repository | None) -> DiskRepository:
    """The repository's files. Raises DatasetError and ConfigurationError."""
    if directory is None:
        if stored is None or not stored.dataset.directory:
            raise ConfigurationError(
                f"no repository {slug!r} with files is loaded: load its dataset, or name it with --dataset DIR"
            )
        directory = settings.BASE_DIR / stored.dataset.directory
    directory = directory.resolve()
    if (directory / slug / "repository.toml").is_file():
        return load_repository(directory, slug)[1]  # it may have no task yet
    return load_dataset(directory).repository(slug)
