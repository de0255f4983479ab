"""IPv6 in every command: decoding, reports, order, filters."""

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
ACK, FIN, RST, SYN, TCP, UDP = support.ACK, support.FIN, support.RST, support.SYN, support.TCP, support.UDP
frame4, frame6, tcp, udp = support.frame4, support.frame6, support.tcp, support.udp

A, B = "2001:db8::a", "2001:db8:0:1::b"
HOP_BY_HOP, ROUTING, FRAGMENT, AUTHENTICATION, ICMP6, NOTHING, OPTIONS = 0, 43, 44, 51, 58, 59, 60
QUESTION = udp(5000, 53, bytes(30))


def extension(following, size):
    """A hop-by-hop, routing or destination header of `size` bytes."""
    return bytes([following, size // 8 - 1]) + bytes(size - 2)


def fragment(following, offset):
    return struct.pack("!BBHI", following, 0, offset << 3 | 1, 99)


@pytest.fixture
def capture(tmp_path):
    def write(*frames, link_type=support.ETHERNET):
        path = tmp_path / "test.pcap"
        records = (support.record(n, frame) for n, frame in enumerate(frames))
        path.write_bytes(support.file_header(link_type) + b"".join(records))
        return path

    return write


def rows(*arguments):
    return list(csv.DictReader(io.StringIO(support.output(*arguments, "--format", "csv"))))


def read_as(path):
    """Protocol, ports and payload of the only flow."""
    (flow,) = rows("flows", path)
    return flow["protocol"], flow["client_port"], flow["server_port"], flow["payload"]


def test_a_connection_is_one_flow_that_closes(capture):
    path = capture(
        frame6(A, B, TCP, tcp(40000, 443, SYN)),
        frame6(B, A, TCP, tcp(443, 40000, SYN | ACK)),
        frame6(A, B, TCP, tcp(40000, 443, ACK, bytes(100))),
        frame6(B, A, TCP, tcp(443, 40000, FIN | ACK)),
        frame6(A, B, TCP, tcp(40000, 443, FIN | ACK)),
        frame6(B, A, TCP, tcp(443, 40000, ACK)),
    )
    (flow,) = rows("flows", path)
    assert (flow["client"], flow["server"]) == (A, B)
    assert (flow["client_packets"], flow["client_bytes"], flow["server_bytes"]) == ("3", "322", "222")
    assert (flow["payload"], flow["reason"]) == ("100", "closed")


def test_protocols_are_named(capture):
    path = capture(
        frame6(A, B, UDP, QUESTION),
        frame6(A, B, ICMP6, bytes(64)),
        frame6(A, B, 47, bytes(10)),
        frame6(A, B, NOTHING, b""),
    )
    flows = rows("flows", path)
    assert [(f["protocol"], f["payload"]) for f in flows] == [("udp", "30"), ("icmp6", "64"), ("ip-47", "10"), ("ip-59", "0")]


def test_text_puts_addresses_with_ports_into_brackets(capture):
    path = capture(
        frame6("2001:db8::1", "2001:db8::2", UDP, QUESTION),
        frame6("fe80::1", "fe80::2", ICMP6, bytes(8)),
        frame6("2001:db8:aaaa:bbbb:cccc:dddd:eeee:1", "2001:db8::2", UDP, QUESTION),
        frame4("10.0.0.1", "10.0.0.2", UDP, QUESTION),
    )
    assert support.output("flows", path).splitlines() == [
        "protocol client                server                      seconds  packets        bytes reason",
        "udp      [2001:db8::1]:5000    [2001:db8::2]:53        0.000000000        1           92 end",
        "icmp6    fe80::1               fe80::2                 0.000000000        1           62 end",
        "udp      [2001:db8:aaaa:bbbb:cccc:dddd:eeee:1]:5000 [2001:db8::2]:53        0.000000000        1           92 end",
        "udp      10.0.0.1:5000         10.0.0.2:53             0.000000000        1           72 end",
        "4 flows, 4 packets, 318 bytes",
    ]


def test_programs_get_bare_addresses(capture):
    path = capture(frame6("2001:DB8:0:0::1", "2001:db8::2", UDP, QUESTION))
    (flow,) = json.loads(support.output("flows", path, "--format", "json"))["flows"]
    assert (flow["client"], flow["client_port"], flow["server"]) == ("2001:db8::1", 5000, "2001:db8::2")


@pytest.mark.parametrize(
    ("first", "headers"),
    [
        (HOP_BY_HOP, extension(UDP, 8)),
        (ROUTING, extension(UDP, 24)),
        (OPTIONS, extension(UDP, 264)),
        (AUTHENTICATION, bytes([UDP, 4]) + bytes(22)),
        (FRAGMENT, fragment(UDP, 0)),
        (HOP_BY_HOP, extension(OPTIONS, 16) + extension(ROUTING, 8) + extension(FRAGMENT, 32) + fragment(UDP, 0)),
        (FRAGMENT, fragment(OPTIONS, 0) + extension(UDP, 8)),
    ],
    ids=["hop-by-hop", "routing", "options", "authentication", "fragment", "chain", "behind-fragment"],
)
def test_extension_headers_are_skipped(capture, first, headers):
    assert read_as(capture(frame6(A, B, first, headers + QUESTION))) == ("udp", "5000", "53", "30")


def test_a_later_fragment_has_no_ports(capture):
    headers = extension(FRAGMENT, 8) + fragment(UDP, 100)
    assert read_as(capture(frame6(A, B, HOP_BY_HOP, headers + QUESTION))) == ("udp", "0", "0", "38")
    assert read_as(capture(frame6(A, B, FRAGMENT, fragment(OPTIONS, 1) + bytes(50)))) == ("ip-60", "0", "0", "50")


def test_a_broken_off_chain_is_no_packet(capture):
    whole = frame6(A, B, HOP_BY_HOP, extension(OPTIONS, 16) + extension(UDP, 16))
    path = capture(whole[:53], whole[:60], whole[:68], whole[:-3], frame6(A, B, AUTHENTICATION, bytes([UDP, 9, 0, 0])))
    assert [(r["protocol"], r["packets"]) for r in rows("summary", path)] == [("other", "5")]


def test_vlan_tags_are_skipped(capture):
    path = capture(support.ethernet(support.ip6(A, B, UDP, QUESTION), 0x86DD, vlans=(5, 6)))
    assert read_as(path) == ("udp", "5000", "53", "30")


def test_raw_captures_hold_both_kinds(capture):
    path = capture(
        support.ip6(A, B, UDP, QUESTION),
        support.ip4("10.0.0.1", "10.0.0.2", UDP, QUESTION),
        b"",
        b"\x75" + bytes(60),
        link_type=support.RAW_IP,
    )
    assert [(f["client"], f["client_bytes"]) for f in rows("flows", path)] == [(A, "78"), ("10.0.0.1", "58")]
    assert [(r["protocol"], r["packets"]) for r in rows("summary", path)] == [("udp", "2"), ("other", "2")]


def test_the_version_must_match_the_ethertype(capture):
    path = capture(
        support.ethernet(support.ip4("10.0.0.1", "10.0.0.2", UDP, bytes(60)), 0x86DD),
        support.ethernet(support.ip6(A, B, UDP, QUESTION), 0x0800),
    )
    assert [(r["protocol"], r["packets"]) for r in rows("summary", path)] == [("other", "2")]


def test_the_summary_counts_both_kinds_together(capture):
    path = capture(frame6(A, B, UDP, QUESTION), frame4("10.0.0.1", "10.0.0.2", UDP, QUESTION), frame6(A, B, ICMP6, bytes(8)))
    report = json.loads(support.output("summary", path, "--format", "json"))
    assert report["protocols"] == {"udp": {"packets": 2, "bytes": 164}, "icmp6": {"packets": 1, "bytes": 62}}
    assert report["payload"] == 68


def test_equal_talkers_come_in_the_order_of_kind_and_number(capture):
    # 20 bytes less of payload even out the longer header.
    path = capture(
        frame6("2001:db8::10", "2001:db8::9", UDP, udp(1, 2, bytes(10))),
        frame4("200.0.0.10", "200.0.0.9", UDP, udp(1, 2, bytes(30))),
        frame6("::5", "2001:db8::a", UDP, udp(1, 2, bytes(10))),
    )
    assert [(r["name"], r["bytes"]) for r in rows("top", path)] == [
        (name, "72")
        for name in ("200.0.0.9", "200.0.0.10", "::5", "2001:db8::9", "2001:db8::a", "2001:db8::10")
    ]


def test_networks_are_64_bits_wide(capture):
    path = capture(
        frame6("2001:db8:0:1::1", "2001:db8:0:2::1", UDP, QUESTION),
        frame6("2001:db8:0:1:ffff::1", "2001:db8:0:3::1", UDP, QUESTION),
        frame4("10.0.0.1", "10.0.1.2", UDP, QUESTION),
    )
    assert [(r["name"], r["bytes"]) for r in rows("top", path, "--by", "network")] == [
        ("2001:db8:0:1::/64", "184"),
        ("2001:db8:0:2::/64", "92"),
        ("2001:db8:0:3::/64", "92"),
        ("10.0.0.0/24", "72"),
        ("10.0.1.0/24", "72"),
    ]


def test_equal_networks_come_in_the_order_of_kind_and_number(capture):
    path = capture(
        frame6("2001:db8:0:2::1", "2001:db8:0:1::1", UDP, udp(1, 2, bytes(10))),
        frame4("200.0.1.1", "200.0.0.1", UDP, udp(1, 2, bytes(30))),
    )
    assert [r["name"] for r in rows("top", path, "--by", "network")] == [
        "200.0.0.0/24",
        "200.0.1.0/24",
        "2001:db8:0:1::/64",
        "2001:db8:0:2::/64",
    ]


def test_scans_are_found_and_sorted(capture):
    frames = [frame6("2001:db8::99", "2001:db8::1", TCP, tcp(999, 1 + n, SYN)) for n in range(5)]
    frames += [frame6("2001:db8::98", f"2001:db8::{n + 1:x}", TCP, tcp(999, 22, SYN)) for n in range(5)]
    frames += [frame4("200.0.0.1", "10.0.0.1", TCP, tcp(999, 1 + n, SYN)) for n in range(5)]
    found = rows("scans", capture(*frames), "--threshold", "5")
    assert [(s["kind"], s["source"], s["target"], s["doors"]) for s in found] == [
        ("vertical", "200.0.0.1", "10.0.0.1", "5"),
        ("horizontal", "2001:db8::98", "22", "5"),
        ("vertical", "2001:db8::99", "2001:db8::1", "5"),
    ]


@pytest.mark.parametrize(
    ("options", "packets"),
    [
        (("--net", "2001:db8:1::/48"), 2),
        (("--net", "2001:db8:1::5/48"), 2),
        (("--net", "2001:db8:1::1"), 1),
        (("--net", "::/0"), 3),
        (("--net", "0.0.0.0/0"), 1),
        (("--protocol", "icmp6"), 1),
        (("--port", "53"), 3),
    ],
    ids=["network", "host-bits", "address", "every-ipv6", "every-ipv4", "protocol", "port"],
)
def test_filter_takes_ipv6(capture, tmp_path, options, packets):
    path = capture(
        frame6("2001:db8:1::1", "2001:db8:2::1", UDP, QUESTION),
        frame6("2001:db8:2::1", "2001:db8:1::2", UDP, QUESTION),
        frame6("2001:db8:2::1", "2001:db8:3::1", ICMP6, bytes(8)),
        frame4("10.0.0.1", "10.0.0.2", UDP, QUESTION),
    )
    told = support.output("filter", path, tmp_path / "out.pcap", *options)
    assert told.startswith(f"{packets} packets, ")
    assert sum(int(r["packets"]) for r in rows("summary", tmp_path / "out.pcap")) == packets


@pytest.mark.parametrize(
    "text", ["2001:db8::/129", "2001:db8", "10.0.0.0/33", "host"], ids=["prefix-6", "short", "prefix-4", "name"]
)
def test_what_is_no_network_is_refused(capture, tmp_path, text):
    done = support.netflow("filter", capture(), tmp_path / "out.pcap", "--net", text)
    assert done.returncode == 2
    assert text in done.stderr
