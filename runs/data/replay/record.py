"""Reads parts of a run directory for pages: single steps, test results and settings.

Bad input raises no error: an unreadable report counts as missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.records import (
    EDITS,
    LOG,
    PATCH,
    SUBMISSIONS,
    SUMMARY,
    TESTS,
    TRAJECTORY,
    USER,
    RunRecord,
    Step,
    StepEdits,
    TestResult,
    TestStatus,
)
from runs.data.replay.jsonl import Stamp, stamp
from runs.data.replay.open_index import outline
from runs.models import ReportedTests, Run

_IMPORTED = "imported/"  # how the directories of runs from elsewhere begin


def version(directory: Path) -> str:
    """Changes whenever a file of the run directory that pages read changes."""
    names = (TRAJECTORY, EDITS, TESTS, PATCH, SUMMARY, LOG, USER, SUBMISSIONS)
    return "-".join(f"{mtime:x}.{size:x}" for mtime, size in (stamp(directory / name) for name in names))


def effective_settings(directory: Path) -> dict[str, Any]:
    """The agent's settings as recorded in the header of the trajectory; empty if there are none."""
    try:
        settings = RunRecord(directory).header()["agent"]["extra"]["effective"]
    except (OSError, ValueError, TypeError, LookupError):
        return {}
    return settings if isinstance(settings, dict) else {}


def read_step(directory: Path, number: int) -> tuple[Step, StepEdits | None] | None:
    """One step and its edits; None if there is no such step."""
    with outline(directory) as steps:
        row = steps.row(number)
        step = None if row is None else steps.step(row)
        return None if step is None else (step, steps.edits(number))


def cached_tests(directory: Path, *, output: bool = False) -> tuple[TestResult, ...]:
    """The results of the hidden tests; empty if the report is missing or unreadable.

    `output`: with what the tests wrote themselves, messages and seconds, which only some readers may see
    (`queries.visibility.sees_test_messages`).
    """
    state = stamp(directory / TESTS)
    return _tests(directory, state) if output else _statuses(directory, state)


def any_message(directory: Path) -> bool:
    """Whether the report of a run has the message of a test, without telling it."""
    return any(test.message for test in _tests(directory, stamp(directory / TESTS)))


def named_tests(runs: Iterable[Run], *, output: bool = False) -> dict[int, tuple[TestResult, ...]]:
    """Run → the results of its hidden tests, as `cached_tests`; those of reported runs as far as they have names.

    At most one query for all reported runs among these, which the reader may see.
    """
    by_run: dict[int, tuple[TestResult, ...]] = {}
    reported: list[int] = []
    for run in runs:
        by_run[run.pk] = cached_tests(run.path, output=output) if run.directory else ()
        if not by_run[run.pk] and (not run.directory or run.directory.startswith(_IMPORTED)):
            reported.append(run.pk)
    if reported:
        named = ReportedTests.objects.filter(run__in=reported)
        for pk, failed, passed in named.values_list("run_id", "failed", "passed"):
            by_run[pk] = (
                *(TestResult(test, TestStatus.FAILED) for test in failed),
                *(TestResult(test, TestStatus.PASSED) for test in passed),
            )
    return by_run


@lru_cache(maxsize=512)
def _statuses(directory: Path, state: Stamp) -> tuple[TestResult, ...]:
    return tuple(TestResult(test.id, test.status) for test in _tests(directory, state))


@lru_cache(maxsize=512)
def _tests(directory: Path, _stamp: Stamp) -> tuple[TestResult, ...]:
    try:
        return RunRecord(directory).tests()
    except (ValueError, KeyError, TypeError, AttributeError, OSError):
        return ()
