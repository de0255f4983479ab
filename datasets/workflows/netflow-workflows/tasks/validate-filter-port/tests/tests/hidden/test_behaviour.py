"""--port takes ports only; --seed takes any number, as before.

BENCHBENCH-CANARY 81d96142-47f1-44f8-a055-ec8141f48db1
"""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(support)

tmp_path = support.tmp_path


@pytest.mark.parametrize("text", ["0", "65536", "-1", "http", "", "4 3", "80.0", "99999999999999999999"])
def test_what_is_no_port_is_refused(text):
    done = support.netflow("filter", "x", "y", f"--port={text}")
    assert done.returncode == 2
    assert done.stderr.endswith(f"argument --port: must be a port from 1 to 65535, not {text}\n")


@pytest.mark.parametrize("port", [1, 443, 65535])
def test_a_port_is_found_at_either_end(tmp_path, port):
    frames = [
        support.udp("10.0.0.1", port, "10.0.0.2", 9),
        support.udp("10.0.0.2", 9, "10.0.0.1", port),
        support.udp("10.0.0.2", 9, "10.0.0.1", 10),
    ]
    path = support.write(tmp_path / "in.pcap", [support.record(n, frame) for n, frame in enumerate(frames)])
    assert support.output("filter", path, tmp_path / "out.pcap", "--port", port) == "2 packets, 84 bytes\n"


def test_without_a_port_every_packet_is_wanted(tmp_path):
    path = support.write(tmp_path / "in.pcap", [support.record(0, support.udp("10.0.0.1", 7, "10.0.0.2", 9))])
    assert support.output("filter", path, tmp_path / "out.pcap") == "1 packets, 42 bytes\n"


@pytest.mark.parametrize("seed", ["-1", "0", "7"])
def test_any_seed_is_a_seed(tmp_path, seed):
    assert support.output("sample", tmp_path / "out.pcap", "--seed", seed).endswith(" packets\n")
