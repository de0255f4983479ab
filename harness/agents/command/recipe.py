"""How an external agent is installed and started: a directory with `recipe.toml` and usually `install.sh`.

    title = "mini-swe-agent"
    version = "2.4.6"
    command = ["/opt/benchbench/agent/venv/bin/mini", "--task", "{task}", "--model", "openai/{model}"]
    resume_command = [...]                             # optional: goes on with the last conversation in this HOME
    stdin = "nothing"                                  # or "task": the task's text

    [environment]
    OPENAI_API_KEY = "none"
    OPENAI_BASE_URL = "{api_base}"

The whole directory is copied to /opt/benchbench/agent/recipe in the image; `install.sh` then runs with /bin/sh -eu, as
root, with a network, in /opt/benchbench/agent. It must not change the workspace. Placeholders in braces are replaced in
the command and the environment; PLACEHOLDERS lists them.

In a workflow the command runs once for each message of the user. `resume_command` continues the conversation, with the
message as {task}; without it, the command starts anew, and {task} holds the messages so far.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.dataset import digest_of
from harness.errors import ConfigurationError
from harness.sandbox.base import ImageLayer

SHIPPED = Path(__file__).parent.parent / "recipes"
PLACEHOLDERS = {
    "task": "the task's title and description",
    "task_file": "a file that holds the same",
    "workdir": "the directory of the code",
    "home": "the agent's HOME, an empty directory outside the workspace",
    "address": "the relay's address, http://127.0.0.1:PORT",
    "api_base": "the same with /v1, which some agents want",
    "model": "the model's name, the only one that the relay accepts",
    "window": "how many tokens the model reads at most, as far as is known",
    "max_output_tokens": "how many tokens a response has at most",
}
STDIN = ("nothing", "task")
_FIELDS = {"title", "version", "command", "resume_command", "stdin", "environment"}
_BRACES = re.compile(r"\{([a-z_]+)\}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A valid recipe."""

    name: str
    title: str
    version: str
    command: tuple[str, ...]
    environment: Mapping[str, str]
    stdin: str
    layer: ImageLayer
    resume_command: tuple[str, ...] = ()

    def start(self, values: Mapping[str, str], *, resumes: bool = False) -> dict[str, Any]:
        """Command, environment and standard input, with the placeholders replaced by `values`."""
        command = self.resume_command if resumes else self.command
        return {
            "command": [_filled(word, values) for word in command],
            "environment": {name: _filled(word, values) for name, word in self.environment.items()},
            "stdin": self.stdin,
        }


def shipped_recipes() -> list[str]:
    """The names of the recipes that this project has."""
    return sorted(path.parent.name for path in SHIPPED.glob("*/recipe.toml"))


def find_recipe(name: object) -> Recipe:
    """The shipped recipe of that name, or the recipe in the directory with that absolute path.

    Raises ConfigurationError when there is none, or for the first error in it.
    """
    if not isinstance(name, str) or not name:
        raise ConfigurationError(f"recipe: expected a name or the absolute path of a directory, not {name!r}")
    if "/" not in name:
        shipped = shipped_recipes()
        if name not in shipped:
            raise ConfigurationError(
                f"recipe: there is no {name!r}; shipped are {', '.join(shipped)}. "
                "The absolute path of a directory names a recipe of your own"
            )
        return read_recipe(SHIPPED / name)
    directory = Path(name)
    if not directory.is_absolute():
        raise ConfigurationError(f"recipe: {name!r} is not an absolute path")
    return read_recipe(directory)


def read_recipe(directory: Path) -> Recipe:
    """The recipe in `directory`. Raises ConfigurationError naming the file and the field."""
    path = directory / "recipe.toml"
    try:
        stored = tomllib.loads(path.read_text("utf-8"))
        digest = digest_of(directory)
    except OSError as error:
        raise ConfigurationError(f"{error.filename or path}: {error.strerror or error}") from None
    except ValueError as error:
        raise ConfigurationError(f"{path}: is not TOML: {error}") from None
    if unknown := sorted(stored.keys() - _FIELDS):
        raise ConfigurationError(
            f"{path}: unknown {', '.join(unknown)}; known are {', '.join(sorted(_FIELDS))}"
        )
    command = _command(path, stored, "command")
    resumed = _command(path, stored, "resume_command") if "resume_command" in stored else ()
    environment = stored.get("environment", {})
    if not isinstance(environment, dict) or not all(map(_is_word, environment.values())):
        raise ConfigurationError(f"{path}: environment: expected a table of texts")
    if bad := [name for name in environment if not _VARIABLE.fullmatch(name)]:
        raise ConfigurationError(f"{path}: environment: {bad[0]!r} is no name of a variable")
    stdin = stored.get("stdin", STDIN[0])
    if stdin not in STDIN:
        raise ConfigurationError(f"{path}: stdin: expected one of {', '.join(STDIN)}, not {stdin!r}")
    for word in (*command, *resumed, *environment.values()):
        for placeholder in _BRACES.findall(word):
            if placeholder not in PLACEHOLDERS:
                raise ConfigurationError(
                    f"{path}: there is no {{{placeholder}}}; there are {', '.join(PLACEHOLDERS)}"
                )
    return Recipe(
        name=directory.name,
        title=_text(path, stored, "title"),
        version=_text(path, stored, "version"),
        command=command,
        resume_command=resumed,
        environment=environment,
        stdin=stdin,
        layer=ImageLayer(directory.name, directory, digest),
    )


def _command(path: Path, stored: Mapping[str, Any], name: str) -> tuple[str, ...]:
    command = stored.get(name)
    if not isinstance(command, list) or not command or not all(map(_is_word, command)):
        raise ConfigurationError(f"{path}: {name}: expected a list of words")
    return tuple(command)


def _text(path: Path, stored: Mapping[str, Any], name: str) -> str:
    value = stored.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ConfigurationError(f"{path}: {name}: expected a text, not {value!r}")
    return value


def _is_word(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value


def _filled(word: str, values: Mapping[str, str]) -> str:
    return _BRACES.sub(lambda found: values[found[1]], word)
