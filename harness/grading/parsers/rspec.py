"""Reads what RSpec prints with --format documentation. The progress format does not name passed examples.

Test ids are `group > inner group > example`. A pending example that was run and failed is an expected failure; other
pending examples are skipped. The id of an error outside of examples is the file that failed to load, or a number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.grading.parsers.text import clean_lines, only_one, require_counts
from harness.grading.results import with_short_names
from harness.records import TestResult, TestStatus

_TOTALS = re.compile(
    r"(\d{1,9}) examples?, (\d{1,9}) failures?(?:, (\d{1,9}) pending)?"
    r"(?:, (\d{1,9}) errors? occurred outside of examples)?"
)
_FAILED = re.compile(r"(.*) \(FAILED - \d{1,9}\)")
_OUTSIDE = re.compile(r"An error occurred (while loading (?:\./)?([^ ]+?)\.?(?: - .*)?|in an? .*)")
_ENDS = ("Pending: ", "Failures:", "Finished in ")
_ENTRY = re.compile(r"  \d{1,9}\) .*")
ADVICE = "run rspec once, with --format documentation"


def parse_rspec(output: str) -> list[TestResult]:
    """The examples in the order in which they were printed, errors outside of examples at the end."""
    lines = clean_lines(output)
    said = only_one([totals for line in lines if (totals := _totals(line)) is not None], "RSpec")
    end = next((number for number, line in enumerate(lines) if line.startswith(_ENDS)), len(lines))
    found = list(with_short_names(_examples(lines[:end])))
    outside = [match for line in lines[:end] if (match := _OUTSIDE.fullmatch(line.rstrip()))]
    listed = Counter(word for word, _ in found)
    listed["errors"] = len(outside)
    require_counts(said, listed, ADVICE)
    errors = [
        TestResult(match[2] or f"error outside of examples #{number}", TestStatus.ERROR, 0.0, match[0])
        for number, match in enumerate(outside, 1)
    ]
    return [*_with_expected_failures([result for _, result in found], lines[end:]), *errors]


def _totals(line: str) -> Mapping[str, int] | None:
    match = _TOTALS.fullmatch(line.strip())
    if match is None:
        return None
    examples, failed, pending, errors = (int(count or 0) for count in match.groups())
    return {"passed": examples - failed - pending, "failed": failed, "pending": pending, "errors": errors}


def _examples(lines: Sequence[str]) -> Iterator[tuple[str, TestResult]]:
    """The examples. A line is a group if it follows an empty line and has deeper lines below it."""
    tree = list(_tree(lines))
    groups: list[str] = []
    for (depth, text), (below, _) in zip(tree, [*tree[1:], (0, "")], strict=False):
        groups = [*groups[:depth], text]
        if below > depth or depth == 0:
            continue
        word, title, message = _split_example(text)
        status = {"passed": TestStatus.PASSED, "failed": TestStatus.FAILED}.get(word, TestStatus.SKIPPED)
        yield word, TestResult(" > ".join([*groups[:-1], title]), status, 0.0, message)


def _tree(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Depth and text of each line of the tree, without output at the margin and errors in hooks."""
    inside = hooks = False
    before = ""
    for line in lines:
        if _OUTSIDE.match(line):
            hooks = True
        elif hooks:
            hooks = not line.startswith("# ")
        elif line.startswith("  ") and line.strip() and inside:
            yield (len(line) - len(line.lstrip(" "))) // 2, line.strip()
        elif line[:1].strip() and not before.strip():
            inside = True
            yield 0, line.strip()
        before = line


def _split_example(text: str) -> tuple[str, str, str]:
    """Status word, title and reason of one example."""
    if failed := _FAILED.fullmatch(text):
        return "failed", failed[1], ""
    title, found, reason = text.partition(" (PENDING: ")
    return ("pending", title, reason[:-1]) if found and text.endswith(")") else ("passed", text, "")


def _with_expected_failures(found: Sequence[TestResult], after: Sequence[str]) -> Iterator[TestResult]:
    """The results with expected failures. The n-th entry below `Pending:` belongs to the n-th pending example."""
    failed: list[bool] = []
    for line in after:
        if line.startswith(_ENDS[1:]):
            break
        if _ENTRY.fullmatch(line):
            failed.append(False)
        elif failed and line.startswith("     Failure/Error:"):
            failed[-1] = True
    number = 0
    for result in found:
        if result.status is TestStatus.SKIPPED:
            number += 1
            if number <= len(failed) and failed[number - 1]:
                yield replace(result, status=TestStatus.EXPECTED_FAILURE)
                continue
        yield result
