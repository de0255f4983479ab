"""Reads what pytest prints with -rA, with -v, or with both; plain, coloured, or from several workers (pytest-xdist).

Test ids are pytest's own: `tests/test_a.py::TestB::test_c[parameter]`. With only -rA, pytest prints the lines of
skipped tests instead of their names; then the id of a skipped test is `tests/test_a.py:7`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from harness.grading.parsers.text import clean_lines, only_one, require_counts
from harness.grading.results import MAX_MESSAGE, MAX_TESTS
from harness.records import TestResult, TestStatus

_WORDS = {
    "PASSED": ("passed", TestStatus.PASSED),
    "FAILED": ("failed", TestStatus.FAILED),
    "SUBFAILED": ("failed", TestStatus.FAILED),
    "SUBFAIL": ("failed", TestStatus.FAILED),
    "ERROR": ("errors", TestStatus.ERROR),
    "SKIPPED": ("skipped", TestStatus.SKIPPED),
    "XFAIL": ("xfailed", TestStatus.EXPECTED_FAILURE),
    "XPASS": ("xpassed", TestStatus.PASSED),
}
_COUNTED = ("passed", "failed", "errors", "skipped", "xfailed", "xpassed")
_UNCOUNTED = ("warning", "warnings", "deselected", "rerun", "reruns", "subtests passed", "subtest passed")
ADVICE = "run pytest once, with -rA or -v"
_SECTIONS = {
    "ERRORS",
    "FAILURES",
    "PASSES",
    "XPASSES",
    "XFAILURES",
    "warnings summary",
    "short test summary info",
}
_HEADER = "short test summary info"
_DURATION = re.compile(r"\d+(?:\.\d+)?s(?: \(\d[\d:, days]*\))?")
_COUNT = re.compile(r"(\d{1,9}) ([a-z ]{1,20})")
_WORKER = re.compile(r"\[gw\d{1,6}\] (?:\[ *\d{1,3}%\] )?([A-Z]{4,9}) (.+)")
_FOLDED_SKIP = re.compile(r"\[(\d{1,9})\] ([^:]+(?::\d+)?)(?:: (.*))?")
_SUBTEST = re.compile(r"(SUBFAILED|SUBFAIL)[\[( ](.*)")

# A printed status: pytest's status word, the test, how many times, and the message.
_Verdict = tuple[str, str, int, str]


def parse_pytest(output: str) -> list[TestResult]:
    """The tests in the order in which they are listed. Raises ReportError if the lists contradict the totals."""
    lines = clean_lines(output)
    ends = [
        (number, totals) for number, line in enumerate(lines) if (totals := pytest_totals(line)) is not None
    ]
    totals = only_one([totals for _, totals in ends], "pytest")
    end = ends[-1][0]
    start = max((number for number in range(end) if lines[number].strip("= ") == _HEADER), default=end)
    summary = list(_summary(lines[start + 1 : end]))
    # The sections after the first heading contain the output of the tests.
    sections = next((number for number in range(end) if lines[number].strip("= ") in _SECTIONS), end)
    progress = [verdict for line in lines[:sections] if (verdict := _progress(line))]
    if any(word == "PASSED" for word, *_ in summary) or not progress:
        return _from_summary(summary, progress, totals)
    return _from_progress(summary, progress, totals)


def _from_summary(
    summary: Sequence[_Verdict], progress: Sequence[_Verdict], totals: Mapping[str, int]
) -> list[TestResult]:
    """Uses the summary at the end, which only pytest writes. The progress lines of -v can only make a status worse."""
    require_counts(totals, _counts(summary), ADVICE)
    skipped = [verdict for verdict in progress if verdict[0] == "SKIPPED"]
    if sum(times for word, _, times, _ in summary if word == "SKIPPED") == len(skipped):
        summary = [*(verdict for verdict in summary if verdict[0] != "SKIPPED"), *skipped]
    known = {node for _, node, _, _ in summary}
    return _results([*summary, *(verdict for verdict in progress if verdict[1] in known)])


def _from_progress(
    summary: Sequence[_Verdict], progress: Sequence[_Verdict], totals: Mapping[str, int]
) -> list[TestResult]:
    """Uses the progress line of each test. The summary at the end can only make a status worse."""
    counts = dict(_counts(progress))
    # Subtests of unittest and collection errors have no progress line.
    for word, count in _counts([verdict for verdict in summary if verdict[0] != "SKIPPED"]).items():
        counts[word] = max(count, counts.get(word, 0))
    require_counts(totals, counts, ADVICE)
    return _results([*progress, *(verdict for verdict in summary if verdict[0] != "SKIPPED")])


def _counts(verdicts: Sequence[_Verdict]) -> Mapping[str, int]:
    counts: Counter[str] = Counter()
    for word, _, times, _ in verdicts:
        counts[_WORDS[word][0]] += times
    return counts


def _results(verdicts: Sequence[_Verdict]) -> list[TestResult]:
    return [
        TestResult(node, _WORDS[word][1], message=message[:MAX_MESSAGE])
        for word, node, _, message in verdicts[: 2 * MAX_TESTS + 2]
    ]


def pytest_totals(line: str) -> Mapping[str, int] | None:
    """`=== 1 failed, 2 passed in 0.05s ===`, with or without its frame; None for any other line."""
    counted, found, duration = line.strip("= ").rpartition(" in ")
    if not found or not _DURATION.fullmatch(duration):
        return None
    counts = dict.fromkeys(_COUNTED, 0)
    if counted == "no tests ran":
        return counts
    for part in counted.split(", "):
        match = _COUNT.fullmatch(part)
        if match is None:
            return None
        word = "errors" if match[2] == "error" else match[2]
        if word in counts:
            counts[word] += int(match[1])
        elif word not in _UNCOUNTED:
            return None
    return counts


def _summary(lines: Sequence[str]) -> Iterator[_Verdict]:
    for line in lines:
        if subtest := _SUBTEST.match(line):
            # SUBFAILED[what was varied] (i=2) path::test - message
            rest = subtest[2]
            begin = rest.rfind(" ", 0, max(rest.find("::"), 0)) + 1
            yield (subtest[1], *_node(rest[begin:]))
            continue
        word, _, rest = line.partition(" ")
        if word not in _WORDS or not rest:
            continue
        if word == "PASSED":
            yield word, rest, 1, ""
        elif word == "SKIPPED" and (folded := _FOLDED_SKIP.match(rest)):
            yield word, folded[2], int(folded[1]), folded[3] or ""
        else:
            yield (word, *_node(rest))


def _node(rest: str) -> tuple[str, int, str]:
    """`path::test[parameter] - message`, where the parameter may also contain ' - '."""
    bracket, dash = rest.find("[", rest.find("::") + 1), rest.find(" - ")
    if -1 < bracket < dash:
        dash = rest.find("] - ", bracket)
        dash += dash >= 0
    return (rest, 1, "") if dash < 0 else (rest[:dash], 1, rest[dash + 3 :])


def _progress(line: str) -> _Verdict | None:
    """`path::test PASSED [ 50%]`, or from a worker: `[gw0] [ 50%] PASSED path::test`."""
    if line.startswith("[gw"):
        worker = _WORKER.fullmatch(line)
        return (worker[1], worker[2].rstrip(), 1, "") if worker and worker[1] in _WORDS else None
    if "::" not in line or line[:1].isspace():
        return None
    if line.endswith("%]"):
        line = line[: line.rfind("[")]
    node, word, message = _split_progress(line.rstrip())
    return (word, node, 1, message) if word in _WORDS and "::" in node else None


def _split_progress(line: str) -> tuple[str, str, str]:
    """Test, status word and reason of `path::test SKIPPED (reason)`; the word is not checked."""
    if line.endswith(")"):
        for word in ("SKIPPED", "XFAIL", "XPASS"):
            node, found, reason = line.partition(f" {word} (")
            if found:
                return node, word, reason[:-1]
    node, found, varied = line.partition(" SUBFAIL")
    if found:
        return node, "SUBFAILED", varied
    node, _, word = line.rpartition(" ")
    return node, word, ""
