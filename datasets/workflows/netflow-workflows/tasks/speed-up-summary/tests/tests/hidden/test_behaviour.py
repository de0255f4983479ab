"""The summary is the same, with less work for each frame.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
import json
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)
tmp_path = support.tmp_path

# Counts the calls of Python functions in stats.py while a capture is summarised.
CALLS = """
import sys
from netflow import stats
from netflow.capture import RawPacket
frames = [RawPacket(n, bytes(60 + n), 60 + n) for n in range(1000)]
calls = 0
def count(frame, event, argument):
    global calls
    calls += event == "call" and frame.f_code.co_filename.endswith("stats.py")
sys.setprofile(count)
stats.summarise(frames)
sys.setprofile(None)
print(calls)
"""


def test_a_frame_needs_few_calls():
    done = support.run(
        [sys.executable, "-c", CALLS], capture_output=True, text=True, env=support.environment(), timeout=60
    )
    assert done.returncode == 0, done.stderr
    # 11 before: two counts, the class of the size, the names of all classes, and seven steps of a generator.
    assert int(done.stdout) <= 1000 * 4 + 50


def test_each_size_is_in_its_class(tmp_path):
    sizes = (60, 64, 65, 128, 129, 256, 257, 512, 513, 1024, 1025, 1518, 1519, 4000)
    records = [support.record(n, bytes(size)) for n, size in enumerate(sizes)]
    path = support.write(tmp_path / "sizes.pcap", records)
    report = json.loads(support.output("summary", path, "--format", "json"))
    assert report["sizes"] == {
        "0-64": 2,
        "65-128": 2,
        "129-256": 2,
        "257-512": 2,
        "513-1024": 2,
        "1025-1518": 2,
        "1519+": 2,
    }


def test_an_empty_capture_has_all_classes(tmp_path):
    path = support.write(tmp_path / "empty.pcap", [])
    report = json.loads(support.output("summary", path, "--format", "json"))
    assert list(report["sizes"].values()) == [0] * 7
