"""Reads what `cargo test` prints. The script must merge both streams (2>&1): cargo names its targets on stderr.

Test ids are `crate:source::path::to::test`, for example `calc:src/lib.rs::tests::adds`. A documentation test is
`crate:doc::source - item #2`, the second one of that item: the line that cargo prints moves with every edit.
A crate that did not compile, or a target without a result, is an error with the name of the crate or target.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from harness.grading.parsers.text import clean_lines, require_counts
from harness.grading.results import ReportError
from harness.records import TestResult, TestStatus

_STATUS = {"ok": TestStatus.PASSED, "FAILED": TestStatus.FAILED, "ignored": TestStatus.SKIPPED}
_WORD = {"ok": "passed", "FAILED": "failed", "ignored": "ignored"}
_TARGET = re.compile(r" *Running (?:unittests )?(\S+) \((?:\S*[/\\])?([^/\\\s]+)-[0-9a-f]{16}(?:\.exe)?\)")
_DOC = re.compile(r" *Doc-tests (\S+)")
_TEST = re.compile(r"test (\S.*) \.\.\. (ok|FAILED|ignored)(?:, (.*)| <[\d.]+s>)?")
_TOTALS = re.compile(
    r"test result: (?:ok|FAILED)\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored; "
    r"\d+ measured; \d+ filtered out.*"
)
_UNCOMPILED = re.compile(r"error: could not compile `([^`]+)`.*")
_MODIFIERS = (" - should panic", " - compile fail", " - compile")
_LINE = re.compile(r" \(line (\d{1,9})\)$")
ADVICE = "run cargo test without --quiet and --nocapture, and merge both streams (2>&1)"


def parse_cargo(output: str) -> list[TestResult]:
    """The tests, target by target."""
    lines = clean_lines(output)
    found = [result for target, part in _targets(lines) for result in _results(target, part)]
    for line in lines:
        if uncompiled := _UNCOMPILED.fullmatch(line):
            found.append(TestResult(uncompiled[1], TestStatus.ERROR, 0.0, line))
    if not found:
        raise ReportError("the output lists no test of cargo")
    return found


def _targets(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The output of each target, with its name. Lines before the first are ignored, unless there are no targets."""
    target = ""
    part: list[str] = []
    for line in lines:
        running, doc = _TARGET.fullmatch(line), _DOC.fullmatch(line)
        if running or doc:
            yield target, part
            target = f"{running[2]}:{running[1]}" if running else f"{doc[1]}:doc" if doc else ""
            part = []
        else:
            part.append(line)
    yield target, part


def _results(target: str, lines: Sequence[str]) -> list[TestResult]:
    totals = [match for line in lines if (match := _TOTALS.fullmatch(line))]
    # The output of the tests follows this heading.
    shown = next((n for n, line in enumerate(lines) if line in ("failures:", "successes:")), len(lines))
    tests = [match for line in lines[:shown] if (match := _TEST.fullmatch(line))]
    if not target and not totals and not tests:
        return []
    if len(totals) > 1:
        raise ReportError(f"the output holds several results of {target or 'one target'}")
    if not totals:
        return [TestResult(target or "a target", TestStatus.ERROR, 0.0, "ended without a result")]
    found = [TestResult(_name(test[1]), _STATUS[test[2]], 0.0, test[3] or "") for test in tests]
    said = {
        word: int(count)
        for word, count in zip(("passed", "failed", "ignored"), totals[0].groups(), strict=True)
    }
    require_counts(said, Counter(_WORD[test[2]] for test in tests), ADVICE)
    numbers = _numbers(found) if target.endswith(":doc") else {}
    return [replace(one, id="::".join(filter(None, (target, numbers.get(one.id, one.id))))) for one in found]


def _numbers(found: Sequence[TestResult]) -> Mapping[str, str]:
    at = sorted(
        (one.id[: line.start()], int(line[1]), one.id) for one in found if (line := _LINE.search(one.id))
    )
    seen: Counter[str] = Counter()
    numbers = {}
    for item, _, name in at:
        if name not in numbers:
            seen[item] += 1
            numbers[name] = f"{item} #{seen[item]}"
    return numbers


def _name(printed: str) -> str:
    for modifier in _MODIFIERS:
        printed = printed.removesuffix(modifier)
    return printed
