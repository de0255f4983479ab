"""Containers and images: where agents act and where their work is graded."""

from __future__ import annotations

from harness.sandbox.base import Engine


def open_engine() -> Engine:
    """The container engine of this host. Asks it nothing yet: `status()` tells whether it lives."""
    from harness.sandbox.docker import DockerEngine  # noqa: PLC0415 - the Docker library loads when it is needed

    return DockerEngine()
