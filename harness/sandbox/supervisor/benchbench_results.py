"""A plugin for pytest: reports each result to the container's supervisor as soon as it is known.

pytest loads it by its entry point. It does nothing outside of a grading container. It also closes the memory of the
test runner to the programs that the tests start.

Python 3.7 or newer, standard library only.
"""

from __future__ import annotations

import json
import os
import socket
import struct
from contextlib import suppress
from typing import Any

CHANNEL = "/benchbench/channel"
PR_SET_DUMPABLE = 4
OUTCOMES = ("passed", "failed", "skipped")


def pytest_configure(config: Any) -> None:
    """Connects to the supervisor. Workers of pytest-xdist leave it to their controller.

    All tests are run, whatever `-x` and `--maxfail` say: an expected result must not depend on the tests before it.
    """
    if os.path.exists(CHANNEL):
        config.option.maxfail = 0
        if not hasattr(config, "workerinput"):
            config.pluginmanager.register(_Reporter(), "benchbench_reporter")
    _harden()


def _harden() -> None:
    # A Python may have been built without ctypes.
    with suppress(ImportError, AttributeError, OSError):
        import ctypes  # noqa: PLC0415

        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


class _Reporter:
    def __init__(self) -> None:
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._connection.connect(CHANNEL)
        self._process = os.getpid()
        self._send({"runner": "pytest"})

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Reports what decides: the call, or a phase around it that did not pass. A test that is run again has not."""
        if os.getpid() != self._process or report.outcome not in OUTCOMES:
            return
        if report.when != "call" and report.passed:
            return
        status = report.outcome if report.when == "call" or report.skipped else "error"
        head, bracket, case = report.nodeid.partition("[")
        name = head.rpartition("::")[2] + bracket + case
        self._send({"test": name, "status": status})

    def _send(self, message: Any) -> None:
        text = json.dumps(message).encode()
        self._connection.sendall(struct.pack("!I", len(text)) + text)
