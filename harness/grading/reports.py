"""The formats of test reports, by the name in a task's field `report`.

The first ones are files that the runner writes into $RESULTS_DIR. The others are a fallback, and labelled as such: they
read the printed output of the runner, which the code under test can write to as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

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
from harness.grading.results import MAX_BYTES, ReportError, merged
from harness.records import TestResult

ParseFile = Callable[[bytes, str], Iterable[TestResult]]
ParseText = Callable[[str], Iterable[TestResult]]


@dataclass(frozen=True, slots=True)
class FileReport:
    """Files in $RESULTS_DIR with this suffix, each read by `parse(content, name)`."""

    suffix: str
    parse: ParseFile
    printed = False

    def read(self, files: Mapping[str, bytes], output: str) -> Iterable[TestResult]:
        """The tests of all files, sorted by file name. Raises ReportError if there is no file."""
        del output
        reports = {
            name: content for name, content in sorted(files.items()) if name.lower().endswith(self.suffix)
        }
        if not reports:
            raise ReportError(f"the test script left no report (*{self.suffix}) in $RESULTS_DIR")
        if sum(map(len, reports.values())) > MAX_BYTES:
            raise ReportError(f"the reports are larger than {MAX_BYTES // 1024**2} MB")
        return (result for name, content in reports.items() for result in self.parse(content, name))


@dataclass(frozen=True, slots=True)
class PrintedReport:
    """The printed output of a runner, read by `parse(text)`."""

    parse: ParseText
    printed = True

    def read(self, files: Mapping[str, bytes], output: str) -> Iterable[TestResult]:
        """The tests in the printed output; ignores the files."""
        del files
        if len(output) > MAX_BYTES:
            raise ReportError(f"the output is larger than {MAX_BYTES // 1024**2} MB")
        return self.parse(output)


REPORTS: Mapping[str, FileReport | PrintedReport] = {
    "junit": FileReport(".xml", parse_junit),
    "ctrf": FileReport(".json", parse_ctrf),
    "tap": FileReport(".tap", parse_tap),
    "pytest": PrintedReport(parse_pytest),
    "jest": PrintedReport(parse_jest),
    "mocha": PrintedReport(parse_mocha),
    "surefire": PrintedReport(parse_surefire),
    "junit-console": PrintedReport(parse_junit_console),
    "go": PrintedReport(parse_go),
    "cargo": PrintedReport(parse_cargo),
    "rspec": PrintedReport(parse_rspec),
    "phpunit": PrintedReport(parse_phpunit),
    "dotnet": PrintedReport(parse_dotnet),
    "ctest": PrintedReport(parse_ctest),
}


def read_results(report: str, files: Mapping[str, bytes], output: str) -> tuple[TestResult, ...]:
    """All reported tests in order. If a test is reported twice, the worse status counts.

    `report` is a name in REPORTS, `files` the content of $RESULTS_DIR, `output` the printed output.
    Raises ReportError if there is no report, if it is invalid or contradicts itself, or if it contains no test.
    """
    if report not in REPORTS:
        raise ReportError(f"there is no reader for reports called {report!r}")
    return merged(REPORTS[report].read(files, output))


def is_printed(report: str) -> bool:
    """Whether results in this format come from printed output, which the code under test can write to as well."""
    return report in REPORTS and REPORTS[report].printed
