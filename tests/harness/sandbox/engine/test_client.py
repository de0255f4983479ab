"""Errors of the engine become those of the harness, with a remedy where there is one."""

from __future__ import annotations

import gc
import tarfile
from contextlib import closing
from pathlib import Path
from typing import cast

import docker
import pytest
import requests
import urllib3
from docker import APIClient
from docker import errors as docker_errors
from urllib3.connectionpool import HTTPConnectionPool

from harness.errors import EngineFull, EngineSlow, EngineUnavailable, InfrastructureError
from harness.sandbox.engine.client import (
    ENDING_TIMEOUT,
    JOIN_GROUP,
    START_DAEMON,
    IdleConnection,
    address,
    allowing,
    connect,
    engine_errors,
    hurried,
    unavailable,
)
from tests.browser.proxy import EngineProxy

HOST = "unix:///nowhere/engine.sock"


@pytest.fixture(autouse=True)
def _host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", HOST)


def refusal(status: int, explanation: str) -> docker_errors.APIError:
    response = requests.Response()
    response.status_code = status
    return docker_errors.APIError(str(status), response, explanation)


def test_lack_of_space_is_recognised() -> None:
    response = requests.Response()
    response.status_code = 500
    refused = docker_errors.APIError("500", response, "write /x: no space left on device")
    with pytest.raises(EngineFull) as failure, engine_errors("creating container x"):
        raise refused
    assert failure.value.kind == "engine's disk full"


def test_the_address_is_that_of_the_environment_or_the_usual_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    assert address() == HOST
    monkeypatch.setenv("DOCKER_HOST", "")
    assert address() == "unix:///var/run/docker.sock"


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (refusal(409, "name in use"), InfrastructureError, "creating x: the engine refused: name in use"),
        (
            requests.exceptions.ReadTimeout("slow"),
            EngineSlow,
            f"creating x: the engine at {HOST} did not respond in time",
        ),
        (
            urllib3.exceptions.ReadTimeoutError(cast("HTTPConnectionPool", object()), "/", "slow"),
            EngineSlow,
            f"creating x: the engine at {HOST} did not respond in time",
        ),
        (
            requests.exceptions.ConnectionError("gone"),
            EngineUnavailable,
            f"no Docker engine responds at {HOST} (gone): {START_DAEMON}",
        ),
        (
            docker_errors.DockerException("odd"),
            InfrastructureError,
            f"creating x: the engine at {HOST} failed: odd",
        ),
        (
            urllib3.exceptions.ProtocolError("cut"),
            InfrastructureError,
            f"creating x: the engine at {HOST} failed: cut",
        ),
        (
            tarfile.ReadError("unexpected end of data"),
            InfrastructureError,
            f"creating x: the engine at {HOST} failed: unexpected end of data",
        ),
    ],
)
def test_every_error_of_the_library_says_what_was_done(
    error: Exception, kind: type[InfrastructureError], message: str
) -> None:
    with pytest.raises(InfrastructureError) as failure, engine_errors("creating x"):
        raise error
    assert (type(failure.value), str(failure.value)) == (kind, message)
    assert failure.value.__cause__ is error


def test_errors_of_others_pass_unchanged() -> None:
    with pytest.raises(ValueError, match="mine"), engine_errors("creating x"):
        raise ValueError("mine")


def test_only_the_allowed_refusals_are_ignored() -> None:
    with allowing(404, 409):
        raise refusal(409, "in use")
    with pytest.raises(docker_errors.APIError), allowing(404):
        raise refusal(409, "in use")


def test_a_socket_that_this_user_may_not_open_has_its_own_remedy() -> None:
    error = unavailable(PermissionError(13, "Permission denied"))
    assert error.remedy == JOIN_GROUP
    assert error.reason == f"this user may not use the Docker engine at {HOST} ([Errno 13] Permission denied)"


def test_a_socket_without_a_listener_is_no_engine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for path in (tmp_path / "missing.sock", tmp_path):
        monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
        with pytest.raises(
            EngineUnavailable, match=f"no Docker engine responds at unix://{path} "
        ) as failure:
            connect()
        assert failure.value.remedy == START_DAEMON


def test_an_address_that_no_library_understands_is_no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "carrier-pigeon://loft")
    with pytest.raises(EngineUnavailable, match="no Docker engine responds at carrier-pigeon://loft "):
        connect()


@pytest.mark.engine
def test_a_local_engine_is_used_without_the_proxies_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("DOCKER_HOST")
    client: docker.DockerClient = connect()
    assert client.ping()
    assert client.api.trust_env is False
    client.close()


def test_a_hurried_connection_waits_less_until_it_is_patient_again() -> None:
    api = APIClient(base_url="http://127.0.0.1:1", version="1.41", timeout=77)
    with hurried(api):
        assert api.timeout == ENDING_TIMEOUT == 15
    assert api.timeout == 77
    api.close()


@pytest.mark.engine
def test_an_idle_connection_tells_whether_the_way_to_the_engine_broke(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = EngineProxy(tmp_path / "engine.sock")
    proxy.up()
    monkeypatch.setenv("DOCKER_HOST", proxy.url)
    with closing(connect()) as client, closing(IdleConnection(client.api)) as untouched:
        assert not untouched.broke
    with closing(connect()) as client, closing(IdleConnection(client.api)) as cut:
        proxy.cut()
        assert cut.broke
    proxy.down()
    gc.collect()  # a socket left open would be reported here, and not in another test
