"""Containers and images: where agents act and where their work is graded."""

from __future__ import annotations

import os

from harness.errors import ConfigurationError
from harness.sandbox.base import Engine

ENGINE_VARIABLE = "BENCHBENCH_ENGINE"
ENGINES = ("docker", "local")


def open_engine() -> Engine:
    """The engine that $BENCHBENCH_ENGINE names, Docker by default. Asks it nothing yet: `status()` does.

    Raises ConfigurationError for a name that there is not.
    """
    name = os.environ.get(ENGINE_VARIABLE, "").strip() or ENGINES[0]
    if name == "local":
        from harness.sandbox.local import LocalEngine  # noqa: PLC0415

        return LocalEngine()
    if name != "docker":
        raise ConfigurationError(f"{ENGINE_VARIABLE} is {name!r}; it must be one of {', '.join(ENGINES)}")
    from harness.sandbox.docker import DockerEngine  # noqa: PLC0415 - the Docker library loads when it is needed

    return DockerEngine()
