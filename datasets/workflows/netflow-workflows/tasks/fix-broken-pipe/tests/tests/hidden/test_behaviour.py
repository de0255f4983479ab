"""A reader that stops early is no error; other errors stay errors.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
import subprocess
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)

tmp_path = support.tmp_path


@pytest.fixture
def capture(tmp_path):
    frames = [support.udp(f"10.{n % 7}.{n // 250}.{n % 250}", 5000, "10.9.0.53", 53) for n in range(3000)]
    return support.write(tmp_path / "big.pcap", [support.record(n, frame) for n, frame in enumerate(frames)])


def first_line(*arguments):
    """Reads one line and closes the pipe: the line, what was written to standard error, and the exit status."""
    process = subprocess.Popen(
        support.outside(*support.command(*arguments)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=support.environment(),
        cwd=support.ROOT,
    )
    line = process.stdout.readline()
    process.stdout.close()
    error = process.stderr.read()
    return line, error, process.wait(timeout=60)


@pytest.mark.parametrize("style", ["text", "csv", "json"])
def test_flows_end_quietly_when_the_reader_has_enough(capture, style):
    line, error, status = first_line("flows", capture, "--format", style)
    assert line.endswith(b"\n")
    assert (error, status) == (b"", 0)


def test_top_ends_quietly_when_the_reader_has_enough(capture):
    _, error, status = first_line("top", capture, "-n", "100000")
    assert (error, status) == (b"", 0)


def test_the_whole_report_is_still_written(capture):
    assert support.output("flows", capture).splitlines()[-1] == "3000 flows, 3000 packets, 126000 bytes"


def test_other_errors_are_still_errors(tmp_path):
    done = support.netflow("flows", tmp_path / "nowhere.pcap")
    assert done.returncode == 2
    assert done.stderr.endswith("nowhere.pcap: No such file or directory\n")
