"""Settings and the process that serves pages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from tests.benchbench.processes import ROOT, said_by


def test_every_variable_that_the_settings_read_is_documented() -> None:
    from benchbench.settings import ENVIRONMENT

    table = set(re.findall(r"^\| `([A-Z_]+)`", (ROOT / "docs/operations.md").read_text(), re.MULTILINE))
    assert table == ENVIRONMENT.names


def test_the_process_that_serves_pages_loads_only_libraries_that_it_needs(tmp_path: Path) -> None:
    program = """
import sys, pkgutil, importlib
from benchbench.wsgi import application
from django.urls import get_resolver
get_resolver().reverse_dict
print({"libcst", "radon", "rustworkx", "scipy"} & sys.modules.keys())
import runs
for module in pkgutil.walk_packages(runs.__path__, "runs."):
    if not module.name.startswith(("runs.management", "runs.migrations")):
        importlib.import_module(module.name)
print({"litellm", "pyarrow"} & sys.modules.keys())
"""
    assert said_by(program, tmp_path) == ["set()", "set()"]


def test_a_computation_has_one_thread() -> None:
    import sklearn.ensemble  # noqa: F401 - loads the libraries that make threads
    from threadpoolctl import threadpool_info  # type: ignore[import-untyped]

    assert {pool["num_threads"] for pool in threadpool_info()} == {1}


@pytest.mark.django_db
def test_pages_allow_no_inline_script_and_no_other_host(client: Client) -> None:
    policy = client.get("/admin/login/").headers["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "object-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
