"""`netflow flows` writes what it always wrote, as it goes, in linear time and little memory."""

import importlib.util
import json
import os
import selectors
import struct
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("hidden_support", HERE / "support.py")
support = importlib.util.module_from_spec(spec)
spec.loader.exec_module(support)
tmp_path = support.tmp_path
ACK, FIN, RST, SYN, TCP, UDP = support.ACK, support.FIN, support.RST, support.SYN, support.TCP, support.UDP
frame4, record, tcp, udp = support.frame4, support.record, support.tcp, support.udp

STYLES = ("text", "json", "csv")
CSV_TITLES = (
    "protocol,client,client_port,server,server_port,first,last,client_packets,client_bytes,"
    "server_packets,server_bytes,payload,reason\n"
)
CPU_SECONDS = 8


def numbers(seed):
    """Pseudo-random numbers below 2**31, the same in every version of Python."""
    while True:
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        yield seed >> 33


def traffic(seed, packets=350):
    """A capture in which flows begin, close, fall silent and last too long, with late packets and equal times."""
    chance = numbers(seed)
    now = 1000.0
    content = [support.file_header()]
    for _ in range(packets):
        now += next(chance) % 5 * 0.125
        late = next(chance) % 6 == 0
        moment = now - next(chance) % 120 * 0.125 if late else now
        client, server = f"10.0.0.{next(chance) % 4}", f"10.0.1.{next(chance) % 2}"
        ends = (client, server, 4000, 80) if next(chance) % 2 else (server, client, 80, 4000)
        if next(chance) % 3:
            flags = (ACK, ACK, ACK, ACK, ACK | FIN, ACK | FIN, RST, SYN)[next(chance) % 8]
            payload = TCP, tcp(ends[2], ends[3], flags, bytes(next(chance) % 300))
        else:
            payload = UDP, udp(ends[2], ends[3], bytes(next(chance) % 300))
        content.append(record(moment, frame4(ends[0], ends[1], *payload)))
        if next(chance) % 40 == 0:
            content.append(record(now + 60, support.ethernet(bytes(50), 0x0806)))
        if next(chance) % 90 == 0:
            now += 6
    return b"".join(content)


def question(seconds, client, size=0):
    """A record with a UDP packet from `client` to the one server."""
    return record(seconds, frame4(client, "10.9.9.9", UDP, udp(5000, 53, bytes(size))))


def capture(tmp_path, *records):
    path = tmp_path / "test.pcap"
    path.write_bytes(support.file_header() + b"".join(records))
    return path


def ends(path, *options):
    """Client, packets and reason of every flow."""
    lines = support.output("flows", path, "--format", "csv", *options).splitlines()[1:]
    return [(f[1], int(f[7]) + int(f[9]), f[12]) for f in (line.split(",") for line in lines)]


# The same output -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("seed", [1, 2])
def test_output_is_what_it_was(seed, style):
    told = support.output(
        "flows", "-", "--idle-timeout", 5, "--active-timeout", 12.5, "--format", style, stdin=traffic(seed)
    )
    assert told == (HERE / "golden" / f"{seed}.{style}").read_text()


def test_an_empty_capture_gives_an_empty_report(tmp_path):
    path = capture(tmp_path)
    assert support.output("flows", path, "--format", "csv") == CSV_TITLES
    assert support.output("flows", path).splitlines()[1:] == ["0 flows, 0 packets, 0 bytes"]
    totals = {"flows": 0, "packets": 0, "bytes": 0}
    assert support.output("flows", path, "--format", "json") == json.dumps({"flows": [], "totals": totals}, indent=2) + "\n"


def test_one_flow_gives_well_formed_json(tmp_path):
    told = support.output("flows", capture(tmp_path, question(1, "10.0.0.1", 8)), "--format", "json")
    assert json.dumps(json.loads(told), indent=2) + "\n" == told
    assert json.loads(told)["totals"] == {"flows": 1, "packets": 1, "bytes": 50}


def test_a_flow_ends_only_beyond_its_timeout(tmp_path):
    path = capture(tmp_path, question(0, "10.0.0.1"), question(60, "10.0.0.2"), question(60.000001, "10.0.0.3"))
    assert ends(path) == [("10.0.0.1", 1, "idle"), ("10.0.0.2", 1, "end"), ("10.0.0.3", 1, "end")]


def test_flows_that_end_together_come_in_the_order_of_their_beginning(tmp_path):
    path = capture(
        tmp_path,
        question(0, "10.0.0.1"),
        question(1, "10.0.0.2"),
        question(2, "10.0.0.3"),
        question(3, "10.0.0.2"),
        question(4, "10.0.0.1"),
        question(100, "10.0.0.4"),
    )
    assert [client for client, _, _ in ends(path)] == ["10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4"]


def test_idle_goes_before_active_where_both_hold(tmp_path):
    path = capture(tmp_path, question(0, "10.0.0.1"), question(8, "10.0.0.1"), question(30, "10.0.0.2"))
    assert ends(path, "--idle-timeout", 10, "--active-timeout", 20)[0] == ("10.0.0.1", 2, "idle")


def test_a_late_packet_does_not_turn_time_back(tmp_path):
    path = capture(
        tmp_path,
        question(100, "10.0.0.1"),
        question(10, "10.0.0.2"),
        question(70, "10.0.0.3"),
        question(71, "10.0.0.1"),
        question(131, "10.0.0.3"),
        question(161, "10.0.0.4"),
    )
    assert ends(path) == [
        ("10.0.0.2", 1, "idle"),
        ("10.0.0.3", 1, "idle"),
        ("10.0.0.1", 2, "idle"),
        ("10.0.0.3", 1, "end"),
        ("10.0.0.4", 1, "end"),
    ]


def test_a_late_packet_makes_its_flow_end_earlier(tmp_path):
    path = capture(
        tmp_path,
        question(100, "10.0.0.1"),
        question(80, "10.0.0.1"),
        question(131, "10.0.0.2"),
        question(151, "10.0.0.2"),
    )
    assert ends(path, "--active-timeout", 50) == [("10.0.0.1", 2, "active"), ("10.0.0.2", 2, "end")]


def test_a_flow_that_closes_may_begin_anew(tmp_path):
    def packet(seconds, flags):
        return record(seconds, frame4("10.0.0.1", "10.9.9.9", TCP, tcp(4000, 80, flags)))

    path = capture(
        tmp_path, packet(0, SYN), packet(1, RST), packet(50, SYN), packet(65, ACK), packet(100, ACK), packet(170, SYN)
    )
    assert ends(path) == [("10.0.0.1", 2, "closed"), ("10.0.0.1", 3, "idle"), ("10.0.0.1", 1, "end")]


# Errors ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", STYLES)
def test_what_is_no_capture_gives_no_output(tmp_path, style):
    path = tmp_path / "other.bin"
    for content, message in (
        (b"", "not a pcap capture"),
        (b"hello" * 20, "not a pcap capture"),
        (support.file_header(link_type=113), "link type 113 is not supported"),
    ):
        path.write_bytes(content)
        done = support.netflow("flows", path, "--format", style)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"netflow: {path}: {message}\n")


def test_a_broken_off_capture_is_read_up_to_there(tmp_path):
    whole = capture(tmp_path, question(0, "10.0.0.1"), question(1, "10.0.0.2"))
    expected = support.output("flows", whole)
    content = whole.read_bytes()
    for rest in (question(2, "10.0.0.3")[:-1], question(2, "10.0.0.3")[:16], b"abc"):
        whole.write_bytes(content + rest)
        done = support.netflow("flows", whole)
        assert (done.returncode, done.stdout) == (0, expected)
        assert done.stderr == f"netflow: warning: {whole}: the capture ends in the middle of record 3\n"


def test_damage_is_told_after_the_flows_before_it(tmp_path):
    bad = struct.pack("<IIII", 200, 0, 300_000, 300_000) + bytes(1000)
    path = capture(tmp_path, question(0, "10.0.0.1"), question(100, "10.0.0.2"), bad)
    done = support.netflow("flows", path, "--format", "csv")
    assert done.returncode == 2
    assert done.stderr == f"netflow: {path}: record 3 claims 300000 bytes: the capture is damaged\n"
    assert done.stdout == CSV_TITLES + "udp,10.0.0.1,5000,10.9.9.9,53,0.000000000,0.000000000,1,42,0,0,0,idle\n"


# As it goes ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def live():
    """What each style has written of the first flow while the capture still goes on, and in the end."""
    began = time.monotonic()
    support.netflow("flows", "-", stdin=support.file_header() + question(0, "10.0.0.1"))
    patience = 5 + 10 * (time.monotonic() - began)  # a busy machine starts programs late
    before, after, processes = {}, {}, {}
    selector = selectors.DefaultSelector()
    for style in STYLES:
        process = subprocess.Popen(
            support.outside(*support.command("flows", "-", "--format", style)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=support.ROOT,
            env=support.environment(),
        )
        process.stdin.write(support.file_header() + question(0, "10.0.0.1", 77) + question(100, "10.0.0.2"))
        process.stdin.flush()
        processes[style], before[style] = process, b""
        selector.register(process.stdout, selectors.EVENT_READ, style)
    deadline = time.monotonic() + patience
    while selector.get_map() and time.monotonic() < deadline:
        for key, _ in selector.select(deadline - time.monotonic()):
            before[key.data] += os.read(key.fd, 65536)
            if b"idle" in before[key.data]:
                selector.unregister(key.fileobj)
    for style, process in processes.items():
        rest, _ = process.communicate(question(101, "10.0.0.3"), timeout=30)
        after[style] = (before[style] + rest).decode()
    return {style: text.decode() for style, text in before.items()}, after


@pytest.mark.parametrize(
    ("style", "row"),
    [
        ("csv", CSV_TITLES + "udp,10.0.0.1,5000,10.9.9.9,53,0.000000000,0.000000000,1,119,0,0,77,idle\n"),
        ("json", '      "payload": 77,\n      "reason": "idle"\n    }'),
        ("text", "udp      10.0.0.1:5000         10.9.9.9:53             0.000000000        1          119 idle\n"),
    ],
    ids=["csv", "json", "text"],
)
def test_a_flow_is_written_when_it_ends(live, style, row):
    before, _ = live
    assert row in before[style]
    assert "10.0.0.2" not in before[style]


@pytest.mark.parametrize("style", STYLES)
def test_what_was_written_in_pieces_is_the_whole_report(live, tmp_path, style):
    _, after = live
    path = capture(tmp_path, question(0, "10.0.0.1", 77), question(100, "10.0.0.2"), question(101, "10.0.0.3"))
    assert after[style] == support.output("flows", path, "--format", style)


# Time and memory -------------------------------------------------------------------------------------------------------


def measure(*arguments):
    """CPU seconds and peak KiB of `netflow ARGUMENTS`."""
    done = support.run(
        [sys.executable, "-I", "-c", (HERE / "measure.py").read_text(), str(CPU_SECONDS), *support.command(*arguments)],
        capture_output=True,
        text=True,
        cwd=support.ROOT,
        env=support.environment(),
        timeout=120,
    )
    status, seconds, peak = done.stdout.split()
    assert int(status) == 0, f"ended with {status} after {seconds} s of CPU time"
    return float(seconds), int(peak)


def address(number):
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


@pytest.mark.parametrize("packets_a_flow", [1, 3])
def test_time_grows_with_the_packets_not_with_the_open_flows(tmp_path, packets_a_flow):
    flows = 7000 // packets_a_flow
    path = capture(tmp_path, *(question(n / 1000, address(n % flows)) for n in range(7000)))
    seconds, _ = measure("flows", path, "--format", "csv")
    plain, _ = measure("summary", path)
    assert seconds < 6 * plain


@pytest.fixture(scope="module")
def small_peak():
    """The peak memory for next to nothing."""
    path = capture(Path(support.directory()), question(0, "10.0.0.1"))
    return measure("flows", path, "--format", "json")[1]


def test_memory_does_not_grow_with_the_capture(tmp_path, small_peak):
    path = capture(tmp_path, *(question(n / 10, address(n % 50), 1400) for n in range(7000)))
    assert measure("flows", path, "--format", "text")[1] < small_peak + 5000


@pytest.mark.parametrize("style", ["csv", "json"])
def test_memory_does_not_grow_with_the_report(tmp_path, small_peak, style):
    path = capture(tmp_path, *(question(n * 10, address(n)) for n in range(6000)))
    assert measure("flows", path, "--format", style)[1] < small_peak + 5000


def test_memory_does_not_grow_with_the_flows_that_have_ended(tmp_path, small_peak):
    path = tmp_path / "closed.pcap"
    with path.open("wb") as file:
        file.write(support.file_header())
        for n in range(12000):
            client = address(n)
            file.write(record(n / 1000, frame4(client, "10.9.9.9", TCP, tcp(4000, 80, SYN))))
            file.write(record(n / 1000, frame4("10.9.9.9", client, TCP, tcp(80, 4000, RST))))
    peak = measure("flows", path, "--format", "json", "--idle-timeout", 100000, "--active-timeout", 200000)[1]
    assert peak < small_peak + 5000
