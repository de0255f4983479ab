"""For all report parsers: the error, the limits, and the rule for a test that is reported twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from harness.errors import HarnessError
from harness.records import TestResult, TestStatus

MAX_BYTES = 64 * 1024 * 1024
MAX_TESTS = 50_000
MAX_NAMES = 64_000_000
MAX_MESSAGE = 4_000
MAX_SHOWN_NAME = 200
_MAX_SECONDS = 1e9

# From best to worst. If a test is reported twice, the worse status counts.
_ORDER = (
    TestStatus.PASSED,
    TestStatus.EXPECTED_FAILURE,
    TestStatus.SKIPPED,
    TestStatus.FAILED,
    TestStatus.ERROR,
)


class ReportError(HarnessError):
    """There is no usable report. The message follows "the tests gave no verdict: "."""


def plausible_seconds(reported: float) -> float:
    """The duration; 0 for one that no test has. Code under test may have written it, and sums have to stay finite."""
    return float(reported) if 0 <= reported < _MAX_SECONDS else 0.0


def worse(one: TestResult | None, other: TestResult) -> TestResult:
    """The worse of two results of one test, with the time of both."""
    if one is None:
        return other
    chosen = max(one, other, key=lambda result: _ORDER.index(result.status))
    return replace(chosen, seconds=one.seconds + other.seconds)


def merged(results: Iterable[TestResult]) -> tuple[TestResult, ...]:
    """Each test once, in order of appearance, with its worst status.

    Raises ReportError if there is no test or more than MAX_TESTS, or for names that are too long together.
    """
    found: dict[str, TestResult] = {}
    characters = 0
    for result in results:
        characters += 0 if result.id in found else len(result.id)
        require_short_names(characters)
        found[result.id] = worse(found.get(result.id), result)
        if len(found) > MAX_TESTS:
            raise ReportError(f"more than {MAX_TESTS} tests")
    if not found:
        raise ReportError("the report holds no test")
    return tuple(found.values())


def require_short_names(characters: int) -> None:
    """Raises ReportError if all ids of tests together have more than MAX_NAMES characters.

    A suite stands once in a report, but its name is in the id of each of its tests.
    """
    if characters > MAX_NAMES:
        raise ReportError(
            f"the names of the tests have more than {MAX_NAMES // 1_000_000} million characters"
        )


def with_short_names(found: Iterable[tuple[str, TestResult]]) -> Iterator[tuple[str, TestResult]]:
    """All of these results, each with a word for its status. Raises ReportError as `require_short_names` does."""
    characters = 0
    for word, result in found:
        characters += len(result.id)
        require_short_names(characters)
        yield word, result


def more_than_reported(
    results: Iterable[TestResult], reported: Sequence[tuple[str, str]] | None
) -> list[str]:
    """The names of tests that passed in `results` more often than in what the runner `reported` while it ran.

    Names are those of test functions, without files, classes and cases, cut after MAX_SHOWN_NAME characters:
    code under test can write longer ones. Empty if no runner reports its results (None).
    """
    if reported is None:
        return []
    passed = Counter(_function(result.id) for result in results if result.status is TestStatus.PASSED)
    passed.subtract(_function(name) for name, status in reported if status == "passed")
    return sorted(name[:MAX_SHOWN_NAME] for name, count in passed.items() if count > 0)


def _function(test: str) -> str:
    return test.partition("[")[0].rpartition("::")[2]
