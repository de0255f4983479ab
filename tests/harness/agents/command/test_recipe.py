"""Recipes: how an external agent is installed and started."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from harness.agents.command.recipe import PLACEHOLDERS, SHIPPED, find_recipe, read_recipe
from harness.dataset import digest_of
from harness.errors import ConfigurationError

PARROT = Path(__file__).parents[2] / "parrot"


def write(directory: Path, more: str = "", command: str = '["run"]') -> Path:
    """A directory with a small recipe."""
    directory.mkdir()
    text = f'title = "Mine"\nversion = "1"\ncommand = {command}\n{more}'
    (directory / "recipe.toml").write_text(text)
    return directory


def test_a_recipe_is_read_with_the_digest_of_its_whole_directory() -> None:
    recipe = read_recipe(PARROT)
    assert (recipe.name, recipe.title, recipe.version, recipe.stdin) == ("parrot", "Parrot", "1", "nothing")
    assert recipe.command[-3:] == ("{api_base}", "{model}", "{task_file}")
    assert recipe.environment == {"PARROT": "{home}"}
    assert (recipe.layer.source, recipe.layer.digest) == (PARROT, digest_of(PARROT))


def test_placeholders_are_replaced_in_command_and_environment(tmp_path: Path) -> None:
    recipe = read_recipe(
        write(
            tmp_path / "mine",
            'stdin = "task"\n[environment]\nURL = "{address}/x?{model}"\n',
            '["run", "{task}", "--{model}={task}", "{Not} {} {{model}}"]',
        )
    )
    values = {name: f"<{name}>" for name in PLACEHOLDERS} | {"task": "say {model}"}
    assert recipe.start(values) == {
        "command": ["run", "say {model}", "--<model>=say {model}", "{Not} {} {<model>}"],
        "environment": {"URL": "<address>/x?<model>"},
        "stdin": "task",
    }


def test_a_recipe_may_continue_the_last_conversation_with_another_command(tmp_path: Path) -> None:
    recipe = read_recipe(write(tmp_path / "mine", 'resume_command = ["run", "--continue", "{task}"]\n'))
    values = dict.fromkeys(PLACEHOLDERS, "x")
    assert recipe.start(values)["command"] == ["run"]
    assert recipe.start(values, resumes=True)["command"] == ["run", "--continue", "x"]


@pytest.mark.parametrize("name", ["claude-code", "codex", "mini-swe-agent"])
def test_a_shipped_recipe_is_found_by_its_name(name: str) -> None:
    recipe = find_recipe(name)
    assert recipe.name == name
    assert recipe.layer.source == SHIPPED / name


def test_a_recipe_of_ones_own_is_found_by_its_absolute_path(tmp_path: Path) -> None:
    assert find_recipe(str(write(tmp_path / "mine"))).name == "mine"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (None, "recipe: expected a name or the absolute path of a directory, not None"),
        ("", "recipe: expected a name or the absolute path of a directory, not ''"),
        (
            "nobody",
            "recipe: there is no 'nobody'; shipped are claude-code, codex, mini-swe-agent. "
            "The absolute path of a directory names a recipe of your own",
        ),
        (
            "..",
            "recipe: there is no '..'; shipped are claude-code, codex, mini-swe-agent. "
            "The absolute path of a directory names a recipe of your own",
        ),
        ("codex/", "recipe: 'codex/' is not an absolute path"),
        ("/nowhere", "/nowhere/recipe.toml: No such file or directory"),
    ],
)
def test_what_names_no_recipe_is_refused(name: object, message: str) -> None:
    with pytest.raises(ConfigurationError, match=f"^{re.escape(message)}$"):
        find_recipe(name)


@pytest.mark.parametrize(
    ("more", "command", "message"),
    [
        ("", "[]", "command: expected a list of words"),
        ("", '"run"', "command: expected a list of words"),
        ("", '["a\\u0000b"]', "command: expected a list of words"),
        ("resume_command = []\n", '["run"]', "resume_command: expected a list of words"),
        ("environment = 3\n", '["run"]', "environment: expected a table of texts"),
        ("[environment]\nA = 1\n", '["run"]', "environment: expected a table of texts"),
        (
            "[environment]\nA = '{key}'\n",
            '["run"]',
            f"there is no {{key}}; there are {', '.join(PLACEHOLDERS)}",
        ),
    ],
)
def test_a_bad_field_is_named_with_its_file(tmp_path: Path, more: str, command: str, message: str) -> None:
    directory = write(tmp_path / "mine", more, command)
    with pytest.raises(ConfigurationError) as refused:
        read_recipe(directory)
    assert str(refused.value) == f"{directory}/recipe.toml: {message}"


@pytest.mark.parametrize("name", ["claude-code", "codex"])
def test_a_recipe_from_npm_is_pinned_with_what_each_package_must_be(name: str) -> None:
    recipe = read_recipe(SHIPPED / name)
    root, *packages = json.loads((SHIPPED / name / "package-lock.json").read_text())["packages"].values()
    assert [*root["dependencies"].values()] == [recipe.version] == [packages[0]["version"]]
    assert all(package["integrity"].startswith("sha512-") for package in packages)
    assert not [package for package in packages if "resolved" in package]
    assert (SHIPPED / name / "requirements.txt").read_text().count("==") == 2
    assert "--require-hashes" in (SHIPPED / name / "install.sh").read_text()
