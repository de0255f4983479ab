"""The program that works on functions, in this process."""

from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest

from harness.host_tools import function_program


@pytest.mark.parametrize(
    ("operation", "arguments", "reply"),
    [
        ("with_source", ["a.py", "def f():\n    pass\n", "f", 0, "def f():\n    return 1"],
         {"ok": True, "text": "def f():\n    return 1\n"}),
        ("shown", ["a.py", "x = 1\n", "f", 0], {"ok": False, "text": "a.py has no function or class 'f'"}),
        ("listed", ["a.md", "x"], {"ok": False, "text": "a.md: functions of .md are not known"}),
    ],
)  # fmt: skip
def test_a_request_has_one_reply(
    monkeypatch: pytest.MonkeyPatch, operation: str, arguments: list[object], reply: dict[str, object]
) -> None:
    request = json.dumps({"operation": operation, "arguments": arguments}).encode()
    written = io.BytesIO()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(request)))
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=written))
    function_program.main()
    assert json.loads(written.getvalue()) == reply
