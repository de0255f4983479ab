"""--verbose says what was read, and nothing else changes.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)

tmp_path = support.tmp_path
FRAME = support.udp("10.0.0.1", 5000, "10.0.0.53", 53, 30)
RECORD = 16 + len(FRAME)


@pytest.fixture
def capture(tmp_path):
    return support.write(tmp_path / "test.pcap", [support.record(n, FRAME) for n in range(5)])


def message(path, records, size):
    return f"netflow: info: {path}: read {records} records from {size} bytes\n"


@pytest.mark.parametrize("command", ["summary", "flows", "top", "scans"])
def test_says_what_was_read(capture, command):
    done = support.netflow("--verbose", command, capture)
    assert (done.returncode, done.stderr) == (0, message(capture, 5, 24 + 5 * RECORD))
    assert done.stdout == support.output(command, capture)


def test_filter_says_it_too(capture, tmp_path):
    done = support.netflow("--verbose", "filter", capture, tmp_path / "out.pcap")
    assert done.stderr == message(capture, 5, 24 + 5 * RECORD)


def test_an_empty_capture_has_no_records(tmp_path):
    path = support.write(tmp_path / "empty.pcap", [])
    assert support.netflow("--verbose", "summary", path).stderr == message(path, 0, 24)


def test_a_warning_comes_first_and_has_its_old_form(tmp_path):
    path = support.write(tmp_path / "cut.pcap", [support.record(n, FRAME) for n in range(3)], cut=1)
    warning = f"netflow: warning: {path}: the capture ends in the middle of record 3\n"
    assert support.netflow("summary", path).stderr == warning
    assert support.netflow("--verbose", "summary", path).stderr == warning + message(path, 2, 23 + 3 * RECORD)


def test_an_error_is_an_error(tmp_path):
    done = support.netflow("--verbose", "summary", tmp_path / "nowhere.pcap")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"netflow: {tmp_path}/nowhere.pcap: No such file or directory\n"
