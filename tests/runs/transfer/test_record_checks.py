"""What a summary claims is recomputed from the records beside it."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from harness.grading.similarity import similarity
from harness.limits import Ending
from harness.records import Flag, Outcome, Repair, RunRecorder, Submission, UserEnding, UserSummary, UserTurn
from runs.transfer.record_checks import KnownTask, check_records, read_summary
from runs.transfer.record_reading import RecordRefused
from tests.runs.tiny import Tiny
from tests.runs.transfer.made_records import PATCH, Elsewhere

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(tmp_path: Path) -> Elsewhere:
    """Another site with the tiny task."""
    return Elsewhere.knowing(Tiny(tmp_path / "tiny").task)


def check(site: Elsewhere, directory: Path) -> None:
    """Reads and checks a run."""
    check_records(
        directory, read_summary(directory), KnownTask(frozenset(site.tests), lambda: site.reference)
    )


@pytest.mark.parametrize("passed", [0, 3, 8])
def test_a_run_without_contradictions_is_accepted(site: Elsewhere, tmp_path: Path, passed: int) -> None:
    check(site, site.write(tmp_path / "run", passed=passed))


INFRASTRUCTURE = {"outcome": Outcome.INFRASTRUCTURE_FAILED, "ending": Ending.INFRASTRUCTURE}
# A patch from which a secret was removed.
REDACTED = PATCH.replace(b"+    ", b"+    # [redacted]", 1)
ENDED_EARLY: dict[str, dict[str, Any]] = {
    "the last step was not stored": {"ending": Ending.AGENT_ERROR, "steps": 4, "iterations": 3},
    "a request failed after it was billed": {
        "ending": Ending.COST_LIMIT,
        "prompt_tokens": 900,
        "cost_usd": 1.0,
    },
    "a bill of unknown cost": {"ending": Ending.TIME_LIMIT, "cost_usd": None},
    "a secret was removed": {
        "flags": (Flag("redacted", "patch.diff", ""),),
        "lines_added": 9,
        "similarity": {},
    },
    "an older harness": {"similarity": {}},
}


@pytest.mark.parametrize("name", ENDED_EARLY)
def test_what_an_honest_harness_writes_is_accepted(site: Elsewhere, tmp_path: Path, name: str) -> None:
    patch = REDACTED if name == "a secret was removed" else PATCH
    check(site, site.write(tmp_path / "run", patch=patch, summary=ENDED_EARLY[name]))


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"ending": Ending.AGENT_ERROR, "steps": 5}, "steps is 5, but trajectory.jsonl gives 4"),
        ({"ending": Ending.COST_LIMIT, "cost_usd": 0.2}, "cost_usd is 0.2, but trajectory.jsonl gives 0.25"),
        ({"cost_usd": 9.0}, "cost_usd is 9.0, but trajectory.jsonl gives 0.25"),
        ({"cost_usd": None}, "cost_usd is None, but trajectory.jsonl gives 0.25"),
        ({"reasoning_tokens": 0}, "reasoning_tokens is 0, but trajectory.jsonl gives 10"),
        ({"tool_calls": 0}, "tool_calls is 0, but trajectory.jsonl gives 2"),
        (
            {"grading_reason": "fine"},
            "grading_reason is 'fine', but tests.json gives 'all 8 expected tests passed'",
        ),
        ({"act_seconds": 9000.0}, "prepare_seconds + act_seconds + grade_seconds is 9001.5, but finished_at"),
        (
            {"finished_at": "2026-02-01T00:00:00Z"},
            "finished_at is '2026-02-01T00:00:00Z', but started_at gives",
        ),
        ({"ending": Ending.COST_LIMIT, "cost_usd": 1e6}, "cost_usd is 1000000.0, but trajectory.jsonl gives"),
        ({"ending": Ending.TIME_LIMIT, "prompt_tokens": 2**53}, "prompt_tokens is 9007199254740992, but"),
        (
            {"ending": Ending.TIME_LIMIT, "reasoning_tokens": 1},
            "reasoning_tokens is 1, but trajectory.jsonl gives",
        ),
        (
            {"grade_seconds": 0.0},
            "grade_seconds is 0.0, but tests.json gives 1.0",
        ),
        ({"failure": "disk"}, "failure is 'disk', but its ending gives 'completed'"),
        (
            {"flags": (Flag("redacted", "patch.diff", ""),), "lines_added": 9},
            "flags is 'redacted', but patch.diff",
        ),
        ({"ending": Ending.INFRASTRUCTURE}, "outcome is 'resolved', but its ending gives 'infrastructure'"),
        ({"ending": Ending.CANCELLED}, "outcome is 'resolved', but its ending gives 'no verdict'"),
        (
            {"outcome": Outcome.INFRASTRUCTURE_FAILED},
            "outcome is 'infrastructure_failed', but its ending gives",
        ),
    ],
)
def test_contradictions_name_the_field_and_both_values(
    site: Elsewhere, tmp_path: Path, claims: dict[str, Any], said: str
) -> None:
    with pytest.raises(RecordRefused) as refused:
        check(site, site.write(tmp_path / "run", summary=claims))
    assert str(refused.value).startswith(f"run_summary.json: {said}")


def test_a_failure_of_the_infrastructure_needs_no_tests(site: Elsewhere, tmp_path: Path) -> None:
    directory = site.write(
        tmp_path / "run",
        passed=0,
        summary={**INFRASTRUCTURE, "grading_reason": "not graded", "similarity": {}},
    )
    (directory / "tests.json").unlink()
    check(site, directory)


@pytest.mark.parametrize(
    ("claims", "said"),
    [
        ({"tests_total": 2**31 - 1}, "tests_total is 2147483647, but an ungraded run gives 8"),
        ({"tests_passed": 8}, "tests_passed is 8, but an ungraded run gives 0"),
        (
            {"grading_reason": "all 8 expected tests passed"},
            "grading_reason is 'all 8 expected tests passed'",
        ),
        (
            {"similarity": {"lines": 1.0, "file_precision": 1.0, "file_recall": 1.0, "file_f1": 1.0}},
            "similarity",
        ),
    ],
)
def test_an_ungraded_run_claims_no_result(
    site: Elsewhere, tmp_path: Path, claims: dict[str, Any], said: str
) -> None:
    nothing = {**INFRASTRUCTURE, "grading_reason": "not graded", "similarity": {}, "tests_passed": 0}
    directory = site.write(tmp_path / "run", passed=0, summary={**nothing, **claims})
    (directory / "tests.json").unlink()
    with pytest.raises(RecordRefused) as refused:
        check(site, directory)
    assert str(refused.value).startswith(f"run_summary.json: {said}")


@pytest.mark.parametrize(
    ("passed", "reason"),
    [
        (3, "all 8 expected tests passed"),
        (3, "500 of 8 expected tests did not pass: a (failed)"),
        (3, "5 of 900 expected tests did not pass: a (failed)"),
        (8, "all 9 expected tests passed"),
        (8, "not graded"),
        (8, ""),
        (8, "5 of 8 expected tests did not pass: a (failed)"),
    ],
)
def test_a_reason_fits_the_tests(site: Elsewhere, tmp_path: Path, passed: int, reason: str) -> None:
    directory = site.write(tmp_path / "run", passed=passed, summary={"grading_reason": reason})
    stored = json.loads((directory / "tests.json").read_text())
    (directory / "tests.json").write_text(json.dumps({**stored, "reason": reason}))
    with pytest.raises(RecordRefused, match=r"^tests\.json: reason is "):
        check(site, directory)


@pytest.mark.parametrize(
    ("passed", "reason"),
    [
        (8, "all 8 expected tests passed in all 3 repeats"),
        (8, "all 8 expected tests passed (read from printed output, not from a report)"),
        (3, "5 of 8 expected tests did not pass: a (failed), b; c (missing) and 3 more"),
        (3, "the tests gave no verdict: the report holds no test (exit code 1)"),
        (3, "the tests were stopped at their time-out"),
        (3, "2 of 3 repeats resolved the task, flaky: a; 5 of 8 expected tests did not pass: a (failed)"),
    ],
)
def test_every_sentence_of_a_verdict_is_read(
    site: Elsewhere, tmp_path: Path, passed: int, reason: str
) -> None:
    directory = site.write(tmp_path / "run", passed=passed, summary={"grading_reason": reason})
    stored = json.loads((directory / "tests.json").read_text())
    (directory / "tests.json").write_text(json.dumps({**stored, "reason": reason}))
    check(site, directory)


def test_a_resolved_run_has_a_patch(site: Elsewhere, tmp_path: Path) -> None:
    with pytest.raises(RecordRefused, match=r"outcome is 'resolved', but patch\.diff gives 'no change'"):
        check(site, site.write(tmp_path / "run", patch=b""))


@pytest.mark.parametrize(
    ("tests", "said"),
    [
        (lambda all: all[:-1], "names 7 tests; the task has 8"),
        (lambda all: [*all[:-1], all[0]], "names 1 tests twice"),
        (lambda all: [*all[:-1], "another"], "names a test that the task does not have: 'another'"),
    ],
)
def test_tests_are_those_of_the_task(site: Elsewhere, tmp_path: Path, tests: Any, said: str) -> None:
    other = replace(site, tests=tuple(tests(site.tests)))
    with pytest.raises(RecordRefused, match=said):
        check(site, other.write(tmp_path / "run", passed=7))


def test_without_the_dataset_on_disk_similarity_is_not_compared(site: Elsewhere, tmp_path: Path) -> None:
    claims = {"lines": 1.0, "file_precision": 1.0, "file_recall": 1.0, "file_f1": 1.0}
    directory = site.write(tmp_path / "run", summary={"similarity": claims})
    check_records(directory, read_summary(directory), KnownTask(frozenset(site.tests), lambda: None))
    with pytest.raises(RecordRefused, match=r"similarity\.lines is 1\.0, but patch\.diff gives"):
        check(site, directory)


def test_tokens_are_compared_only_if_the_record_has_them(site: Elsewhere, tmp_path: Path) -> None:
    figures = similarity((site.write(tmp_path / "run") / "patch.diff").read_bytes(), site.reference).to_json()
    older = {name: value for name, value in figures.items() if name != "tokens"}
    check(site, site.write(tmp_path / "older", summary={"similarity": older}))
    with pytest.raises(RecordRefused, match=r"similarity\.tokens is 0\.0, but patch\.diff gives"):
        check(site, site.write(tmp_path / "other", summary={"similarity": {**older, "tokens": 0.0}}))


def test_an_agent_with_its_own_program_may_have_messages_without_requests(
    site: Elsewhere, tmp_path: Path
) -> None:
    changes = {"iterations": 1, "failed_calls": 0, "prompt_tokens": 5000, "act_seconds": 0.0}
    check(site, site.write(tmp_path / "run", agent_kind="command", summary=changes))


def test_the_summary_of_every_version_of_the_recorder_is_read(site: Elsewhere, tmp_path: Path) -> None:
    directory = site.write(tmp_path / "run")
    summary = read_summary(directory)
    RunRecorder(tmp_path / "again", summary.identity).summary(summary)
    assert read_summary(tmp_path / "again") == summary


class TestSimulatedUsers:
    USER = UserSummary("Player (8B)", "toxic", 4, UserEnding.USER_FINISHED, 2000, 100, 0.5)

    def check(self, site: Elsewhere, directory: Path, *, is_workflow: bool = True) -> None:
        known = KnownTask(frozenset(site.tests), lambda: site.reference, is_workflow)
        check_records(directory, read_summary(directory), known)

    def test_the_user_of_a_workflow_is_accepted(self, site: Elsewhere, tmp_path: Path) -> None:
        directory = site.write(tmp_path / "run", summary={"user": self.USER})
        turn = UserTurn(2, "Player (8B)", 2000, 100, 0.5, 1.5, 1)
        (directory / "user.jsonl").write_text(json.dumps(asdict(turn)) + "\n")
        self.check(site, directory)

    def test_a_user_of_another_task_is_refused(self, site: Elsewhere, tmp_path: Path) -> None:
        directory = site.write(tmp_path / "run", summary={"user": self.USER})
        with pytest.raises(RecordRefused, match="has a user, but the task is no workflow"):
            self.check(site, directory, is_workflow=False)

    def test_a_workflow_without_its_user_is_refused(self, site: Elsewhere, tmp_path: Path) -> None:
        with pytest.raises(RecordRefused, match="user is missing"):
            self.check(site, site.write(tmp_path / "run"))

    def test_answers_with_more_tokens_than_the_summary_are_refused(
        self, site: Elsewhere, tmp_path: Path
    ) -> None:
        directory = site.write(tmp_path / "run", summary={"user": self.USER})
        turn = UserTurn(2, "Player", 2001, 100, 0.5, 1.5, 1)
        (directory / "user.jsonl").write_text(json.dumps(asdict(turn)) + "\n")
        with pytest.raises(RecordRefused, match=r"user.prompt_tokens is 2000, but user.jsonl gives 2001"):
            self.check(site, directory)

    def test_a_line_of_another_shape_is_refused(self, site: Elsewhere, tmp_path: Path) -> None:
        directory = site.write(tmp_path / "run", summary={"user": self.USER})
        (directory / "user.jsonl").write_text("{}\n")
        with pytest.raises(RecordRefused, match=r"user.jsonl"):
            self.check(site, directory)


def test_the_repair_of_the_functions_is_that_of_the_grade(site: Elsewhere, tmp_path: Path) -> None:
    directory = site.write(tmp_path / "run", summary={"repair": Repair(found=True)})
    with pytest.raises(RecordRefused, match=r"repair is .*, but tests\.json gives None"):
        check(site, directory)
    grade = json.loads((directory / "tests.json").read_text())
    stored = {**grade, "repair": {"found": True, "elsewhere": False}}
    (directory / "tests.json").write_text(json.dumps(stored))
    check(site, directory)


class TestSubmissions:
    """The run has one call, and submitted it."""

    def written(self, site: Elsewhere, root: Path, *lines: Submission, **summary: Any) -> Path:
        counts = {"tool_uses": 1, "submissions": 1, "solved_at_submission": 1, **summary}
        directory = site.write(root / "run", summary=counts)
        stored = "".join(json.dumps(asdict(line)) + "\n" for line in lines)
        (directory / "submissions.jsonl").write_text(stored)
        return directory

    FIRST = Submission(1, 3, "submit_attempt", 1, 0, "", True, 2.0, "a.py", "f")

    def test_one_line_for_each_submission_is_accepted(self, site: Elsewhere, tmp_path: Path) -> None:
        check(site, self.written(site, tmp_path, self.FIRST))

    def test_a_run_that_broke_off_may_lack_the_last_one(self, site: Elsewhere, tmp_path: Path) -> None:
        check(site, self.written(site, tmp_path, ending=Ending.AGENT_ERROR, solved_at_submission=None))

    def test_a_patch_is_tested_by_the_grade(self, site: Elsewhere, tmp_path: Path) -> None:
        patch = Submission(1, 3, "submit_patch")
        for solved_at in (1, None):
            root = tmp_path / str(solved_at)
            check(site, self.written(site, root, patch, solved_at_submission=solved_at))

    @pytest.mark.parametrize(
        ("lines", "summary", "reason"),
        [
            ((), {}, "submissions is 1, but submissions.jsonl gives 0"),
            ((FIRST,), {"submissions": None}, "submissions is None, but submissions.jsonl gives 1"),
            ((FIRST,), {"tool_uses": 0}, "tool_uses is 0, but trajectory.jsonl gives "),
            ((FIRST,), {"tool_uses": 99}, "tool_uses is 99, but trajectory.jsonl gives "),
            ((FIRST,), {"solved_at_submission": None}, "solved_at_submission is None, but .* gives 1"),
            ((replace(FIRST, resolved=False),), {}, "solved_at_submission is 1, but .* gives None"),
            ((replace(FIRST, number=2),), {}, "submissions.jsonl: is not numbered from 1"),
        ],
    )
    def test_anything_else_is_refused(
        self,
        site: Elsewhere,
        tmp_path: Path,
        lines: tuple[Submission, ...],
        summary: dict[str, Any],
        reason: str,
    ) -> None:
        with pytest.raises(RecordRefused, match=reason):
            check(site, self.written(site, tmp_path, *lines, **summary))
