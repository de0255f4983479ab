"""Reads a file of reported results, whatever its form."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from runs.reported.reported_result import ReportedSet, ResultsRefused
from runs.reported.source_file import SOURCE, read_directory, source_of
from runs.reported.table_files import is_table, read_table


def read_results(path: Path, given: Mapping[str, str]) -> ReportedSet:
    """The results in a file or directory. `given`: values of the source, which the file does not say or which differ.

    Raises ResultsRefused, which names the place in the file.
    """
    try:
        path.resolve(strict=True)
    except (OSError, RuntimeError, ValueError) as error:
        raise ResultsRefused(path, f"there is no such file: {error}") from error
    if path.is_dir() and (path / SOURCE).is_file():
        return read_directory(path, given)
    if path.is_file() and is_table(path):
        return ReportedSet(source_of(given, "options"), read_table(path))
    raise ResultsRefused(
        path,
        "its form is unknown: a directory with source.toml, a table, or a form of docs/reported-results.md",
    )
