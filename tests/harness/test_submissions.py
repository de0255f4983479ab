"""Submissions of the ide agent: what it gets, what is recorded, and when its run ends."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from harness.host_tools.examination import MAX_CHARACTERS
from harness.host_tools.host import SUBMITTED
from harness.limits import Ending, LimitReached, Limits
from harness.llm.scripted_server import ModelServer
from harness.llm.spec import ModelSpec
from harness.records import Outcome
from tests.harness.arena import Arena, test_id
from tests.harness.repairs import DIGITS, PARSE, SPELL, WRONG, call, repair_task, repairing
from tests.harness.worlds import CANARY, CORRUPTED, REMOVED


def test_a_submission_in_remove_is_tested_and_a_passing_one_ends_the_run(tmp_path: Path) -> None:
    script = [
        {"calls": [call("submit_attempt", code=WRONG)]},
        {"calls": [call("submit_attempt", code=SPELL), call("read_file", path=DIGITS)]},
        {"text": "Never reached."},
    ]
    with repairing(tmp_path, REMOVED) as repair:
        repair.play(script)
        changed = repair.session.workspace.peek().after
    assert (repair.ending, repair.error) == (Ending.COMPLETED, None)
    wrong, passed, cut = repair.results()
    counts = "5 of 8 hidden tests passed, 3 did not.\nThe first failure: "
    assert wrong == f"{counts}{test_id('test_adds_one_number')} (failed)"
    (read,) = [message["content"] for message in repair.requests[1].messages if message["role"] == "tool"]
    assert read.startswith(f"{wrong}\n'wrong' != '7'")
    assert CANARY not in read
    assert passed == "8 of 8 hidden tests passed, 0 did not. The work is done."
    assert cut == "Not called: the work is done."
    assert [state.path for state in changed] == [DIGITS]
    assert SPELL in (changed[0].content or b"").decode()
    first, second = repair.record.submissions()
    assert (first.number, first.step_id, first.passed, first.failed, first.resolved) == (1, 3, 5, 3, False)
    assert (first.tool, first.path, first.function) == ("submit_attempt", DIGITS, "spell")
    assert read == f"{wrong}\n{first.first_failure}"
    assert (second.number, second.step_id, second.passed, second.resolved) == (2, 4, 8, True)
    assert second.first_failure == ""
    assert [step for step, _ in repair.record.edits_by_step()] == [3, 4]


def test_the_time_for_tests_is_not_the_agents(tmp_path: Path) -> None:
    with repairing(tmp_path, REMOVED) as repair:
        before = repair.session.spending.started
        repair.play([{"calls": [call("submit_attempt", code=WRONG)]}, {"text": "Enough."}])
        (made,) = repair.record.submissions()
        counts, spending = repair.session.counts, repair.session.spending
    assert 0 < made.seconds == counts.tested_seconds
    assert spending.started == pytest.approx(before + made.seconds)
    (result,) = [result for step in repair.record.steps() for result in step.results]
    assert result.seconds is not None
    assert result.seconds < made.seconds


def test_in_remove_nothing_but_the_function_changes_and_each_attempt_starts_anew(tmp_path: Path) -> None:
    more = f"{SPELL}\n\ndef other():\n    return 1\n"
    script = [
        {"calls": [call("submit_attempt", code=more)]},
        {"calls": [call("submit_attempt", code="def parse(text):\n    return 1\n")]},
        {"calls": [call("submit_attempt", code=SPELL, name="parse")]},
        {"calls": [call("submit_attempt", code="def spell(number:")]},
        {"text": "Enough."},
    ]
    with repairing(tmp_path, REMOVED) as repair:
        repair.play(script)
        assert repair.session.workspace.peek().after == ()
    assert (repair.session.spending.tool_uses, repair.session.spending.submissions) == (4, 0)
    assert list(repair.record.submissions()) == []
    assert "This task is about 1 function: calc/digits.py: spell." in repair.results()[2]
    assert all("hidden tests" not in result for result in repair.results())


def test_in_discovery_replacements_stay_and_are_tested_together(tmp_path: Path) -> None:
    wrong = call("replace_function", path=DIGITS, name="spell", code=WRONG)
    right = call("replace_function", path=f"./{DIGITS}", name="spell", code=SPELL)
    found = call("replace_function", path=DIGITS, name="parse", code=PARSE)
    with repairing(tmp_path, CORRUPTED) as repair:
        repair.play([{"calls": [wrong, found]}, {"calls": [right]}])
    assert repair.ending is Ending.COMPLETED
    made = list(repair.record.submissions())
    assert [(one.number, one.step_id, one.function, one.resolved) for one in made] == [
        (1, 3, "spell", False),
        (2, 3, "parse", False),
        (3, 4, "spell", True),
    ]
    assert {one.path for one in made} == {DIGITS}


def test_functions_are_listed_and_read_as_they_are_now(tmp_path: Path) -> None:
    long = "x = 1\n" * 10_000
    script = [
        {
            "calls": [
                call("list_file_functions", path=DIGITS),
                call("read_function", path=DIGITS, name="spell"),
            ]
        },
        {
            "calls": [
                call("read_function", path=DIGITS, name="spel"),
                call("list_file_functions", path="README.md"),
            ]
        },
        {
            "calls": [
                call("read_file", path="long.py"),
                call("read_file", path="long.py", limit=1),
                call("read_file", path="calc"),
            ]
        },
    ]
    with repairing(tmp_path, REMOVED) as repair:
        write = {"path": "long.py", "content": f"def last():\n    pass\n{long}"}
        repair.session.workspace.call("write_file", write, timeout=10)
        repair.play(script)
    listed, read, unknown, no_source, instead, line, directory = repair.results()
    assert directory == "'calc' is a directory; list_directory shows what is in it"
    assert listed.splitlines()[0] == f"2 definitions in {DIGITS}, with its lines:"
    assert [row.split()[1] for row in listed.splitlines()[1:]] == ["parse", "spell"]
    assert "\tdef spell(number):" in read
    assert unknown == f"{DIGITS} has no function or class 'spel'; did you mean spell?"
    assert no_source == "README.md: functions of .md are not known"
    assert instead.startswith("long.py is too long for one result; read_function shows one of them, ")
    assert instead.splitlines()[2] == "     1-2      last"
    assert line.startswith("     1\tdef last():")


def test_without_a_submission_the_last_use_is_for_one_and_only_its_tool_is_offered(tmp_path: Path) -> None:
    look = call("list_directory")
    script = [
        {"calls": [look, look]},
        {"calls": [look, look, call("submit_attempt", code=WRONG), look]},
        {"text": "Never reached."},
    ]
    with repairing(tmp_path, REMOVED) as repair:
        repair.play(script, tool_uses=4, submissions=1)
    assert isinstance(repair.error, LimitReached)
    assert repair.error.ending is Ending.SUBMISSION_LIMIT
    assert "list_directory" in repair.offered()[1]
    results = repair.results()
    assert (
        results[3] == "Not called: one tool use is left, and nothing was submitted. It is for submit_attempt."
    )
    assert results[4].startswith("5 of 8 hidden tests passed")
    assert results[5] == "Not called: no tool use is left, of 4."
    assert (repair.session.spending.tool_uses, repair.session.spending.submissions) == (4, 1)

    with repairing(tmp_path / "again", REMOVED) as repair:
        repair.play([{"calls": [look] * 5}, {"calls": [look]}], tool_uses=4, submissions=1, iterations=2)
    assert repair.offered()[1] == ["submit_attempt"]
    assert repair.session.spending.tool_uses == 3


def test_parallel_calls_of_all_kinds_are_cut_at_sixteen_uses_and_four_submissions(tmp_path: Path) -> None:
    kinds = [
        call("list_directory"),
        call("fly"),
        {"name": "read_file", "arguments": '{"path": "calc/'},
        call("submit_attempt", code=WRONG),
        call("submit_attempt", code="nothing"),
        call("read_function", path=DIGITS, name="parse"),
    ]
    with repairing(tmp_path, REMOVED) as repair:
        repair.play([{"calls": kinds}, {"calls": kinds * 9}, {"text": "Never reached."}])
        spending, counts = repair.session.spending, repair.session.counts
    assert isinstance(repair.error, LimitReached)
    assert repair.error.ending is Ending.TOOL_LIMIT
    assert spending.tool_uses == 16
    assert spending.submissions == len(list(repair.record.submissions())) == 3
    results = repair.results()
    assert counts.tool_calls == len(results) == 60
    assert results[16:] == ["Not called: no tool use is left, of 16."] * 44

    with repairing(tmp_path / "again", REMOVED) as repair:
        repair.play([{"calls": [kinds[3]] * 3}, {"calls": [*kinds[:1], *[kinds[3]] * 5, *kinds[:1]]}])
        spending = repair.session.spending
    assert isinstance(repair.error, LimitReached)
    assert repair.error.ending is Ending.SUBMISSION_LIMIT
    assert (spending.tool_uses, spending.submissions) == (6, 4)
    assert [one.number for one in repair.record.submissions()] == [1, 2, 3, 4]
    assert repair.results()[5:9] == ["Not called: no submission is left, of 4."] * 4
    assert "calc/" in repair.results()[9]


def test_a_pull_request_is_submitted_once_without_a_test_and_ends_the_run(tmp_path: Path) -> None:
    script = [
        {"calls": [call("run_tests"), call("str_replace", path=DIGITS, old="value * 9", new="value * 10")]},
        {"calls": [call("submit_patch"), call("write_file", path="late.txt", content="x")]},
        {"text": "Never reached."},
    ]
    with repairing(tmp_path, CORRUPTED) as repair:
        repair.play(script, profile="pull-request")
        changed = [state.path for state in repair.session.workspace.peek().after]
    assert repair.ending is Ending.COMPLETED
    ran, _, submitted, late = repair.results()
    assert "exit code 0" in ran
    assert (submitted, late) == (SUBMITTED, "Not called: the work is done.")
    assert changed == [DIGITS]
    (made,) = repair.record.submissions()
    assert (made.number, made.step_id, made.passed, made.failed, made.resolved) == (1, 4, None, None, None)


def test_what_a_failing_test_shows_is_limited(tmp_path: Path) -> None:
    shouting = "def spell(number):\n    raise RuntimeError('x' * 100_000)\n"
    with repairing(tmp_path, REMOVED) as repair:
        repair.play([{"calls": [call("submit_attempt", code=shouting)]}], submissions=1)
    (public,) = repair.results()
    (made,) = repair.record.submissions()
    assert "xxxx" not in public
    assert "xxxx" in made.first_failure
    assert len(f"{public}\n{made.first_failure}") <= MAX_CHARACTERS


def test_a_run_in_containers_has_its_submissions_in_its_records(tmp_path: Path) -> None:
    script: list[Any] = [
        {"calls": [call("read_function", path=DIGITS, name="spell"), call("submit_attempt", code=WRONG)]},
        {"calls": [call("submit_attempt", code=SPELL), call("list_directory")]},
    ]
    arena = Arena(tmp_path, *repair_task(tmp_path, REMOVED))
    with ModelServer(script) as server:
        model = ModelSpec("Scripted", "openai/scripted", server.url)
        summary, record = arena.run("ide", {"profile": "breakpoint"}, model=model)
    assert (summary.outcome, summary.ending) == (Outcome.RESOLVED, Ending.COMPLETED)
    assert (summary.tool_uses, summary.submissions, summary.tool_calls) == (3, 2, 4)
    assert summary.solved_at_submission == 2
    first, second = record.submissions()
    assert (first.passed, first.failed, first.resolved) == (5, 3, False)
    assert (second.step_id, second.passed, second.resolved) == (4, 8, True)
    effective = summary.identity.effective
    assert (effective["profile"], effective["tool_uses"], effective["submissions"]) == ("breakpoint", 16, 4)
    began, ended = (datetime.fromisoformat(time) for time in (summary.started_at, summary.finished_at))
    phases = summary.prepare_seconds + summary.act_seconds + summary.grade_seconds
    tested = first.seconds + second.seconds
    assert phases + tested == pytest.approx((ended - began).total_seconds(), abs=1.0)
    assert summary.act_seconds > sum(step.seconds or 0.0 for step in record.steps()) * 0.99 - 1


def test_an_agent_of_another_profile_has_none_of_these_tools(tmp_path: Path) -> None:
    with repairing(tmp_path, REMOVED, Limits(iterations=1)) as repair:
        repair.play([{"calls": [call("submit_attempt", code=SPELL)]}], profile="ide-bench")
    assert repair.results()[0].startswith("This run does not offer submit_attempt.")
    assert not repair.session.budget.counts
