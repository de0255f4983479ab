"""Reads what the console launcher of the JUnit Platform prints with --details=tree, its default; both themes.

Test ids are `class > method() > invocation`, with displayed names and without the engine. An aborted test is skipped.
A class or a factory that failed itself is a failed test with its name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from harness.grading.parsers.text import clean_lines, require_counts
from harness.grading.results import ReportError, with_short_names
from harness.records import TestResult, TestStatus

_UNICODE = re.compile(r"((?:[│ ]  )*)[├└]─ (.+)")
_ASCII = re.compile(r"((?:[| ] )*)[+']-- (.+)")
_MARKS = {
    "✔": "successful",
    "[OK]": "successful",
    "✘": "failed",
    "[X]": "failed",
    "■": "aborted",
    "[A]": "aborted",
    "↷": "skipped",
    "[S]": "skipped",
}
_STATUS = {"successful": TestStatus.PASSED, "failed": TestStatus.FAILED}
_COUNT = re.compile(r"\[ *(\d{1,9}) (tests|containers) (successful|failed|aborted|skipped) *\]")
_BRANCHES = "├└+'"
ADVICE = "run the console launcher once, with --details=tree"

# Depth, name, status word, message.
_Node = tuple[int, str, str, str]


def parse_junit_console(output: str) -> list[TestResult]:
    """The tests in the order of the tree."""
    lines = clean_lines(output)
    nodes = [node for line in lines if line.lstrip("│| ")[:1] in _BRANCHES and (node := _node(line))]
    said = _totals(lines)
    listed = Counter(word for _, _, word, _ in nodes)
    # Tests of a skipped class are counted but not listed.
    listed["skipped"] = max(listed["skipped"], said.get("skipped", 0))
    require_counts(said, listed, ADVICE)
    return [result for _, result in with_short_names(_results(nodes))]


def _totals(lines: Sequence[str]) -> Mapping[str, int]:
    """The counts of tests and containers together, by status."""
    counts: dict[tuple[str, str], int] = {}
    for line in lines:
        if count := _COUNT.fullmatch(line):
            kind = (count[2], count[3])
            if counts.setdefault(kind, int(count[1])) != int(count[1]):
                raise ReportError("the output holds several different summaries of the JUnit Platform")
    if ("tests", "successful") not in counts:
        raise ReportError(
            "the output holds no closing summary of the JUnit Platform: it broke off, or never began"
        )
    totals: Counter[str] = Counter()
    for (_, word), number in counts.items():
        totals[word] += number
    return totals


def _results(nodes: Sequence[_Node]) -> Iterator[tuple[str, TestResult]]:
    path: list[str] = []
    for number, (depth, name, word, message) in enumerate(nodes):
        path = [*path[:depth], name]
        below = nodes[number + 1][0] if number + 1 < len(nodes) else 0
        if depth and (below <= depth or word == "failed"):
            status = _STATUS.get(word, TestStatus.SKIPPED)
            yield word, TestResult(" > ".join(path[1:]), status, 0.0, message)


def _node(line: str) -> _Node | None:
    """One line of the tree: `│  ├─ name ✘ message`, or `| +-- name [X] message`."""
    for pattern, width in ((_UNICODE, 3), (_ASCII, 2)):
        if match := pattern.fullmatch(line.rstrip()):
            name, word, message = _split_node(match[2])
            return (len(match[1]) // width, name, word, message) if word else None
    return None


def _split_node(text: str) -> tuple[str, str, str]:
    """Name, status word and message of a node. Only a failure or a skip has a message after its status."""
    name, _, mark = text.rpartition(" ")
    if _MARKS.get(mark) == "successful":
        return name.strip(), "successful", ""
    at = [(text.find(f" {mark} "), mark) for mark, word in _MARKS.items() if word != "successful"]
    first = min((found for found in at if found[0] >= 0), default=None)
    if first:
        return text[: first[0]].strip(), _MARKS[first[1]], text[first[0] + len(first[1]) + 2 :]
    return (name.strip(), _MARKS[mark], "") if mark in _MARKS else (text, "", "")
