"""Settings and the process that serves pages."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from benchbench.environment import Environment, stored_secret
from benchbench.logs import redacted

ROOT = Path(__file__).parents[2]


def test_every_variable_that_the_settings_read_is_documented() -> None:
    from benchbench.settings import ENVIRONMENT

    table = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/operations.md").read_text(), re.MULTILINE))
    assert table == ENVIRONMENT.names


def test_every_wrong_variable_is_named_at_once() -> None:
    environment = Environment({"PORT": "eighty", "DEBUG": "perhaps"})
    assert environment.number("PORT", 8000, least=1, most=65535) == 8000
    assert environment.flag("DEBUG") is False
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.check()
    assert "PORT must be a whole number from 1 to 65535, not 'eighty'" in str(refused.value)
    assert "DEBUG must be 1 or 0, not 'perhaps'" in str(refused.value)


def test_the_secret_key_is_made_once_and_private(tmp_path: Path) -> None:
    first = stored_secret(tmp_path / "data" / "secret_key")
    assert len(first) == 64
    assert stored_secret(tmp_path / "data" / "secret_key") == first
    assert (tmp_path / "data" / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["secret_key"]


def said_by(program: str, data: Path) -> list[str]:
    """The lines that a program prints, in a process of its own with this data directory."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "BENCHBENCH_DATA": str(data)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def test_the_process_that_serves_pages_loads_neither_litellm_nor_pyarrow(tmp_path: Path) -> None:
    program = """
import sys, pkgutil, importlib
from benchbench.wsgi import application
from django.urls import get_resolver
get_resolver().reverse_dict
import runs
for module in pkgutil.walk_packages(runs.__path__, "runs."):
    if not module.name.startswith(("runs.management", "runs.migrations")):
        importlib.import_module(module.name)
print({"litellm", "pyarrow"} & sys.modules.keys())
"""
    assert said_by(program, tmp_path) == ["set()"]


def test_what_a_request_leaves_behind_is_gone_when_it_is_complete(tmp_path: Path) -> None:
    program = """
import weakref
from benchbench.web_hooks import post_request
from benchbench.wsgi import application
from django.test import RequestFactory
made, waiting = application.request_class, []
def request(environ):
    found = made(environ)
    waiting.append(weakref.ref(found))
    return found
application.request_class = request
for _ in range(60):
    environ = RequestFactory().get("/healthz", headers={"host": "localhost"}).environ
    response = application(environ, lambda *_: None)
    response.close()
    del response
    post_request(None, None, None, None)
print(len(waiting), sum(each() is not None for each in waiting))
"""
    assert said_by(program, tmp_path) == ["60 0"]


@pytest.mark.django_db
def test_pages_allow_no_inline_script_and_no_other_host(client: Client) -> None:
    policy = client.get("/admin/login/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "object-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_log_shows_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "verysecretvalue")
    assert redacted("key=verysecretvalue") == "key=[OPENAI_API_KEY]"
    assert redacted("key=sk-proj-abcdefghijklmnop1234") == "key=[redacted]"
    assert redacted("redis://bob:hunter2@host/0 is down") == "redis://[redacted]@host/0 is down"
    assert redacted("http://localhost:8000/ at 12:00") == "http://localhost:8000/ at 12:00"
