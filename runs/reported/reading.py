"""Reads a file of reported results, whatever its form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

from django.utils import timezone

from runs.reported.forms import (
    atif_trajectories,
    hal_runs,
    harbor_jobs,
    inspect_logs,
    mini_swe_agent_runs,
    swe_agent_runs,
    swe_bench_board,
    swe_bench_reports,
    terminal_bench_runs,
)
from runs.reported.forms.eval_archive import is_archive, read_archive
from runs.reported.report_document import ReportDocument, files_of, read_json
from runs.reported.reported_result import ReportedSet, ResultsRefused
from runs.reported.source_file import SOURCE, read_directory, source_of
from runs.reported.step_readers.json_file import first_lines, is_json_lines, is_small, outline_of
from runs.reported.table_files import is_table, read_table

OPERATOR = "an operator of this site"
UNKNOWN = "its form is unknown: a directory with source.toml, a table, or a form of docs/reported-results.md"


class ReportForm(Protocol):
    """A module of `forms`. `NAMES`: patterns of the names of its files in a directory."""

    NAMES: tuple[str, ...]

    def matches(self, content: Any) -> bool:
        """Whether the content of a file is of this form."""

    def read(self, documents: Iterator[ReportDocument], given: Mapping[str, str]) -> ReportedSet:
        """The results of at least one document."""


STREAMED: tuple[ReportForm, ...] = (inspect_logs, atif_trajectories, mini_swe_agent_runs, swe_agent_runs)
"""Forms that read files of any size: the beginning of a large file is enough for them."""
FORMS: tuple[ReportForm, ...] = (
    harbor_jobs,  # before the forms of the files in their directories
    terminal_bench_runs,
    *STREAMED,
    swe_bench_board,
    hal_runs,
    swe_bench_reports,
)


def read_results(path: Path, given: Mapping[str, str]) -> ReportedSet:
    """The results in a file or directory. `given`: values of the source, which the file does not say or which differ.

    For forms whose files have several parts, it says which one is meant: 'board', 'scorer'.
    Raises ResultsRefused, which names the place in the file.
    """
    try:
        path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise ResultsRefused(path, f"there is no such file: {error}") from error
    if path.is_dir():
        return read_directory(path, given) if (path / SOURCE).is_file() else _read_tree(path, given)
    if not path.is_file():
        raise ResultsRefused(path, UNKNOWN)
    if is_table(path):
        return ReportedSet(source_of(given, "options"), read_table(path))
    document = _document(path, path.name)
    for form in FORMS:
        if form.matches(document.content):
            return form.read(iter([_for(form, document)]), given)
    raise ResultsRefused(path, UNKNOWN)


def read_trajectories(path: Path, given: Mapping[str, str]) -> ReportedSet:
    """The results in a file or directory that have trajectories; they add to those that were imported before.

    What only people know of them has a default: who reports them. Raises ResultsRefused, also if there is none.
    """
    options = {"reported_by": OPERATOR, "version": timezone.now().date().isoformat(), **given}
    found = read_results(path, options)
    results = [result for result in found.results if result.trajectory is not None]
    if not results:
        raise ResultsRefused(path, "it has results but no trajectory: `import_results` reads it")
    names = {result.agent for result in results}
    agents = tuple(agent for agent in found.agents if agent.name in names)
    return replace(found, results=results, agents=agents, printed=(), adds=True, options=options)


def _read_tree(directory: Path, given: Mapping[str, str]) -> ReportedSet:
    """The results of the first form that files below a directory have."""
    files = list(files_of(directory))
    for form in FORMS:
        documents = (
            _for(form, document)
            for path in files
            if any(fnmatch(path.name, name) for name in form.NAMES)
            and form.matches((document := _document(path, str(path.relative_to(directory)))).content)
        )
        if (first := next(documents, None)) is not None:
            return form.read(chain([first], documents), given)
    raise ResultsRefused(directory, UNKNOWN)


def _document(path: Path, place: str) -> ReportDocument:
    """The content of a file; of a large one, or of JSON lines, the beginning."""
    if is_archive(path):
        return ReportDocument(path, place, read_archive(path, place))
    if is_json_lines(path):
        return ReportDocument(path, place, first_lines(path, place), whole=False)
    if is_small(path):
        return ReportDocument(path, place, read_json(path, place))
    return ReportDocument(path, place, outline_of(path, place), whole=False)


def _for(form: ReportForm, document: ReportDocument) -> ReportDocument:
    """The document as a form reads it."""
    if document.whole or form in STREAMED:
        return document
    return replace(document, content=read_json(document.path, document.place), whole=True)
