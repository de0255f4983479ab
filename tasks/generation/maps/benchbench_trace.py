"""A plugin for pytest: records which functions the tests execute, and who calls them.

It runs beside the repository's own tests in a container, on Python 3.8 or newer, with the standard library alone. What
it records is an agent's or a dataset's word: the host checks it (`traced_calls`).

    SETTINGS (JSON, beside this file): files (paths below the working directory), calls (whether to trace)

OUTPUT in $RESULTS_DIR is JSON: `places` (number of a file, first line and name of a code object), `calls` (pairs of
places: a frame of the second was entered from a frame of the first), `tests` (ids as in JUnit reports), `failed`,
`reached` (for each test, the places that were entered during it, its fixtures included), `cpu_seconds` (with child
processes).

A frame of a generator or coroutine is entered once, when it is first resumed: later resumptions can come from anywhere,
even from the garbage collector.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any, Dict, List, Set, Tuple

SETTINGS = "benchbench_trace.json"
OUTPUT = "trace.json"
CPU_FIELDS = 4  # of os.times(): user and system time, of this process and of its children


class Recorder:
    """Records the calls between code objects of some files, and the tests that enter them."""

    def __init__(self, settings: Dict[str, Any]) -> None:
        self._output = os.path.join(os.environ["RESULTS_DIR"], OUTPUT)
        self._traces: bool = settings["calls"]
        root = os.path.realpath(os.getcwd())
        self._files = {os.path.join(root, path): number for number, path in enumerate(settings["files"])}
        self._numbers: Dict[int, int] = {}  # of a code object's place, by its id; -1 outside of the files
        self._codes: List[Any] = []  # so that no id is used again
        self._begins: Dict[int, int] = {}
        self._places: List[Tuple[int, int, str]] = []
        self._calls: Set[Tuple[int, int]] = set()
        self._entered: Set[int] = set()
        self._tests: List[str] = []
        self._failed: Set[str] = set()
        self._reached: List[List[int]] = []
        self._began = _cpu_seconds()

    def trace(self) -> None:
        """Begins to trace, also in threads that start later."""
        if self._traces:
            threading.setprofile(self._event)
            sys.setprofile(self._event)

    def _event(self, frame: Any, event: str, _argument: Any) -> None:
        if event != "call":
            return
        code = frame.f_code
        place = self._place(code)
        # The first frame of any code begins at its start. One that begins elsewhere is resumed.
        if place < 0 or frame.f_lasti != self._begins.setdefault(id(code), frame.f_lasti):
            return
        self._entered.add(place)
        caller = self._place(frame.f_back.f_code) if frame.f_back else -1
        if caller >= 0:
            self._calls.add((caller, place))

    def _place(self, code: Any) -> int:
        number = self._numbers.get(id(code))
        if number is None:
            file = self._files.get(os.path.realpath(code.co_filename), -1)
            number = -1 if file < 0 else len(self._places)
            if file >= 0:
                self._places.append((file, code.co_firstlineno, code.co_name))
            self._codes.append(code)
            self._numbers[id(code)] = number
        return number

    def pytest_runtest_logstart(self) -> None:
        """Before the fixtures of a test."""
        self.trace()  # the test before may have ended it
        self._entered.clear()

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        """After the fixtures of a test."""
        self._tests.append(test_id(nodeid))
        self._reached.append(sorted(self._entered))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """A phase of a test."""
        if report.failed:
            self._failed.add(test_id(report.nodeid))

    def pytest_unconfigure(self) -> None:
        """Writes what was recorded."""
        sys.setprofile(None)
        threading.setprofile(None)
        record = {
            "places": self._places,
            "calls": sorted(self._calls),
            "tests": self._tests,
            "failed": sorted(self._failed),
            "reached": self._reached,
            "cpu_seconds": _cpu_seconds() - self._began,
        }
        with open(self._output, "w") as file:
            json.dump(record, file)


def pytest_configure(config: Any) -> None:
    """Begins to record, before the tests are imported."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), SETTINGS)) as file:
        settings = json.load(file)
    if not hasattr(config, "workerinput"):  # of pytest-xdist
        recorder = Recorder(settings)
        config.pluginmanager.register(recorder, "benchbench_recorder")
        recorder.trace()


def test_id(node: str) -> str:
    """The id of a test as the harness reads it from pytest's JUnit report, from pytest's own."""
    path, bracket, case = node.partition("[")
    names = path.split("::")
    module = names[0].replace("/", ".")
    module = module[: -len(".py")] if module.endswith(".py") else module
    return ".".join([module, *names[1:-1]]) + "::" + names[-1] + bracket + case


test_id.__test__ = False  # type: ignore[attr-defined]


def _cpu_seconds() -> float:
    # Not the clock of the system: the machine has other work.
    return time.process_time() + sum(os.times()[2:CPU_FIELDS])
