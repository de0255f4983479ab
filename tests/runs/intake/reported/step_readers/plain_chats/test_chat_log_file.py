"""Files with plain messages of a chat, of all shapes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from runs.intake.reported.report_document import ReportDocument
from runs.intake.reported.step_readers import json_part
from runs.intake.reported.step_readers.json_lines import first_lines, is_json_lines
from runs.intake.reported.step_readers.json_part import whole_file
from runs.intake.reported.step_readers.plain_chats.chat_log_file import (
    ChatLog,
    chat_logs,
    has_response,
    is_message,
)

USER, ASSISTANT = {"role": "user", "content": "Fix add."}, {"role": "assistant", "content": "Done."}
CHAT = [USER, ASSISTANT]


@pytest.fixture(params=["small", "streamed"], autouse=True)
def _sizes(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test reads small files at once, and streams the same files."""
    if request.param == "streamed":
        monkeypatch.setattr(json_part, "SMALL", 0)


def logs(directory: Path, text: str) -> list[ChatLog]:
    """The conversations of a file with this text."""
    path = directory / "a.json"
    path.write_text(text)
    content = first_lines(path, "a.json") if is_json_lines(path) else whole_file(path, "a.json").outline()
    return list(chat_logs(ReportDocument(path, "a.json", content, whole=False)))


def lines(values: Sequence[Any]) -> str:
    return "".join(f"{json.dumps(value)}\n" for value in values)


@pytest.mark.parametrize(
    "text",
    [
        json.dumps(CHAT),
        lines(CHAT),
        json.dumps({"messages": CHAT}),
        json.dumps({"history": CHAT, "trajectory": [{"action": "ls"}]}),
        json.dumps({"messages": json.dumps(CHAT)}),
        json.dumps({"messages": [], "trajectory": CHAT}),
    ],
)
def test_a_file_with_one_conversation(tmp_path: Path, text: str) -> None:
    (log,) = logs(tmp_path, text)
    assert list(log.messages()) == list(log.messages()) == CHAT
    assert (log.where, log.number) == ("a.json", 0)


@pytest.mark.parametrize("shape", ["lines", "list"])
def test_a_file_with_several_conversations(tmp_path: Path, shape: str) -> None:
    rows = [{"id": 1, "messages": CHAT}, {"id": 2, "messages": [USER]}, {"id": 3, "error": "]}"}]
    found = logs(tmp_path, lines(rows) if shape == "lines" else json.dumps(rows, indent=1))
    assert [(log.number, log.fields(("id",)), len(list(log.messages()))) for log in found] == [
        (1, {"id": 1}, 2),
        (2, {"id": 2}, 1),
        (3, {"id": 3}, 0),
    ]
    assert [log.where for log in found] == [
        f"a.json, {'line' if shape == 'lines' else 'element'} {number}" for number in (1, 2, 3)
    ]


def test_a_digest_does_not_depend_on_the_other_conversations(tmp_path: Path) -> None:
    rows = [{"id": number, "messages": CHAT} for number in range(3)]
    first, second, third = (log.digest() for log in logs(tmp_path, lines(rows)))
    assert [log.digest() for log in logs(tmp_path, lines([rows[2], rows[0]]))] == [third, first]
    assert len({first, second, third}) == 3


def test_what_a_message_is() -> None:
    assert is_message(USER)
    assert is_message({"role": "assistant", "tool_calls": []})
    assert not any(
        map(is_message, ({"role": "user"}, {"role": "admin", "content": ""}, {"role": ["user"]}, [], None))
    )


def test_a_chat_needs_a_response_and_roles() -> None:
    assert has_response(CHAT)
    for other in ([USER], [], None, [{"role": "user"}, ASSISTANT], [*CHAT, {"content": "x"}], [*CHAT, 7]):
        assert not has_response(other)
