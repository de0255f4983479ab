"""Prepares a data directory for a site: tables, static files, datasets, agents, an operator."""

from __future__ import annotations

import hashlib
import json
import lzma
import tarfile
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.db import transaction

from benchbench.dataset_memory import load_if_changed
from harness.dataset import DatasetError
from harness.records import SUMMARY
from runs.access.accounts import one_time_password
from runs.intake.reported.catalogue.stored_agents import name_harnesses
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.source_file import SOURCE, described_agents, read_directory, read_source
from runs.intake.reported.storing import store
from runs.models import ResultReport, Run
from runs.operations.evaluations.default_agents import create_standard_agents
from runs.transfer.importing import import_runs, separate_imports
from runs.transfer.run_directories import ImportRefused

ADMIN = "admin"
SHIPPED = "recorded runs that ship with BenchBench"
DATASETS = ("starter", "workflows", "generated")  # those that a site has from the first start on


@dataclass(frozen=True, slots=True)
class Operator:
    """The first operator, with a one-time password. Only a hash of it is stored, so it is shown once."""

    user: User
    password: str


def prepare_database() -> list[str]:
    """Creates tables and loads the shipped datasets, agents, results and runs. Returns a sentence for each error."""
    call_command("migrate", verbosity=0, interactive=False)
    troubles = []
    for name in DATASETS:
        try:
            load_if_changed(settings.DATASETS_ROOT / name)
        except DatasetError as error:
            troubles.append(f"The dataset {name} was not loaded: {error}")
    create_standard_agents()
    try:
        separate_imports()
    except ImportRefused as error:
        troubles.append(f"Runs that were imported earlier could not be marked: {error}")
    return troubles + (_import_shipped_results() if settings.SHIPPED_RESULTS else [])


def _import_shipped_results() -> list[str]:
    """Imports the reported results and the recorded runs that ship with BenchBench."""
    troubles = []
    for path in sorted((settings.DATASETS_ROOT / "reported").glob(f"*/{SOURCE}")):
        try:
            _import_reported(path.parent)
        except ResultsRefused as error:
            troubles.append(f"The reported results in {path.parent.name} were not imported: {error}")
    for archive in sorted(Path(settings.RECORDED_ROOT).glob("*.tar.xz")):
        try:
            if not _is_imported(archive):
                import_runs(archive, origin=SHIPPED)
        except ImportRefused as error:
            troubles.append(f"The recorded runs in {archive.name} were not imported: {error}")
    return troubles


def _is_imported(archive: Path) -> bool:
    """Whether the runs of an archive that ships with BenchBench are known: all or none are imported, so one tells."""
    try:
        with tarfile.open(archive) as packed:
            first = next(one for one in packed if PurePosixPath(one.name).name == SUMMARY)
            content = packed.extractfile(first)
            run_id = json.loads(content.read())["identity"]["run_id"] if content else ""
    except (tarfile.TarError, lzma.LZMAError, EOFError, OSError, ValueError, LookupError, StopIteration):
        return False  # the import says what is wrong
    return Run.objects.filter(key=run_id, evaluation__origin=SHIPPED).exists()


def _import_reported(directory: Path) -> None:
    """Imports the results in a directory, unless this version was imported before. Raises ResultsRefused.

    Of what was imported before, agents get the harness that earlier versions of the site did not store.
    """
    source = read_source(directory, {})
    known = ResultReport.objects.filter(dataset__slug=source.slug, version=source.version)
    if known.exists():
        name_harnesses(source, described_agents(directory))
    else:
        store(read_directory(directory, {}))


def collect_static_files() -> bool:
    """Collects the static files if one was added, removed or changed since the last time. Returns whether it did."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    state = _static_state()
    if stamp.is_file() and stamp.read_text() == state:
        return False
    call_command("collectstatic", verbosity=0, interactive=False, clear=True)
    stamp.write_text(state)
    return True


def create_operator() -> Operator | None:
    """Creates the first operator with a one-time password; None if there is one already."""
    if User.objects.filter(is_superuser=True).exists():
        return None
    with transaction.atomic():
        user = User.objects.create_superuser(username=ADMIN)
        return Operator(user, one_time_password.issue(user))


def _static_state() -> str:
    state = hashlib.sha256()
    for finder in get_finders():
        for path, storage in finder.list([]):
            found = Path(storage.path(path)).stat()
            state.update(f"{path} {found.st_size} {found.st_mtime_ns}\n".encode())
    return state.hexdigest()
