"""The output of tests, and their names in the Common Test Report Format."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness.redaction import Redactor
from runs.intake.reported.reported_result import ResultsRefused
from runs.intake.reported.step_readers import verifier_files
from runs.intake.reported.step_readers.verifier_files import ctrf_tests, log_of


def report(directory: Path, content: Any) -> Path:
    path = directory / "ctrf.json"
    path.write_text(json.dumps(content))
    return path


def test_tests_are_named_by_their_status(tmp_path: Path) -> None:
    statuses = [
        ("a", "passed"),
        ("b", "failed"),
        ("c", "skipped"),
        ("d", "other"),
        ("a", "failed"),
        ("a", "passed"),
    ]
    tests = [{"name": name, "status": status} for name, status in statuses]
    path = report(tmp_path, {"results": {"tests": tests}})
    assert ctrf_tests(path, "ctrf.json") == ([], ["a", "b"])
    assert ctrf_tests(path, "ctrf.json", "one: ") == ([], ["one: a", "one: b"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], r"^v/ctrf.json: 'results' has no list of 'tests'$"),
        ({"results": {"tests": {}}}, r"^v/ctrf.json: 'results' has no list of 'tests'$"),
        ({"results": {"tests": [{"name": "a"}]}}, r"^v/ctrf.json, test 1: it has no name or no status$"),
        (
            {"results": {"tests": [{"name": "a", "status": "passed"}, 5]}},
            r"^v/ctrf.json, test 2: it has no name",
        ),
    ],
)
def test_an_invalid_report_is_refused_with_the_place(content: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ResultsRefused, match=message):
        ctrf_tests(report(tmp_path, content), "v/ctrf.json")


def test_a_log_has_the_beginnings_of_its_files_without_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifier_files, "MAX_LOG_BYTES", 20)
    (tmp_path / "one").write_text("x" * 30)
    (tmp_path / "two").write_text("short")
    (tmp_path / "empty").touch()
    (tmp_path / "link").symlink_to(tmp_path / "two")
    write = log_of(
        {"one": tmp_path / "one", "two": tmp_path / "two", **dict.fromkeys(("e",), tmp_path / "empty")}
    )
    assert write is not None
    write(tmp_path / "log", Redactor())
    cut = "[cut: the file as it was imported has all of it]"
    assert (tmp_path / "log").read_text() == f"==== one ====\n{'x' * 20}\n{cut}\n==== two ====\nshort"
    assert log_of({"": tmp_path / "missing", "e": tmp_path / "empty", "l": tmp_path / "link"}) is None
