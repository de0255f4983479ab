"""Containers and images: where agents act and where their work is graded."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable

from harness.errors import ConfigurationError
from harness.sandbox.base import Engine

ENGINE_VARIABLE = "BENCHBENCH_ENGINE"
DEFAULT_ENGINE = "docker"


def _from(module: str, name: str) -> Callable[[], Engine]:
    """Creates the engine called `name`; its module and library are imported only here."""

    def make() -> Engine:
        engine: Engine = getattr(importlib.import_module(module), name)()
        return engine

    return make


ENGINES: dict[str, Callable[[], Engine]] = {
    "docker": _from("harness.sandbox.docker", "DockerEngine"),
    "local": _from("harness.sandbox.local", "LocalEngine"),
}


def open_engine() -> Engine:
    """The engine that $BENCHBENCH_ENGINE names, Docker by default. Does not connect yet: `status()` does.

    Raises ConfigurationError for a name that there is not.
    """
    name = os.environ.get(ENGINE_VARIABLE, "").strip() or DEFAULT_ENGINE
    if name not in ENGINES:
        raise ConfigurationError(f"{ENGINE_VARIABLE} is {name!r}; it must be one of {', '.join(ENGINES)}")
    return ENGINES[name]()
