"""What everybody may read of a grading. A patch can make its tests print what the hidden tests hold.

Public are: each expected test with its status, the verdict's reason, the flags. Of reasons and notes only sentences
that are known here are shown as they are: numbers, names of expected tests, and what the harness found in the patch
itself. Any other text may quote what the tests printed, and is for operators. The messages of failed tests are public
where the dataset says that its tests are (`queries.visibility.sees_test_messages`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from harness.records import RunSummary, TestResult, TestStatus
from runs.data.queries.visibility import Reader, sees_grading_output
from runs.models import Run

WITHHELD = "the reason is shown to operators only, because it may quote the hidden tests"

# The verdict's sentences (harness.grading.verdict): a pattern and what is shown of it.
_SENTENCES = tuple(
    (re.compile(pattern, re.DOTALL), shown)
    for pattern, shown in (
        (r"all \d+ expected tests passed", r"\g<0>"),
        (r"all \d+ expected tests passed, but the test script ended with exit code -?\d+", r"\g<0>"),
        (r"all \d+ expected tests passed, but not by a repair of the right function", r"\g<0>"),
        # Names of expected tests, and their statuses.
        (r"\d+ of \d+ expected tests did not pass: .+", r"\g<0>"),
        (r"the tests were stopped at their time-out", r"\g<0>"),
        (r"the tests were stopped after \d+ s", r"\g<0>"),
        (r"(the tests were stopped): .+", r"\1: a limit was reached"),
        (r"the tests left more than \d+ (?:MB|files) of results", r"\g<0>"),
        (r"(the tests gave no verdict): .* (\(exit code -?\d+\))", rf"\1 \2; {WITHHELD}"),
        (r"the results are forged: an altered test passed, which no correct solution can", r"\g<0>"),
        (r"not graded", r"\g<0>"),
    )
)
# Why there is no verdict, without what the tests wrote or called their files.
_NO_VERDICT = tuple(
    re.compile(rf"the tests gave no verdict: ({trouble}).*? (\(exit code -?\d+\))", re.DOTALL)
    for trouble in (
        r"the report names (?:no|\d+) failed tests?, but the last printed line counts \d+",
        r"the report has passed tests that the runner has not reported while it ran",
        r"there is a report, but the script stopped before its last line",
        r"the test run changed its own files",
        r"the test script left no report \(\*\.\w+\) in \$RESULTS_DIR",
        r"the report holds no test",
        r"the output holds no closing summary",
        r"the tests were stopped",
        r"altered tests end the script with exit code -?\d+, but it ended as if none had failed",
    )
)
_REPEATS = re.compile(r"(\d+ of \d+ repeats resolved the task(?:, flaky: .*?)?; )(.*)", re.DOTALL)
_ENDS = re.compile(
    r"(.*?)((?: in all \d+ repeats)?(?: \(read from printed output, not from a report\))?)", re.DOTALL
)
# Flags whose path and note come from the patch or from the task's proof. Of others only the kind is public.
_OF_THE_PATCH = {
    *("hidden_tests", "protected", "shadows_module", "build_file", "compiled", "test_process"),
    *("left_out", "too_long", "closing", "flaky", "forged", "redacted", "without_container"),
}
# Of tests.json.
_OF_THE_VERDICT = ("resolved", "exit_code", "seconds", "report", "repeats", "flaky", "repair")
_UNEXPECTED = re.compile(r"\b(unexpected \w+): .*", re.DOTALL)


def public_reason(reason: str) -> str:
    """The reason of a verdict, as everybody may read it; '' for ''."""
    if not reason:
        return ""
    before, core = "", reason
    if repeats := _REPEATS.fullmatch(reason):
        before, core = repeats.groups()
    ends = _ENDS.fullmatch(core)
    assert ends is not None, "it matches any text"
    return f"{before}{_sentence(ends[1])}{ends[2]}"


def _sentence(reason: str) -> str:
    for pattern in _NO_VERDICT:
        if match := pattern.fullmatch(reason):
            return f"the tests gave no verdict: {match[1]} {match[2]}"
    for known, shown in _SENTENCES:
        if match := known.fullmatch(reason):
            return match.expand(shown)
    return WITHHELD


def public_flags(flags: Iterable[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Flags as everybody may read them. The path of a file that appeared while the tests ran can be a message, too."""
    return [
        dict(flag)
        if flag.get("kind") in _OF_THE_PATCH
        else {"kind": str(flag.get("kind", "")), "path": "", "note": "Details are shown to operators only."}
        for flag in flags
    ]


def public_detail(detail: str) -> str:
    """Why a run or a try ended, as everybody may read it: unexpected errors can quote the output of tests."""
    return _UNEXPECTED.sub(r"\1", detail)


def public_summary(stored: bytes) -> bytes:
    """A `run_summary.json` for everybody. Raises ValueError if it is none."""
    summary = RunSummary.from_json(json.loads(stored))
    flags = public_flags([asdict(flag) for flag in summary.flags])
    texts = {"detail": public_detail(summary.detail), "grading_reason": public_reason(summary.grading_reason)}
    return json.dumps({**summary.to_json(), **texts, "flags": flags}, indent=2).encode()


def public_tests(stored: bytes) -> bytes:
    """A `tests.json` for everybody: the expected tests and their statuses. Raises ValueError if it is none."""
    report = json.loads(stored)
    try:
        tests = [asdict(TestResult(test["id"], TestStatus(test["status"]))) for test in report["tests"]]
        kept = {name: report[name] for name in _OF_THE_VERDICT if name in report}
        return json.dumps(
            {**kept, "reason": public_reason(report.get("reason", "")), "tests": tests}
        ).encode()
    except (TypeError, KeyError) as error:
        raise ValueError(f"not a report of tests: {error}") from error


def public_submissions(stored: bytes) -> bytes:
    """A `submissions.jsonl` for everybody: without what the tests wrote. Raises ValueError if it is none."""
    try:
        lines = [{**json.loads(line), "first_failure": ""} for line in stored.splitlines()]
    except TypeError as error:
        raise ValueError(f"not a list of submissions: {error}") from error
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def as_shown_to(run: Run, reader: Reader) -> Run:
    """The run, with the texts of its grading as this reader may read them. Do not save it."""
    if not sees_grading_output(reader):
        run.grading_reason = public_reason(run.grading_reason)
        run.flags = public_flags(run.flags)
        run.detail = public_detail(run.detail)
    return run
