"""Reads TAP, the Test Anything Protocol, versions 12 to 14 (testanything.org).

Test ids are descriptions, with the parent's for subtests: `parent > child`. A test without a description is `test 3`.
`not ok # TODO` is an expected failure, `# SKIP` is skipped. Lines that are not TAP are ignored, as the protocol
requires; of the diagnostics only the type of a failure is read. A wrong plan, a number out of order and `Bail out!`
leave no verdict: other code may have written the stream.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace

from harness.grading.parsers.text import clean_lines
from harness.grading.results import MAX_MESSAGE, ReportError, require_short_names
from harness.records import TestResult, TestStatus

_POINT = re.compile(r"((?:    )*)(not )?ok\b(?: +(\d{1,9}))?(?: +- +| +-$| +|$)(.*)")
_PLAN = re.compile(r"((?:    )*)1\.\.(\d{1,9})(?: *#.*)?")
_BAIL_OUT = re.compile(r" *Bail out!(.*)")
_DIRECTIVE = re.compile(r"(?:^|\s)#\s?(skip|todo)\S*(.*)", re.IGNORECASE)
_YAML = re.compile(r"( +)---")
# Node's test runner says why a test failed.
_TYPE = re.compile(r" +failureType: '(\w{1,40})'")
_BY_SUBTESTS = "subtestsFailed"
_MAX_DEPTH = 100


@dataclass(slots=True)
class _Level:
    """The test points of one stream. The plan is at its start or its end. `names`: how long their ids are together."""

    count: int = 0
    plan: int | None = None
    names: int = 0
    results: list[TestResult] = field(default_factory=list)


def parse_tap(content: bytes, name: str = "report") -> list[TestResult]:
    """The test points of one stream, children before their parents. Raises ReportError with file and line."""
    levels = [_Level()]
    block = ""
    for number, line in enumerate(clean_lines(content.decode("utf-8", "replace")), 1):
        where = f"{name}, line {number}"
        if block:
            if (kind := _TYPE.fullmatch(line.rstrip())) and line.startswith(f"{block}f"):
                _explain(levels, len(block) // 4, kind[1])
            block = "" if line.rstrip() == f"{block}..." else block
        elif yaml := _YAML.fullmatch(line.rstrip()):
            block = yaml[1]
        elif bail := _BAIL_OUT.fullmatch(line):
            raise ReportError(f"{where}: the tests bailed out:{bail[1][:200]}")
        elif plan := _PLAN.fullmatch(line.rstrip()):
            level = _level(levels, plan[1], where)
            planned = int(plan[2])
            if level.plan is not None:
                raise ReportError(f"{where}: there is a second plan")
            level.plan = planned
        elif point := _POINT.fullmatch(line.rstrip()):
            _point(levels, point, where)
    if len(levels) > 1:
        raise ReportError(f"{name}: it broke off in the middle of a subtest")
    return _closed(levels[0], name)


def without_failed_parents(
    results: Iterable[TestResult], altered: Collection[str], expected: Collection[str] = ()
) -> Iterator[TestResult]:
    """The results, in which tests have passed that failed only because of subtests with these ids.

    Subtests come before their parents. A parent may say in its diagnostics that it failed by itself.
    `expected`: the ids of all tests without altered ones, if they are known. Then only a test above one of these is a
    parent, because code under test can report failed subtests of any test.
    """
    parents = {parent for test in expected for parent in _parents(test)}
    failed: list[str] = []
    for result in results:
        below = f"{result.id} > "
        by_subtests = result.status is TestStatus.FAILED and result.message in ("", _BY_SUBTESTS)
        if (
            by_subtests
            and (not expected or result.id in parents)
            and any(test.startswith(below) for test in altered)
            and not any(test.startswith(below) for test in failed)
        ):
            yield replace(result, status=TestStatus.PASSED, message="")
            continue
        if result.status in (TestStatus.FAILED, TestStatus.ERROR):
            failed.append(result.id)
        yield result


def _parents(test: str) -> Iterator[str]:
    """The ids of the tests that this one is a subtest of."""
    for place in re.finditer(" > ", test):
        yield test[: place.start()]


def _explain(levels: list[_Level], depth: int, kind: str) -> None:
    """Sets the message of the last test point at this depth, if it failed without one."""
    if depth < len(levels) and levels[depth].results:
        last = levels[depth].results[-1]
        if last.status is TestStatus.FAILED and not last.message:
            levels[depth].results[-1] = replace(last, message=kind)


def _level(levels: list[_Level], indent: str, where: str) -> _Level:
    """The stream with this indentation: an open one, or a new one below the last."""
    depth = len(indent) // 4
    if depth > _MAX_DEPTH:
        raise ReportError(f"{where}: more than {_MAX_DEPTH} subtests inside each other")
    if depth + 1 < len(levels):
        raise ReportError(f"{where}: a subtest has no test point of its parent")
    while len(levels) <= depth:
        levels.append(_Level())
    return levels[depth]


def _point(levels: list[_Level], point: re.Match[str], where: str) -> None:
    depth = len(point[1]) // 4
    below = levels.pop() if depth + 1 < len(levels) else _Level(plan=0)
    children = _closed(below, where)
    level = _level(levels, point[1], where)
    level.count += 1
    if point[3] and int(point[3]) != level.count:
        raise ReportError(f"{where}: test {point[3]} should be number {level.count}")
    description, status, message = _read(point[4], bad=bool(point[2]))
    title = description or f"test {level.count}"
    level.names += len(title) + below.names + len(children) * len(f"{title} > ")
    try:
        require_short_names(level.names)
    except ReportError as error:
        raise ReportError(f"{where}: {error}") from None
    level.results += [replace(child, id=f"{title} > {child.id}") for child in children]
    level.results.append(TestResult(title, status, 0.0, message[:MAX_MESSAGE]))


def _read(rest: str, *, bad: bool) -> tuple[str, TestStatus, str]:
    """Description, status and reason. A hash sign in a description is escaped with a backslash."""
    status = TestStatus.FAILED if bad else TestStatus.PASSED
    message = ""
    if directive := _DIRECTIVE.search(rest.replace("\\#", "\\\0")):
        rest = rest[: directive.start()]
        message = directive[2].replace("\0", "#").strip()
        if directive[1].lower() == "skip":
            status = TestStatus.SKIPPED
        elif bad:
            status = TestStatus.EXPECTED_FAILURE
    return rest.replace("\\#", "#").replace("\\\\", "\\").strip(" {"), status, message


def _closed(level: _Level, where: str) -> list[TestResult]:
    if level.plan is None:
        raise ReportError(f"{where}: there is no plan (1..N): it broke off, or is no TAP")
    if level.plan != level.count:
        raise ReportError(f"{where}: the plan says {level.plan} tests, there are {level.count}")
    return level.results
