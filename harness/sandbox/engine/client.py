"""The connection to the Docker engine, and its errors."""

from __future__ import annotations

import json
import os
import socket
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

import docker
import docker.errors
import requests
import urllib3
from docker import APIClient
from docker.transport.unixconn import UnixHTTPConnection

from harness.errors import EngineFull, EngineSlow, EngineUnavailable, InfrastructureError

REQUEST_TIMEOUT = 120.0
_BREAK_SECONDS = 0.5  # connections that break together do so within this time
# How long processes may take to end, and files to be removed: what a container did may delay both.
ENDING_TIMEOUT = 15
START_DAEMON = "start the Docker daemon, or set DOCKER_HOST to a running one"
JOIN_GROUP = (
    "add this user to the group that owns the socket (`sudo usermod -aG docker $USER`), log in again and restart, "
    "or set DOCKER_HOST to an engine that this user may use"
)


def address() -> str:
    """The address of the engine."""
    return os.environ.get("DOCKER_HOST") or "unix:///var/run/docker.sock"


def connect(*, timeout: float = REQUEST_TIMEOUT, version: str | None = None) -> docker.DockerClient:
    """A client for the engine at DOCKER_HOST. Raises EngineUnavailable when there is none.

    `version` of the engine's API: queried if it is unknown.
    """
    with engine_errors("connecting"):
        _check_listener(timeout)
        try:
            client = docker.from_env(timeout=timeout, version=version)  # type: ignore[arg-type]
        except docker.errors.APIError:
            raise
        except docker.errors.DockerException as error:
            raise unavailable(error) from error
        if address().startswith("unix:"):
            # A local socket needs nothing of the environment, such as proxies. The library would read it for each call.
            client.api.trust_env = False
        return client


def _check_listener(timeout: float) -> None:
    """Checks for a listener on a local socket: the error of the library is hard to read."""
    scheme, _, path = address().partition("://")
    if scheme == "unix":
        try:
            _connected(path, timeout).close()
        except OSError as error:
            raise unavailable(error) from error


def _connected(path: str, timeout: float | None) -> socket.socket:
    opened = socket.socket(socket.AF_UNIX)
    try:
        opened.settimeout(timeout)
        opened.connect(path)
    except BaseException:
        opened.close()
        raise
    return opened


def _open(connection: UnixHTTPConnection) -> None:
    """Like the library, but closes the socket if there is no listener."""
    connection.sock = _connected(connection.unix_socket, connection.timeout)


UnixHTTPConnection.connect = _open  # type: ignore[assignment, method-assign]


def unavailable(error: Exception) -> EngineUnavailable:
    """The error for an engine that does not respond, or that this user may not use."""
    if isinstance(error, PermissionError):
        return EngineUnavailable(
            f"this user may not use the Docker engine at {address()} ({error})", JOIN_GROUP
        )
    return EngineUnavailable(f"no Docker engine responds at {address()} ({error})", START_DAEMON)


@contextmanager
def allowing(*statuses: int) -> Iterator[None]:
    """Ignores a refusal of the engine with one of these HTTP statuses: 404 (there is none), 409 (in use)."""
    try:
        yield
    except docker.errors.APIError as error:
        if error.status_code not in statuses:
            raise


@contextmanager
def hurried(api: APIClient) -> Iterator[None]:
    """Waits only ENDING_TIMEOUT for each response meanwhile."""
    patient, api.timeout = api.timeout, ENDING_TIMEOUT
    try:
        yield
    finally:
        api.timeout = patient


@contextmanager
def engine_errors(doing: str) -> Iterator[None]:
    """Turns errors of the Docker library into EngineUnavailable or InfrastructureError."""
    try:
        yield
    except docker.errors.APIError as error:
        reason = f"{doing}: the engine refused: {error.explanation or error}"
        full = "no space left on device" in reason
        raise (EngineFull if full else InfrastructureError)(reason) from error
    except (requests.exceptions.Timeout, urllib3.exceptions.TimeoutError) as error:
        raise EngineSlow(f"{doing}: the engine at {address()} did not respond in time") from error
    except requests.exceptions.ConnectionError as error:
        raise unavailable(error) from error
    except (
        docker.errors.DockerException,
        requests.exceptions.RequestException,
        urllib3.exceptions.HTTPError,
        tarfile.TarError,  # an archive that broke off
    ) as error:
        raise InfrastructureError(f"{doing}: the engine at {address()} failed: {error}") from error


class IdleConnection:
    """A connection to the engine that carries nothing and ends only if the engine, or the way to it, is interrupted.

    No process in a container can end it. So it tells a container that closed its streams from streams that broke.
    """

    def __init__(self, api: APIClient) -> None:
        with engine_errors("opening a connection"):
            # Events of a kind that does not exist: a response without content and without an end.
            self._response = api.get(
                f"{api.base_url}/v{api.api_version}/events",
                params={"filters": json.dumps({"event": ["none"]})},
                stream=True,
                timeout=(api.timeout, _BREAK_SECONDS),
            )
            self._response.raise_for_status()

    @cached_property
    def broke(self) -> bool:
        """Whether it was interrupted. The first use waits half a second for that; later ones have the same result."""
        try:
            return not self._response.raw.read(1)
        except urllib3.exceptions.ReadTimeoutError:
            return False
        except (urllib3.exceptions.HTTPError, OSError):
            return True

    def close(self) -> None:
        """Closes it."""
        self._response.close()
