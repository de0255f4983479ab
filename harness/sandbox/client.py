"""The connection to the Docker engine, and what its failures are called here."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager

import docker
import docker.errors
import requests
import urllib3

from harness.errors import EngineUnavailable, InfrastructureError

REQUEST_TIMEOUT = 120.0
REMEDY = "start the Docker daemon, or set DOCKER_HOST to one that answers"


def address() -> str:
    """Where the engine is looked for."""
    return os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"


def connect(*, timeout: float = REQUEST_TIMEOUT) -> docker.DockerClient:
    """A client for the engine that the environment names. Raises EngineUnavailable when none answers."""
    with engine_errors("connecting"):
        try:
            return docker.from_env(timeout=timeout)  # type: ignore[arg-type]
        except docker.errors.APIError:
            raise
        except docker.errors.DockerException as error:
            raise unavailable(error) from error


def unavailable(error: Exception) -> EngineUnavailable:
    """The error for an engine that does not answer."""
    return EngineUnavailable(f"no Docker engine answers at {address()}: {REMEDY} ({error})")


@contextmanager
def engine_errors(doing: str) -> Iterator[None]:
    """Turns whatever the Docker library raises inside into EngineUnavailable or InfrastructureError."""
    try:
        yield
    except docker.errors.APIError as error:
        raise InfrastructureError(f"{doing}: the engine refused: {error.explanation or error}") from error
    except requests.exceptions.Timeout as error:
        raise InfrastructureError(f"{doing}: the engine at {address()} did not answer in time") from error
    except requests.exceptions.ConnectionError as error:
        raise unavailable(error) from error
    except (
        docker.errors.DockerException,
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
        tarfile.TarError,  # an archive that broke off
    ) as error:
        raise InfrastructureError(f"{doing}: the engine at {address()} failed: {error}") from error
