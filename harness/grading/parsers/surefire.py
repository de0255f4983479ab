"""Reads what Maven Surefire prints: the classes that it ran, and their failed tests.

Passed tests have no names, so each class is one result: its id is `package.Class (8 tests)`, with the number of tests,
so that a missing test is noticed. A class with a skipped test is skipped. Failed tests are extra results,
`package.Class::test`. If the script can copy target/surefire-reports/*.xml to $RESULTS_DIR, use `report = "junit"`,
which reports every test.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from harness.grading.parsers.text import clean_lines, require_counts, seconds_of
from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus

_COUNTS = r"Tests run: (\d{1,9}), Failures: (\d{1,9}), Errors: (\d{1,9}), Skipped: (\d{1,9})"
# Output of a test may precede it on its line.
_CLASS = re.compile(_COUNTS + r", Time elapsed: (\d[\d.,]*) s(?:ec)?(?: <<< [A-Z]{5,7}!)? --? in (\S+)$")
_TOTALS = re.compile(r"(?:\[[A-Z]{4,7}\] )?" + _COUNTS + r"(?:, Flakes: \d{1,9})?")
_FAILED = re.compile(r" Time elapsed: (\d[\d.,]*) s(?:ec)? {1,9}<<< (FAILURE|ERROR)!$")
_COUNTED = re.compile(r"(\S+) \((\d{1,9}) tests?\)")
_WORDS = ("tests", "failures", "errors", "skipped")
ADVICE = "run mvn test once, without --quiet"


def parse_surefire(output: str) -> list[TestResult]:
    """Classes and failed tests, module by module. Raises ReportError if the classes contradict the totals."""
    found: list[TestResult] = []
    part: list[str] = []
    ended = False
    for line in clean_lines(output):
        part.append(line)
        if totals := _TOTALS.fullmatch(line):
            found += _module(part, dict(zip(_WORDS, map(int, totals.groups()), strict=True)))
            part, ended = [], True
    if not ended or any(_CLASS.search(line) for line in part):
        raise ReportError("the output holds no closing summary of Surefire: it broke off, or never began")
    return found


def _module(lines: Sequence[str], said: dict[str, int]) -> list[TestResult]:
    listed: Counter[str] = Counter()
    results: list[TestResult] = []
    current, counts = "", dict[str, int]()
    for line in lines:
        if match := _CLASS.search(line):
            counts = dict(zip(_WORDS, map(int, match.groups()[:4]), strict=True))
            listed.update(counts)
            results.append(
                TestResult(_class_id(match[6], counts["tests"]), _status(counts), seconds_of(match[5]))
            )
            current = match[6]
        elif current and (broken := _failed(current, line)):
            if not counts["failures"] + counts["errors"]:
                raise ReportError(
                    f"{current} counts no failed test, the output lists {broken.id!r} behind it"
                )
            results.append(broken)
    require_counts(said, listed, ADVICE)
    return results


def _status(counts: dict[str, int]) -> TestStatus:
    if counts["errors"]:
        return TestStatus.ERROR
    if counts["failures"]:
        return TestStatus.FAILED
    return TestStatus.SKIPPED if counts["skipped"] or not counts["tests"] else TestStatus.PASSED


def _failed(current: str, line: str) -> TestResult | None:
    """The failed test of a class in this line, if it names one; version 3 prints the class in front of the test."""
    end = _FAILED.search(line)
    if end is None:
        return None
    # In one pattern with the end, a line of spaces took half a second: each space can begin what follows the name.
    name = line[: end.start()].removeprefix("[ERROR] ").rstrip(" ").removesuffix(" --").rstrip(" ")
    if not name[:1].strip() or "<" in name:
        return None
    status = TestStatus.ERROR if end[2] == "ERROR" else TestStatus.FAILED
    return TestResult(f"{current}::{name.removeprefix(f'{current}.')}", status, seconds_of(end[1]))


def is_class(test: str) -> bool:
    """Whether the id of a test stands for all tests of a class."""
    return bool(class_of(test))


def class_of(test: str) -> str:
    """The class with its package if the id stands for all of its tests, else ''."""
    match = _COUNTED.fullmatch(test)
    return match[1] if match else ""


def without_altered(
    results: Sequence[TestResult],
    altered: Mapping[str, Collection[str]],
    right: Mapping[str, Collection[str]],
    classes: Collection[str] = (),
) -> Iterator[TestResult]:
    """The results of classes without their `altered` tests, and each altered and `right` test as a result of its own.

    `altered` and `right`: the names of methods by class, without its package. A method that a class does not list as
    failed has passed. `classes`: those that have altered tests, with their packages, if they are known: a class of an
    agent can have the same name in another package.
    A class that is reported several times has failed wherever another of its methods is listed: code under test can
    report it once as passed, and once more with every test failed, the altered ones among them.
    """
    methods: defaultdict[str, set[str]] = defaultdict(set)
    for result in results:
        holder, separator, method = result.id.partition("::")
        if separator:
            methods[holder].add(_method(method))
    for result in results:
        match = _COUNTED.fullmatch(result.id)
        simple = match[1].rpartition(".")[2] if match else ""
        if match is None or simple not in altered or (classes and match[1] not in classes):
            yield result
            continue
        listed = methods[match[1]]
        for name in {*altered[simple], *right[simple]} - listed:
            yield TestResult(f"{match[1]}::{name}", TestStatus.PASSED)
        others, status = not listed <= set(altered[simple]), result.status
        if status in (TestStatus.FAILED, TestStatus.ERROR) and not others:
            status = TestStatus.PASSED
        elif status is TestStatus.PASSED and others:
            status = TestStatus.FAILED
        yield replace(result, id=_class_id(match[1], int(match[2]) - len(altered[simple])), status=status)


def _class_id(name: str, tests: int) -> str:
    return f"{name} (1 test)" if tests == 1 else f"{name} ({tests} tests)"


def _method(test: str) -> str:
    """The method of a test, without its arguments and its case."""
    return test.partition("(")[0].partition("[")[0].partition("{")[0]
