"""Applies the code blocks of docs/harness.md to a copy of the package, and uses the result."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MAX_LINES = 20


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block of the page: under which heading, what to do with it, its text."""

    section: str
    language: str
    action: str
    text: str

    @property
    def added(self) -> int:
        """How many lines of code somebody has to write for it; docstrings, imports and blank lines are code."""
        lines = self.text.splitlines()
        if self.language == "diff":
            return sum(line.startswith("+") and not line.startswith("+++") for line in lines)
        return len(lines)


def blocks() -> list[Block]:
    """Every block of the page, in order."""
    page = (ROOT / "docs" / "harness.md").read_text()
    return [
        Block(re.findall(r"^## (.*)$", page[: found.start()], re.MULTILINE)[-1], *found.groups(default=""))
        for found in BLOCK.finditer(page)
    ]


def apply(block: Block, root: Path) -> None:
    """Does what a block says to the package below `root`."""
    verb, _, name = block.action.partition("=")
    if verb == "new":
        (root / name).write_text(block.text)
    elif verb == "append":
        (root / name).write_text(f"{(root / name).read_text()}\n\n{block.text}")
    elif block.language == "diff":
        insert(block.text.splitlines(), root)


def insert(lines: list[str], root: Path) -> None:
    """Puts each added line below the line that the diff shows above it, which the file has to hold exactly once."""
    path, above = root, ""
    for line in lines:
        if line.startswith("+++ "):
            path = root / line.removeprefix("+++ ")
        elif line.startswith("+"):
            text = path.read_text()
            assert text.count(f"{above}\n") == 1, f"{path}: {above!r}"
            path.write_text(text.replace(f"{above}\n", f"{above}\n{line[1:]}\n"))
            above = line[1:]
        else:
            above = line[1:]


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with the package as it is after everything on the page."""
    root = tmp_path_factory.mktemp("extended")
    shutil.copytree(ROOT / "harness", root / "harness", ignore=shutil.ignore_patterns("__pycache__"))
    for block in blocks():
        apply(block, root)
    return root


def python(root: Path, code: str) -> str:
    """What `code` prints with the package below `root`."""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("section", ["Add an agent", "Add a tool", "Add a report parser", "Add a sandbox"])
def test_each_addition_takes_at_most_twenty_lines(section: str) -> None:
    added = sum(block.added for block in blocks() if block.section == section)

    assert 0 < added <= MAX_LINES


def test_the_agent_is_there_by_its_name(extended: Path) -> None:
    code = """
from harness.agents.base import AgentSpec
from harness.agents.registry import create_agent
print(create_agent(AgentSpec("t", "tidy", {"command": "black ."})).command)
"""

    assert python(extended, code) == "black ."


def test_the_tool_is_offered_checked_and_called(extended: Path, tmp_path: Path) -> None:
    (tmp_path / "three.txt").write_text("1\n2\n3\n")
    code = f"""
import json, subprocess, sys
from harness.tools.schema import function_definitions, prompt_section, validate
assert "count_lines" in [one["function"]["name"] for one in function_definitions()]
assert "`count_lines(explanation, path)`" in prompt_section()
arguments = validate("count_lines", {{"explanation": "How long?", "path": "three.txt"}})
request = json.dumps({{"id": 1, "tool": "count_lines", "arguments": arguments, "timeout": 5}})
server = [sys.executable, "-I", "harness/tools/inside", "--workdir", {str(tmp_path)!r}]
response = subprocess.run(server, input=request + chr(10), capture_output=True, text=True).stdout
print(json.loads(response.splitlines()[-1])["content"])
"""

    assert python(extended, code) == "3 lines"


def test_the_parser_reads_what_its_runner_prints_and_no_forgery(extended: Path) -> None:
    code = """
from harness.grading.reports import read_results
from harness.dataset import REPORT_NAMES
assert "plain" in REPORT_NAMES
print([(one.id, one.status.value) for one in read_results("plain", {}, "PASS a\\nFAIL b\\nran 2 tests\\n")])
try:
    read_results("plain", {}, "PASS a\\nPASS b\\nFAIL b\\nran 2 tests\\n")
except Exception as error:
    print(type(error).__name__)
"""

    assert python(extended, code) == "[('a', 'passed'), ('b', 'failed')]\nReportError"


def test_the_engine_is_chosen_by_its_name_and_says_where_it_looked(extended: Path) -> None:
    code = """
import os
os.environ["BENCHBENCH_ENGINE"] = "podman"
os.environ["DOCKER_HOST"] = "unix:///nowhere/podman.sock"
from harness import open_engine
print(type(open_engine()).__name__, open_engine().status().reason)
"""

    assert python(extended, code).startswith(
        "PodmanEngine no Docker engine responds at unix:///nowhere/podman.sock"
    )


@pytest.mark.engine
def test_the_first_run_runs_as_it_is_printed(tmp_path: Path) -> None:
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")
    (tmp_path / "harness").symlink_to(ROOT / "harness")
    (code,) = (block.text for block in blocks() if block.action == "run")

    done = python(tmp_path, code).splitlines()

    assert done[0].startswith("unresolved ")
    assert done[-1] == "2 agent Null agent: I end without touching anything."
