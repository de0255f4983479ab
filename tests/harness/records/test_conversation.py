"""The stored conversation of a run, with which another process goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import ResumeRefused
from harness.records import SUMMARY
from harness.records.conversation import (
    CONVERSATION,
    Used,
    append,
    can_go_on,
    forget,
    reopen,
    saved_conversation,
)
from harness.records.progress import RunLock

USED = Used(1, 2, 0, 2, 1.5, 100, 10, 0, None, 0.25, 0.0)
HELLO = {"role": "user", "content": "Hello"}
HI = {"role": "assistant", "content": "Hi"}


def write_summary(directory: Path, ending: str) -> None:
    (directory / SUMMARY).write_text(json.dumps({"ending": ending}))


def test_messages_of_all_steps_and_the_state_after_the_last_one_are_read(tmp_path: Path) -> None:
    assert saved_conversation(tmp_path) is None
    append(tmp_path, 2, [HELLO], {"kept": 1}, USED, finished=False)
    append(tmp_path, 3, [HI], {"kept": 2}, USED, finished=True)
    saved = saved_conversation(tmp_path)
    assert saved is not None
    assert (saved.step_id, saved.messages, saved.state) == (3, (HELLO, HI), {"kept": 2})
    assert (saved.used, saved.finished) == (USED, True)


def test_a_line_that_was_cut_off_is_removed(tmp_path: Path) -> None:
    append(tmp_path, 2, [HELLO], {}, USED, finished=False)
    whole = (tmp_path / CONVERSATION).read_bytes()
    with (tmp_path / CONVERSATION).open("ab") as file:
        file.write(b'{"step_id": 3, "mess')
    saved = saved_conversation(tmp_path)
    assert saved is not None
    assert saved.step_id == 2
    assert (tmp_path / CONVERSATION).read_bytes() == whole


@pytest.mark.parametrize("text", ["{}\n", "[]\n", "no json\n", '{"step_id": 1}\n'])
def test_a_broken_conversation_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / CONVERSATION).write_text(text)
    with pytest.raises(ResumeRefused, match=r"conversation\.jsonl is not readable"):
        saved_conversation(tmp_path)


def test_a_run_goes_on_without_a_verdict_only(tmp_path: Path) -> None:
    assert not can_go_on(tmp_path)
    append(tmp_path, 2, [HELLO], {}, USED, finished=False)
    assert can_go_on(tmp_path)
    for ending, goes_on in (("infrastructure", True), ("cancelled", True), ("completed", False)):
        write_summary(tmp_path, ending)
        assert can_go_on(tmp_path) is goes_on
    with pytest.raises(ResumeRefused, match="this run has ended"):
        reopen(tmp_path)
    write_summary(tmp_path, "infrastructure")
    reopen(tmp_path)
    assert not (tmp_path / SUMMARY).exists()
    forget(tmp_path)
    forget(tmp_path)
    assert not can_go_on(tmp_path)


def test_a_run_that_a_process_executes_does_not_go_on_in_another_one(tmp_path: Path) -> None:
    append(tmp_path, 2, [HELLO], {}, USED, finished=False)
    lock = RunLock(tmp_path)
    assert not can_go_on(tmp_path)
    lock.release()
    assert can_go_on(tmp_path)
