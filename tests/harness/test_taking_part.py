"""The agent and the commands of docs/taking-part.md, executed as they stand there."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from harness.agents.command.recipe import read_recipe
from harness.limits import Ending
from harness.records import Outcome
from tests.harness.agents.command.test_agent import play
from tests.harness.worlds import SOLUTION

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(language: str) -> list[str]:
    """The blocks of the page in this language."""
    page = (ROOT / "docs/taking-part.md").read_text(encoding="utf-8")
    return [text for name, text in BLOCK.findall(page) if name == language]


def commands() -> list[list[str]]:
    """Each command of the page as words."""
    lines = "\n".join(blocks("sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines if line]


@pytest.fixture
def recipe(tmp_path: Path) -> Path:
    """The two files of the page in a directory."""
    (recipe,), (agent,) = blocks("toml"), blocks("python")
    directory = tmp_path / "mine"
    directory.mkdir()
    (directory / "recipe.toml").write_text(recipe)
    (directory / "agent.py").write_text(agent)
    return directory


def test_the_recipe_is_valid_and_starts_the_program_beside_it(recipe: Path) -> None:
    found = read_recipe(recipe)

    assert found.title == "Mine"
    assert found.command == ("python3", "/opt/benchbench/agent/recipe/agent.py", "{task_file}")


@pytest.mark.engine
def test_the_agent_of_two_files_resolves_a_task(recipe: Path, tmp_path: Path) -> None:
    script = "".join(f"cat > {name} <<'END'\n{text}END\n" for name, text in SOLUTION.items())
    played = play(tmp_path / "run", [f"I write it. <run>{script}</run>", "Done."], recipe=str(recipe))

    assert played.summary.ending is Ending.COMPLETED
    assert played.summary.outcome is Outcome.RESOLVED
    assert "exit code 0" in str(played.requests[-1].messages[-1]["content"])


@pytest.mark.engine
def test_the_oracle_resolves_the_task_that_the_page_names(tmp_path: Path) -> None:
    command = next(words for words in commands() if "oracle" in words)
    assert command[:4] == ["python", "-m", "harness", "evaluate"]
    command = [sys.executable, *command[1:-1], str(tmp_path / "oracle")]

    base = os.environ.get("BENCHBENCH_BASE_IMAGES", "ubuntu:24.04=benchbench/base:bookworm")
    done = subprocess.run(
        command,
        cwd=ROOT,
        env={**os.environ, "BENCHBENCH_BASE_IMAGES": base},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )

    assert done.returncode == 0, done.stderr
    (summary,) = (tmp_path / "oracle").rglob("run_summary.json")
    assert json.loads(summary.read_text())["outcome"] == "resolved"


def test_every_other_command_has_arguments_that_its_program_knows() -> None:
    for words in commands():
        if words[:3] == ["python", "-m", "harness"]:
            known = _help([sys.executable, "-m", "harness", words[3], "--help"])
        elif words[:2] == ["python", "manage.py"]:
            known = _help([sys.executable, "manage.py", words[2], "--help"])
        else:
            assert words[0] in ("script/server", ".", "export", "curl"), words
            continue
        for word in words:
            assert not word.startswith("--") or word in known, word


def _help(command: list[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True, timeout=120)
    return done.stdout
