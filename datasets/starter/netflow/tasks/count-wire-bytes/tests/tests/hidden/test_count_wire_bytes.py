"""Bytes are those of the wire, payload is what the headers say, whatever the capture has kept of a frame."""

import csv
import importlib.util
import io
import json
import struct
from pathlib import Path

import pytest

spec = importlib.util.spec_from_file_location("hidden_support", Path(__file__).with_name("support.py"))
support = importlib.util.module_from_spec(spec)
spec.loader.exec_module(support)
tmp_path = support.tmp_path
ACK, SYN, TCP, UDP = support.ACK, support.SYN, support.TCP, support.UDP

A, B = "10.1.0.1", "10.2.0.2"
# Frames of 1054, 254 and 142 bytes.
LONG = support.frame4(A, B, TCP, support.tcp(40000, 80, ACK, bytes(1000)))
SHORT = support.frame4(B, A, TCP, support.tcp(80, 40000, ACK, bytes(200)))
QUERY = support.frame4(A, B, UDP, support.udp(5000, 53, bytes(100)))
ARP = support.ethernet(bytes(186), 0x0806)


@pytest.fixture
def snapped(tmp_path):
    """Three packets of which 96 bytes each were kept."""
    path = tmp_path / "snapped.pcap"
    frames = enumerate((LONG, SHORT, QUERY))
    path.write_bytes(support.file_header() + b"".join(support.record(n, f, snap=96) for n, f in frames))
    return path


def capture(tmp_path, *frames, snap=65535):
    path = tmp_path / "test.pcap"
    path.write_bytes(support.file_header() + b"".join(support.record(n, f, snap=snap) for n, f in enumerate(frames)))
    return path


def flows(path):
    return list(csv.DictReader(io.StringIO(support.output("flows", path, "--format", "csv"))))


def summary(path):
    return json.loads(support.output("summary", path, "--format", "json"))


def test_flows_count_the_bytes_of_the_wire(snapped):
    web, dns = flows(snapped)
    assert (web["client_bytes"], web["server_bytes"]) == ("1054", "254")
    assert dns["client_bytes"] == "142"


def test_flows_count_the_payload_of_the_wire(snapped):
    assert [flow["payload"] for flow in flows(snapped)] == ["1200", "100"]


def test_the_text_report_of_flows_totals_the_wire(snapped):
    assert support.output("flows", snapped).endswith("2 flows, 3 packets, 1450 bytes\n")


def test_the_summary_counts_the_wire(snapped):
    report = summary(snapped)
    assert (report["packets"], report["bytes"], report["payload"]) == (3, 1450, 1300)
    assert report["protocols"] == {"tcp": {"packets": 2, "bytes": 1308}, "udp": {"packets": 1, "bytes": 142}}


def test_size_classes_are_those_of_the_wire(snapped):
    sizes = summary(snapped)["sizes"]
    assert {name: count for name, count in sizes.items() if count} == {"129-256": 2, "1025-1518": 1}


def test_other_frames_count_with_their_length_on_the_wire(tmp_path):
    report = summary(capture(tmp_path, ARP, snap=60))
    assert report["protocols"] == {"other": {"packets": 1, "bytes": 200}}
    assert (report["bytes"], report["payload"], report["sizes"]["129-256"]) == (200, 0, 1)


def test_talkers_are_ranked_by_the_wire(tmp_path):
    frames = [support.frame4("10.0.0.9", "10.0.0.7", TCP, support.tcp(1, 2, ACK, bytes(900)))]
    frames += [support.frame4("10.0.0.8", "10.0.0.6", TCP, support.tcp(1, 2, ACK))] * 3
    path = capture(tmp_path, *frames, snap=68)
    rows = list(csv.DictReader(io.StringIO(support.output("top", path, "--format", "csv"))))
    assert [(row["name"], row["bytes"]) for row in rows] == [
        ("10.0.0.7", "954"),
        ("10.0.0.9", "954"),
        ("10.0.0.6", "162"),
        ("10.0.0.8", "162"),
    ]


def test_padding_of_short_frames_is_no_payload(tmp_path):
    bare = support.frame4(A, B, TCP, support.tcp(40000, 80, SYN))
    small = support.frame4(B, A, UDP, support.udp(53, 5000, b"ab"))
    path = capture(tmp_path, bare.ljust(60, b"\0"), small.ljust(60, b"\0"))
    assert [(flow["client_bytes"], flow["payload"]) for flow in flows(path)] == [("60", "0"), ("60", "2")]


def test_headers_with_options_are_no_payload(tmp_path):
    segment = support.tcp(40000, 80, SYN, bytes(300), options=bytes(20))
    path = capture(tmp_path, support.frame4(A, B, TCP, segment, options=bytes(8)), snap=66)
    assert [(flow["client_bytes"], flow["payload"]) for flow in flows(path)] == [("382", "300")]


def test_other_protocols_and_later_fragments_count_what_follows_the_ip_header(tmp_path):
    ping = support.frame4(A, B, 1, bytes(700))
    fragment = support.frame4(A, B, UDP, bytes(800), fragment=185)
    path = capture(tmp_path, ping, fragment, snap=64)
    assert [(flow["protocol"], flow["client_bytes"], flow["payload"]) for flow in flows(path)] == [
        ("icmp", "734", "700"),
        ("udp", "834", "800"),
    ]


def test_filter_keeps_the_length_on_the_wire(snapped, tmp_path):
    support.output("filter", snapped, tmp_path / "out.pcap", "--protocol", "tcp")
    content = (tmp_path / "out.pcap").read_bytes()
    lengths, offset = [], 24
    while offset < len(content):
        _, _, captured, original = struct.unpack_from("<IIII", content, offset)
        lengths.append((captured, original))
        offset += 16 + captured
    assert lengths == [(96, 1054), (96, 254)]


def test_filter_tells_the_bytes_of_the_wire(snapped, tmp_path):
    assert support.output("filter", snapped, tmp_path / "out.pcap", "--protocol", "tcp") == "2 packets, 1308 bytes\n"
    assert support.output("filter", snapped, tmp_path / "out.pcap", "--port", "53") == "1 packets, 142 bytes\n"


def test_a_packet_that_claims_less_than_its_own_header_is_no_packet(tmp_path):
    frame = bytearray(support.frame4(A, B, TCP, support.tcp(40000, 80, ACK, bytes(100))))
    frame[16:18] = struct.pack("!H", 30)
    report = summary(capture(tmp_path, bytes(frame)))
    assert report["protocols"] == {"other": {"packets": 1, "bytes": 154}}


def test_whole_captures_give_what_they_gave(tmp_path):
    path = capture(tmp_path, LONG, SHORT, QUERY)
    report = summary(path)
    assert (report["bytes"], report["payload"]) == (1450, 1300)
    assert [flow["payload"] for flow in flows(path)] == ["1200", "100"]
