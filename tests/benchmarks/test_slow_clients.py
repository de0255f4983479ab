"""The benchmark in short: its attacks on a small application."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from benchmarks import slow_clients
from benchmarks.slow_clients import half_sent, slow_reader, under
from tests.benchbench.serving.test_worker import Server

PATIENCE = 8.0  # seconds: the machine may be busy, but threads that slow clients keep are never free


def test_a_server_answers_while_80_clients_are_slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slow_clients, "LARGE", ("/large?3000000", "/export?30"))
    monkeypatch.setattr(slow_clients, "MAX_SECONDS", PATIENCE)
    monkeypatch.setattr(slow_clients, "ORDINARY", ("/", "/large?10000"))
    server = Server(tmp_path)
    try:
        health, pages = asyncio.run(under((half_sent, slow_reader), server.port, 3))
    finally:
        server.process.terminate()
        server.process.wait(10)

    assert len(health.seconds) >= 3
    assert health.slowest < PATIENCE
    assert (health.failed, pages.failed) == (0, 0)
