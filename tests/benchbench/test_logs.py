"""The log shows no secret."""

from __future__ import annotations

import logging
import sys

import pytest

from benchbench.logs import RedactingFormatter, redacted


def test_the_log_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "verysecretvalue")
    assert redacted("key=verysecretvalue") == "key=[OPENAI_API_KEY]"
    assert redacted("key=sk-proj-abcdefghijklmnop1234") == "key=[redacted]"
    assert redacted("redis://bob:hunter2@host/0 is down") == "redis://[redacted]@host/0 is down"
    assert redacted("http://localhost:8000/ at 12:00") == "http://localhost:8000/ at 12:00"


def test_a_line_with_its_traceback_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("METRICS_TOKEN", "open-sesame-7")
    formatter = RedactingFormatter("%(levelname)s %(message)s")
    try:
        raise ValueError("open-sesame-7 is refused")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, "", 1, "for %s", ("open-sesame-7",), sys.exc_info())
    written = formatter.format(record)
    assert written.startswith("ERROR for [METRICS_TOKEN]\nTraceback ")
    assert written.endswith("ValueError: [METRICS_TOKEN] is refused")
    assert "sesame" not in written


def test_a_variable_that_changes_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("first-secret-1", "second-secret-2"):
        monkeypatch.setenv("SOME_PASSWORD", value)
        assert redacted(f"it is {value}") == "it is [SOME_PASSWORD]"
    assert redacted("first-secret-1") == "first-secret-1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("redis://:pass@host", "redis://[redacted]@host"),
        ("postgres://bob:a:b@host and x", "postgres://[redacted]@host and x"),
        ("https://bob@host/", "https://bob@host/"),
        ("http://host:80/@x", "http://host:80/@x"),
    ],
)
def test_only_passwords_in_addresses_are_removed(text: str, expected: str) -> None:
    assert redacted(text) == expected
