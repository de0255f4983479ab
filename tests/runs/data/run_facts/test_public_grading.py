"""What everybody may read of a grading, and what is for operators."""

from __future__ import annotations

import ast
import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from harness.grading.repeats import combine
from harness.grading.verdict import judge
from harness.records import Submission, TestResult, TestStatus
from runs.data.queries.visibility import ANONYMOUS
from runs.data.run_facts.public_grading import (
    WITHHELD,
    as_shown_to,
    public_detail,
    public_flags,
    public_reason,
    public_submissions,
    public_summary,
    public_tests,
)
from tests.runs.cast import Cast

ROOT = Path(__file__).parents[4]
SECRET = "assert tide(7) == 42"
EXPECTED = ["tests/test_a.py::test_one", "tests/test_a.py::test_two"]
PASSED = [TestResult(test, TestStatus.PASSED) for test in EXPECTED]
FAILED = [PASSED[0], TestResult(EXPECTED[1], TestStatus.FAILED, 0.1, SECRET)]


@pytest.mark.parametrize(
    "reason",
    [
        "",
        "not graded",
        "all 8 expected tests passed, but not by a repair of the right function",
        judge(EXPECTED, PASSED, exit_code=0).reason,
        judge(EXPECTED, PASSED, exit_code=3).reason,
        judge(EXPECTED, FAILED, exit_code=1).reason,
        judge(EXPECTED, [], exit_code=1).reason,
        judge(EXPECTED, PASSED, exit_code=0, forged=True).reason,
        judge(EXPECTED, PASSED, exit_code=None).reason,
        judge(EXPECTED, PASSED, exit_code=None, trouble="the tests were stopped after 60 s").reason,
        f"{judge(EXPECTED, PASSED, exit_code=0).reason} (read from printed output, not from a report)",
        combine([judge(EXPECTED, found, exit_code=0) for found in (PASSED, FAILED)])[0].reason,
        combine([judge(EXPECTED, PASSED, exit_code=0)] * 3)[0].reason,
    ],
)
def test_the_sentences_of_a_verdict_are_public(reason: str) -> None:
    assert public_reason(reason) == reason


@pytest.mark.parametrize(
    ("trouble", "shown"),
    [
        (f"the test run changed its own files: {SECRET}", "the test run changed its own files"),
        (
            f"the report has passed tests that the runner has not reported while it ran, like '{SECRET}'",
            "the report has passed tests that the runner has not reported while it ran",
        ),
        (
            "the report names no failed tests, but the last printed line counts 2",
            "the report names no failed tests, but the last printed line counts 2",
        ),
        (
            f"there is a report, but the script stopped before its last line, like '{SECRET}'",
            "there is a report, but the script stopped before its last line",
        ),
        (
            "altered tests end the script with exit code 1, but it ended as if none had failed",
            "altered tests end the script with exit code 1, but it ended as if none had failed",
        ),
    ],
)
def test_why_there_is_no_verdict_is_public_without_what_the_tests_wrote(trouble: str, shown: str) -> None:
    reason = judge(EXPECTED, PASSED, exit_code=1, trouble=trouble).reason
    assert trouble in reason
    assert public_reason(reason) == f"the tests gave no verdict: {shown} (exit code 1)"


@pytest.mark.parametrize("trouble", [f"x.xml: {SECRET}", f"results.tap: the tests bailed out:{SECRET}"])
def test_other_trouble_is_for_operators(trouble: str) -> None:
    reason = judge(EXPECTED, PASSED, exit_code=1, trouble=trouble).reason
    assert public_reason(reason) == f"the tests gave no verdict (exit code 1); {WITHHELD}"


@pytest.mark.parametrize("reason", [SECRET, f"all 2 expected tests passed {SECRET}", f"not graded\n{SECRET}"])
def test_a_reason_that_is_not_known_is_for_operators(reason: str) -> None:
    assert public_reason(reason) == WITHHELD


def test_flags_of_the_patch_are_public_and_others_keep_their_kind() -> None:
    of_the_patch = {"kind": "build_file", "path": "Makefile", "note": "carried over"}
    of_the_tests = {"kind": "tampered", "path": f"/usr/lib/{SECRET}", "note": SECRET}

    first, second = public_flags([of_the_patch, of_the_tests])

    assert first == of_the_patch
    assert (second["kind"], second["path"]) == ("tampered", "")
    assert SECRET not in str(second)


def test_only_flags_on_test_runs_and_on_functions_to_repair_are_for_operators() -> None:
    kinds = {
        node.args[0].value
        for path in (ROOT / "harness").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "Flag"
        and node.args
        and isinstance(node.args[0], ast.Constant)
    }
    assert {"left_out", "too_long", "forged", "redacted"} <= kinds
    flags = [{"kind": str(kind), "path": "a", "note": "b"} for kind in sorted(kinds, key=str)]
    shown = public_flags(flags)
    hidden = [flag["kind"] for flag, public in zip(flags, shown, strict=True) if flag != public]
    assert hidden == ["solved_elsewhere", "tampered"]


@pytest.mark.parametrize(
    ("detail", "shown"),
    [
        ("", ""),
        ("The container engine does not respond.", "The container engine does not respond."),
        (f"unexpected ValueError: {SECRET}", "unexpected ValueError"),
        (f"Try 1 failed: unexpected KeyError: {SECRET}\nmore", "Try 1 failed: unexpected KeyError"),
    ],
)
def test_the_message_of_an_unexpected_error_is_for_operators(detail: str, shown: str) -> None:
    assert public_detail(detail) == shown


def test_a_report_keeps_its_tests_and_statuses() -> None:
    stored = {
        "resolved": False,
        "reason": SECRET,
        "exit_code": 1,
        "evidence": SECRET,
        "tests": [{"id": EXPECTED[0], "status": "failed", "seconds": 0.1234, "message": SECRET}],
    }

    assert json.loads(public_tests(json.dumps(stored).encode())) == {
        "resolved": False,
        "reason": WITHHELD,
        "exit_code": 1,
        "tests": [{"id": EXPECTED[0], "status": "failed", "seconds": 0.0, "message": ""}],
    }


def test_submissions_keep_everything_but_what_tests_wrote() -> None:
    made = [
        Submission(1, 3, "submit_attempt", 1, 2, SECRET, False, 1.0, "a.py", "f"),
        Submission(2, 5, "submit_patch"),
    ]
    stored = b"".join(json.dumps(asdict(one)).encode() + b"\n" for one in made)
    assert [Submission(**json.loads(line)) for line in public_submissions(stored).splitlines()] == [
        replace(made[0], first_failure=""),
        made[1],
    ]
    for broken in (b"1\n", b"{\n"):
        with pytest.raises(ValueError, match=r"not a list of submissions|Expecting"):
            public_submissions(broken)


@pytest.mark.parametrize(
    "text", [b"", b"[]", b"{}", b'{"tests": [1]}', b'{"tests": [{"id": "a", "status": "x"}]}']
)
def test_a_broken_report_or_summary_is_an_error(text: bytes) -> None:
    for read in (public_tests, public_summary):
        with pytest.raises(ValueError, match=r"not a|schema|Expecting"):
            read(text)


@pytest.mark.django_db
def test_a_run_is_shown_to_operators_as_it_is(admin_user: User) -> None:
    cast = Cast()
    run = cast.add_run(
        cast.alice(),
        cast.add_tasks(1)[0],
        grading_reason=SECRET,
        flags=[{"kind": "tampered", "path": SECRET, "note": SECRET}],
        detail=f"unexpected KeyError: {SECRET}",
    )

    assert as_shown_to(run, admin_user).grading_reason == SECRET
    public = as_shown_to(run, ANONYMOUS)
    assert SECRET not in f"{public.grading_reason} {public.flags} {public.detail}"
