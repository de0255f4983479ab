"""The Redis server that the site brings along."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from benchbench import redis_server
from benchbench.redis_server import NoRedisServer, arguments, executable, prepare, socket_path


def test_the_socket_is_in_the_data_directory_if_its_path_is_short_enough() -> None:
    longest = Path("/") / ("d" * (100 - len("//redis/redis.sock")))
    assert socket_path(longest) == longest / "redis" / "redis.sock"
    assert len(str(socket_path(longest))) == 100


def test_a_long_path_has_a_short_private_socket_of_its_own() -> None:
    one, two = (Path("/") / ("d" * 99) / name for name in ("a", "b"))
    assert len(os.fsencode(socket_path(one))) <= 100
    assert socket_path(one).parent.name.startswith(f"benchbench-{os.getuid()}-")
    assert socket_path(one) == socket_path(one)
    assert socket_path(one) != socket_path(two)


def test_the_length_is_counted_in_bytes() -> None:
    umlauts = Path("/") / ("ü" * 60)
    assert not socket_path(umlauts).is_relative_to(umlauts)


def test_both_directories_are_made_and_the_sockets_is_private(tmp_path: Path) -> None:
    socket, directory = tmp_path / "run" / "redis.sock", tmp_path / "data" / "redis"
    socket.parent.mkdir(mode=0o755)
    prepare(socket, directory)
    assert directory.is_dir()
    assert stat.S_IMODE(socket.parent.stat().st_mode) == 0o700
    prepare(socket, directory)


def test_a_directory_that_somebody_may_have_planted_is_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "run").symlink_to(tmp_path / "theirs")
    with pytest.raises(NoRedisServer, match=r"/run belongs to another user: remove it or set REDIS_URL\.$"):
        prepare(tmp_path / "run" / "redis.sock", tmp_path / "data")


@pytest.mark.redis
def test_the_server_listens_on_its_socket_only_and_stores_every_write(tmp_path: Path) -> None:
    command = arguments(tmp_path / "redis.sock", tmp_path)
    assert command[0] == str(executable())
    options = dict(zip(command[1::2], command[2::2], strict=True))
    assert (options["--port"], options["--unixsocket"], options["--unixsocketperm"]) == (
        *("0", str(tmp_path / "redis.sock"), "700"),
    )
    assert (options["--dir"], options["--appendonly"]) == (str(tmp_path), "yes")


def test_without_a_server_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(redis_server, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoRedisServer, match="install valkey-server or redis-server, or set REDIS_URL"):
        executable()


@pytest.mark.parametrize("name", ["valkey-server", "redis-server"])
def test_without_the_bundled_server_one_on_the_path_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setattr(redis_server, "find_spec", lambda _name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / name).touch(mode=0o755)
    assert executable() == tmp_path / name
