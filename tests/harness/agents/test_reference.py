"""The reference patch as tool calls."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from harness.agents.reference import (
    NOT_DONE,
    NOTHING_LEFT,
    Change,
    Draft,
    PlannedStep,
    check_succeeded,
    conversation,
    reference_changes,
    talk,
)
from harness.dataset import load_dataset
from harness.errors import AgentError
from harness.limits import Ending
from harness.patches import FileState, make_patch
from harness.records import Step, ToolCall, ToolResult
from tests.harness.arena import Arena
from tests.harness.talks import ASKED, SECOND, THIRD, Talk
from tests.harness.worlds import SOURCE, tiny_dataset, write_tiny_dataset


def shown(calls: Sequence[ToolCall]) -> list[tuple[str, ...]]:
    """The calls without their ids and explanations."""
    return [
        (call.name, *(value for name, value in call.arguments.items() if name != "explanation"))
        for call in calls
    ]


def whole(before: FileState | None, after: FileState) -> list[tuple[str, ...]]:
    """The calls for a change of a whole file."""
    return shown(Draft().carry_out(Change(after.path, before, after)))


def shell(path: str, command: str) -> tuple[str, str]:
    return ("run_terminal_cmd", f"set -e; mkdir -p -- {path}; {command}")


def text(content: str, mode: int = 0o644) -> FileState:
    return FileState("a/b.txt", content.encode(), mode)


GONE = FileState("a/b.txt", None)
LINK = FileState("a/b.txt", b"it's there", link=True)


class TestHunks:
    def test_line_numbers_are_right_after_the_calls_before(self, tmp_path: Path) -> None:
        draft = Draft()
        changes = reference_changes(*next(tiny_dataset(tmp_path).tasks()))
        calls = [call for change in changes for call in draft.carry_out(change)]
        assert [call.id for call in calls] == ["call_1", "call_2", "call_3"]
        assert calls[0].arguments["explanation"] == "Make the change at line 8."
        operations = [(call.arguments["path"], *call.arguments["operations"]) for call in calls]
        assert operations == [
            (
                "calc/digits.py",
                {
                    "type": "INSERT",
                    "start_line": 8,
                    "content": '    if text.startswith("-") and not text.startswith("--"):\n'
                    "        return -parse(text[1:])\n",
                },
            ),
            (
                # Line 18 of the file that the task starts with.
                "calc/digits.py",
                {
                    "type": "INSERT",
                    "start_line": 20,
                    "content": '    if number < 0:\n        return "-" + spell(-number)\n',
                },
            ),
            (
                "calc/sums.py",
                {
                    "type": "REPLACE",
                    "start_line": 13,
                    "end_line": 16,
                    "content": "    return max(_numbers(text))\n",
                },
            ),
        ]

    def test_deletions_of_files_come_first_and_lines_can_be_deleted(self, tmp_path: Path) -> None:
        directory = write_tiny_dataset(tmp_path)
        readme = FileState("README.md", SOURCE["README.md"].encode())
        main = FileState("calc/__main__.py", SOURCE["calc/__main__.py"].encode())
        patch = make_patch(
            [readme, main],
            [FileState("README.md", b"# calc\n\n"), FileState("calc/__main__.py", None)],
        )
        reference = directory / "calc/tasks/add-negatives/reference.diff"
        reference.write_bytes(reference.read_bytes() + patch)
        changes = reference_changes(*next(load_dataset(directory).tasks()))
        assert [change.path for change in changes] == [
            "calc/__main__.py",
            "README.md",
            "calc/digits.py",
            "calc/digits.py",
            "calc/sums.py",
        ]
        draft = Draft()
        assert shown(draft.carry_out(changes[0])) == [("delete_file", "calc/__main__.py")]
        (call,) = draft.carry_out(changes[1])
        assert call.arguments["operations"] == [{"type": "DELETE", "start_line": 3, "end_line": 3}]


class TestWholeFiles:
    def test_text_is_written(self) -> None:
        assert whole(None, text("é\r\n")) == [("write_file", "a/b.txt", "é\r\n")]
        assert whole(text("x"), text("")) == [("write_file", "a/b.txt", "")]

    def test_a_deleted_file_is_deleted(self) -> None:
        assert whole(text("x\n"), GONE) == [("delete_file", "a/b.txt")]

    def test_bytes_are_written_by_the_shell_in_pieces(self) -> None:
        # 36,000 bytes are the 48,000 characters of one command.
        assert whole(None, FileState("b.bin", b"\0" * 36_001)) == [
            shell(".", f"printf %s {'A' * 48_000} | base64 -d > b.bin"),
            shell(".", "printf %s AA== | base64 -d >> b.bin"),
        ]

    def test_a_mode_alone_is_changed_alone(self) -> None:
        assert whole(text("x\n"), text("x\n", 0o755)) == [shell("a", "chmod +x a/b.txt")]
        assert whole(text("x\n", 0o755), text("x\n")) == [shell("a", "chmod -x a/b.txt")]
        assert whole(None, text("x\n", 0o755)) == [
            ("write_file", "a/b.txt", "x\n"),
            shell("a", "chmod +x a/b.txt"),
        ]

    def test_a_link_takes_the_place_of_a_file_and_a_file_that_of_a_link(self) -> None:
        assert whole(text("x\n"), LINK) == [
            ("delete_file", "a/b.txt"),
            shell("a", "ln -s 'it'\"'\"'s there' a/b.txt"),
        ]
        assert whole(LINK, text("x\n")) == [("delete_file", "a/b.txt"), ("write_file", "a/b.txt", "x\n")]

    def test_a_hostile_name_stays_one_word(self) -> None:
        assert whole(None, FileState("a; rm -rf b/c", b"x", link=True)) == [
            shell("'a; rm -rf b'", "ln -s x 'a; rm -rf b/c'")
        ]


class TestSuccess:
    CALL = ToolCall("call_1", "edit_file", {})

    def step(self, *, ok: bool) -> Step:
        result = ToolResult("call_1", "no such line" + "!" * 1_000, ok, 0.0)
        return Step(1, "2026-01-01T00:00:00Z", "agent", "Edit.", calls=(self.CALL,), results=(result,))

    def test_a_call_that_must_succeed_and_fails_is_an_error_of_the_agent(self) -> None:
        planned = PlannedStep("Edit.", (self.CALL,), must_succeed=True)
        check_succeeded(planned, self.step(ok=True))
        with pytest.raises(AgentError) as failed:
            check_succeeded(planned, self.step(ok=False))
        assert str(failed.value) == (
            f"edit_file was expected to succeed and did not: no such line{'!' * 488}"
        )

    def test_any_other_call_may_fail(self) -> None:
        check_succeeded(PlannedStep("Edit.", (self.CALL,)), self.step(ok=False))


class TestConversation:
    def test_each_turn_is_its_calls_its_changes_and_its_message(self, tmp_path: Path) -> None:
        arena = Arena.of_workflow(tmp_path)
        first, second, third = conversation(arena.repository, arena.task)
        assert [[call.name for call in step.calls] for step in first] == [
            ["list_dir"],
            ["edit_file"],
            ["edit_file"],
            [],
        ]
        assert first[0].calls[0].arguments == {"explanation": "It helps here.", "path": "."}
        assert [step.message for step in first] == ["", "", "", "Sums work now."]
        assert [step.must_succeed for step in second] == [True, False]
        assert third == [PlannedStep("It is finished.")]

    def test_changes_and_messages_can_be_left_out(self, tmp_path: Path) -> None:
        arena = Arena.of_workflow(tmp_path)
        left_out = reference_changes(arena.repository, arena.task)[:1]
        first, second, third = conversation(arena.repository, arena.task, left_out, silent=[1])
        assert [len(first), len(second), len(third)] == [3, 2, 1]
        assert second[-1].message == NOT_DONE

    def test_it_goes_on_talking_until_the_user_ends_the_dialogue(self, tmp_path: Path) -> None:
        session = Talk(tmp_path)
        assert talk(session.session, [[PlannedStep("Sums work.")]]) is Ending.COMPLETED
        assert session.messages == [
            ("user", ASKED),
            ("agent", "Sums work."),
            ("user", SECOND),
            ("agent", NOTHING_LEFT),
            ("user", THIRD),
            ("agent", NOTHING_LEFT),
        ]
