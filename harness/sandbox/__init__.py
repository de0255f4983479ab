"""Containers and images: where agents act and where their work is graded."""

from __future__ import annotations

import importlib
import os

from harness.errors import ConfigurationError
from harness.sandbox.base import Engine

ENGINE_VARIABLE = "BENCHBENCH_ENGINE"
DEFAULT_ENGINE = "docker"

# Module and class: the library of an engine is imported only when it is used.
ENGINES = {
    "docker": ("harness.sandbox.docker", "DockerEngine"),
    "local": ("harness.sandbox.local", "LocalEngine"),
}


def open_engine() -> Engine:
    """The engine that $BENCHBENCH_ENGINE names, Docker by default. Does not connect yet: `status()` does.

    Raises ConfigurationError for an unknown name.
    """
    name = os.environ.get(ENGINE_VARIABLE, "").strip() or DEFAULT_ENGINE
    if name not in ENGINES:
        raise ConfigurationError(f"{ENGINE_VARIABLE} is {name!r}; it must be one of {', '.join(ENGINES)}")
    module, kind = ENGINES[name]
    engine: Engine = getattr(importlib.import_module(module), kind)()
    return engine
