"""The output of tests and their names, as the verifiers of other tools write them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from harness.redaction import Redactor
from runs.intake.reported.report_document import is_plain_file, pick, read_json
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.trajectory import WriteFile

MAX_LOG_BYTES = 4 * 1024**2  # of each file
_CUT = b"\n[cut: the file as it was imported has all of it]\n"


def log_of(files: Mapping[str, Path]) -> WriteFile | None:
    """What writes the beginnings of these text files, by their title, one after the other; None without any."""
    found = {title: path for title, path in files.items() if is_plain_file(path) and path.stat().st_size}
    return partial(_write, found) if found else None


def _write(files: Mapping[str, Path], target: Path, redactor: Redactor) -> None:
    with target.open("wb") as log:
        for title, path in files.items():
            with path.open("rb") as file:
                data = file.read(MAX_LOG_BYTES + 1)
            if title:
                log.write(f"==== {title} ====\n".encode("utf-8", "replace"))
            log.write(redactor.data(data[:MAX_LOG_BYTES]))
            log.write(_CUT if len(data) > MAX_LOG_BYTES else b"")


def ctrf_tests(path: Path, place: str, prefix: str = "") -> tuple[list[str], list[str]]:
    """The names of passed and failed tests in a report in the Common Test Report Format (ctrf.io).

    A test that is there twice failed if one of them did. Raises ResultsRefused.
    """
    listed = pick(read_json(path, place), "results", "tests")
    if not isinstance(listed, list):
        raise ResultsRefused(place, "'results' has no list of 'tests'")
    statuses: dict[str, str] = {}
    for number, test in enumerate(listed, 1):
        name, status = pick(test, "name"), pick(test, "status")
        if not isinstance(name, str) or not name or not isinstance(status, str):
            raise ResultsRefused(f"{place}, test {number}", "it has no name or no status")
        if status in ("passed", "failed") and statuses.get(prefix + name) != "failed":
            statuses[prefix + name] = status
    return _with(statuses, "passed"), _with(statuses, "failed")


def _with(statuses: Mapping[str, str], wanted: str) -> list[str]:
    return [name for name, status in statuses.items() if status == wanted]
