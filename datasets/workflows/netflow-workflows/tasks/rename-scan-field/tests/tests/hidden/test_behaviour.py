"""The field has its new name, and the reports keep their column.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import csv
import importlib.util
import io
import json
import sys
from pathlib import Path

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)
tmp_path = support.tmp_path

FIELDS = """
from netflow.packets import SYN, Packet
from netflow.scans import Scan, find_scans
from ipaddress import IPv4Address as A
packets = [Packet(n, 60, 0, "tcp", A("10.0.0.1"), A("10.0.0.2"), 9, n + 1, SYN) for n in range(20)]
(scan,) = find_scans(packets, 100, 15)
print(scan.tried, hasattr(scan, "doors"), Scan("vertical", A("10.0.0.1"), "x", tried=3, first_ns=0).tried)
"""


def capture(tmp_path):
    frames = [support.tcp("10.0.0.1", 999, "10.0.0.2", port, support.SYN) for port in range(1, 21)]
    return support.write(tmp_path / "scan.pcap", [support.record(n, frame) for n, frame in enumerate(frames)])


def test_the_field_is_called_tried():
    done = support.run(
        [sys.executable, "-c", FIELDS], capture_output=True, text=True, env=support.environment(), timeout=60
    )
    assert done.stdout == "20 False 3\n", done.stderr


def test_the_csv_report_keeps_its_column(tmp_path):
    (row,) = csv.DictReader(io.StringIO(support.output("scans", capture(tmp_path), "--format", "csv")))
    assert (row["kind"], row["doors"]) == ("vertical", "20")


def test_the_json_report_keeps_its_field(tmp_path):
    report = json.loads(support.output("scans", capture(tmp_path), "--format", "json"))
    assert report["scans"] == [
        {"kind": "vertical", "source": "10.0.0.1", "target": "10.0.0.2", "doors": 20, "first": "0.000000000"}
    ]


def test_the_text_report_keeps_its_column(tmp_path):
    assert support.output("scans", capture(tmp_path)).splitlines()[0].split() == [
        "kind",
        "source",
        "target",
        "doors",
        "first",
    ]
