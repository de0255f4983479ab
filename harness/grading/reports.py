"""The formats of test reports, by the name in a task's field `report`.

FILE_REPORTS are files that the runner writes into $RESULTS_DIR. PRINTED_REPORTS are a fallback, and labelled as such:
they read the printed output of the runner, which the code under test can write to as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from harness.grading.junit import parse_junit
from harness.grading.parsers.cargo import parse_cargo
from harness.grading.parsers.ctest import parse_ctest
from harness.grading.parsers.ctrf import parse_ctrf
from harness.grading.parsers.dotnet import parse_dotnet
from harness.grading.parsers.go import parse_go
from harness.grading.parsers.jest import parse_jest
from harness.grading.parsers.junit_console import parse_junit_console
from harness.grading.parsers.mocha import parse_mocha
from harness.grading.parsers.phpunit import parse_phpunit
from harness.grading.parsers.pytest import parse_pytest
from harness.grading.parsers.rspec import parse_rspec
from harness.grading.parsers.surefire import parse_surefire
from harness.grading.parsers.tap import parse_tap
from harness.grading.results import MAX_BYTES, MAX_SHOWN_NAME, ReportError, merged
from harness.records import TestResult

ParseFile = Callable[[bytes, str], Iterable[TestResult]]
ParseText = Callable[[str], Iterable[TestResult]]


# Files in $RESULTS_DIR: their suffix, and their parser of content and name.
FILE_REPORTS: Mapping[str, tuple[str, ParseFile]] = {
    "junit": (".xml", parse_junit),
    "ctrf": (".json", parse_ctrf),
    "tap": (".tap", parse_tap),
}
PRINTED_REPORTS: Mapping[str, ParseText] = {
    "pytest": parse_pytest,
    "jest": parse_jest,
    "mocha": parse_mocha,
    "surefire": parse_surefire,
    "junit-console": parse_junit_console,
    "go": parse_go,
    "cargo": parse_cargo,
    "rspec": parse_rspec,
    "phpunit": parse_phpunit,
    "dotnet": parse_dotnet,
    "ctest": parse_ctest,
}


def read_results(report: str, files: Mapping[str, bytes], output: str) -> tuple[TestResult, ...]:
    """All reported tests, those of files sorted by file name. If a test is reported twice, the worse status counts.

    `report` is the name of a format, `files` the content of $RESULTS_DIR, `output` the printed output.
    Raises ReportError if there is no report, if it is invalid or contradicts itself, or if it contains no test.
    """
    if report in FILE_REPORTS:
        return merged(_in_files(files, *FILE_REPORTS[report]))
    if report not in PRINTED_REPORTS:
        raise ReportError(f"there is no reader for reports called {report!r}")
    if len(output) > MAX_BYTES:
        raise ReportError(f"the output is larger than {MAX_BYTES // 1024**2} MB")
    return merged(PRINTED_REPORTS[report](output))


def is_printed(report: str) -> bool:
    """Whether results in this format come from printed output, which the code under test can write to as well."""
    return report in PRINTED_REPORTS


def _in_files(files: Mapping[str, bytes], suffix: str, parse: ParseFile) -> Iterator[TestResult]:
    reports = {name: content for name, content in sorted(files.items()) if name.lower().endswith(suffix)}
    if not reports:
        raise ReportError(f"the test script left no report (*{suffix}) in $RESULTS_DIR")
    if sum(map(len, reports.values())) > MAX_BYTES:
        raise ReportError(f"the reports are larger than {MAX_BYTES // 1024**2} MB")
    for name, content in reports.items():
        yield from parse(content, _shown(name))


def _shown(name: str) -> str:
    """A file's name as a sentence can hold it: code under test may give it bytes that are no text, and line ends."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in name[:MAX_SHOWN_NAME])
