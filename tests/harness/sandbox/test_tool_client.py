"""Requests and replies of the tool server, each one line."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from harness.errors import InfrastructureError
from harness.sandbox import tool_client
from harness.sandbox.base import never
from harness.sandbox.engine.image_recipes import INSIDE_SOURCE
from harness.sandbox.pipes import PipedProcess
from harness.sandbox.stream import StreamEnded, StreamSilent
from harness.sandbox.tool_client import StreamCorrupt, ToolClient, opened
from harness.tools.inside.protocol import sealed

KEY = bytes(range(32))


@contextmanager
def client_of(directory: Path, command: Sequence[str], key: bytes = b"") -> Iterator[ToolClient]:
    environment = {"PATH": os.environ.get("PATH", os.defpath)}
    process = PipedProcess(command, directory=directory, environment=environment, most_mb=1, interrupt=never)
    try:
        yield ToolClient(process, "box", key=key)
    finally:
        process.process.kill()
        process.close()


def script(text: str) -> list[str]:
    return ["/bin/sh", "-c", text]


class TestTheMark:
    def test_a_sealed_line_is_opened_with_its_key(self) -> None:
        assert opened(sealed(b'{"id": 1} \xff', KEY), KEY) == b'{"id": 1} \xff'
        assert opened(sealed(b"", KEY), KEY) == b""

    @pytest.mark.parametrize(
        "line",
        [
            sealed(b"{}", bytes(32)),
            sealed(b"{}", KEY).replace(b"{}", b"[]"),
            sealed(b"{}", KEY) + b" ",
            sealed(b"{}", KEY).upper(),
            b"{}",
            b" {}",
            b"",
        ],
    )
    def test_a_line_of_another_process_is_refused(self, line: bytes) -> None:
        with pytest.raises(ValueError, match=r"^a line without the tool server's mark$"):
            opened(line, KEY)


class TestReady:
    def test_a_real_server_gets_the_key_and_replies_to_each_request(self, tmp_path: Path) -> None:
        command = [sys.executable, "-I", "-B", str(INSIDE_SOURCE), "--sealed", "--workdir", str(tmp_path)]
        with client_of(tmp_path, command, KEY) as client:
            client.expect_ready()
            arguments = {"path": "a.txt", "content": "é\n"}
            replies = [
                client.call("write_file", arguments, timeout=10.0),
                client.call("coffee", {}, timeout=10.0),
            ]
        assert [(reply["id"], reply["ok"]) for reply in replies] == [(1, True), (2, False)]
        assert (tmp_path / "a.txt").read_bytes() == "é\n".encode()

    def test_a_server_without_the_key_is_refused(self, tmp_path: Path) -> None:
        command = [sys.executable, "-I", "-B", str(INSIDE_SOURCE), "--workdir", str(tmp_path)]
        with (
            client_of(tmp_path, command, KEY) as client,
            pytest.raises(InfrastructureError, match="a line without the tool server's mark"),
        ):
            client.expect_ready()

    @pytest.mark.parametrize(
        ("text", "reason", "words"),
        [
            ("exit 1", "it ended", ""),
            ("echo no Python >&2; exit 1", "it ended", " no Python"),
            ("echo '{\"ready\": false}'; cat", "it sent b'{\"ready\": false}'", ""),
            ("echo '{}'; cat", "its first message is invalid: KeyError('ready')", ""),
            (
                "echo nonsense; cat",
                "its first message is invalid: JSONDecodeError('Expecting value: line 1 column 1 (char 0)')",
                "",
            ),
            ("echo begins >&2; exec sleep 60", "it sent nothing within 0 s", " begins"),
        ],
    )
    def test_what_is_not_ready_says_why_with_its_last_words(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, reason: str, words: str
    ) -> None:
        monkeypatch.setattr(tool_client, "READY_SECONDS", 0.4 if "sleep" in text else 10.0)
        with client_of(tmp_path, script(text)) as client, pytest.raises(InfrastructureError) as failure:
            client.expect_ready()
        assert str(failure.value) == (
            f"the tool server in box is not ready: {reason} (it needs Python 3.8 or newer in the image){words}"
        )


class TestCall:
    def test_a_request_is_one_line_and_its_reply_is_returned(self, tmp_path: Path) -> None:
        text = """read -r line; printf '%s' "$line" >request; echo '{"id": 1, "more": [2]}'; cat"""
        with client_of(tmp_path, script(text)) as client:
            assert client.call("read_file", {"path": "two\nlines"}, timeout=2.5) == {"id": 1, "more": [2]}
        request = (tmp_path / "request").read_text()
        assert json.loads(request) == {
            "id": 1,
            "tool": "read_file",
            "arguments": {"path": "two\nlines"},
            "timeout": 2.5,
        }
        assert "\n" not in request

    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            ('{"id": 2}', r"reply 2 to request 1"),
            ('{"id": null}', r"reply None to request 1"),
            ("{}", r"^KeyError\('id'\)$"),
            ("[]", r"^TypeError\("),
            ("nonsense", r"^JSONDecodeError\("),
            ("x" * 200, r"^LineTooLong\(\)$"),
        ],
    )
    def test_a_line_that_is_no_reply_is_corrupt(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, reply: str, reason: str
    ) -> None:
        monkeypatch.setattr(tool_client, "MAX_LINE_LENGTH", 100)
        end = "printf '%s'" if len(reply) > 100 else "printf '%s\\n'"
        with (
            client_of(tmp_path, script(f"read -r line; {end} '{reply}'; cat")) as client,
            pytest.raises(StreamCorrupt, match=reason),
        ):
            client.call("read_file", {}, timeout=10.0)

    def test_the_end_and_silence_are_distinguished(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(tool_client, "GRACE_SECONDS", 0.2)
        with client_of(tmp_path, script("read -r line; echo why >&2")) as client:
            with pytest.raises(StreamEnded):
                client.call("read_file", {}, timeout=10.0)
            assert client.stderr == "why"
        with client_of(tmp_path, script("exec sleep 60")) as client:
            assert client.patience(0.1) == pytest.approx(0.3)
            with pytest.raises(StreamSilent):
                client.call("read_file", {}, timeout=0.1)
