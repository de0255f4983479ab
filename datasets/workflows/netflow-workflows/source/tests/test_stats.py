import unittest

from netflow.packets import ACK, SYN
from netflow.sample import ethernet, frame
from netflow.scans import find_scans
from netflow.stats import summarise, top_talkers
from tests.support import at, packets, tcp_frame, udp_frame


class SummaryTest(unittest.TestCase):
    def test_counts_by_protocol_and_size(self):
        summary = summarise(
            [
                tcp_frame(2, "10.0.0.1:1", "10.0.0.2:2", ACK, 100),
                udp_frame(1, "10.0.0.1:1", "10.0.0.2:2", 22),
                frame(at(5), ethernet(bytes(28), 0x0806)),
            ]
        )
        self.assertEqual((summary.total.packets, summary.total.bytes, summary.payload), (3, 154 + 64 + 42, 122))
        self.assertEqual(sorted(summary.protocols), ["other", "tcp", "udp"])
        self.assertEqual((summary.sizes["0-64"], summary.sizes["129-256"]), (2, 1))
        self.assertEqual(summary.duration_ns, at(4))

    def test_an_empty_capture_has_a_summary(self):
        summary = summarise([])
        self.assertEqual((summary.total.packets, summary.duration_ns, summary.protocols), (0, 0, {}))


class TopTest(unittest.TestCase):
    FRAMES = (
        udp_frame(0, "10.0.0.10:5000", "10.0.1.1:53", 10),
        udp_frame(0, "10.0.0.9:5000", "10.0.1.1:53", 10),
        udp_frame(0, "10.0.1.1:53", "10.0.0.9:5000", 100),
    )

    def test_by_address(self):
        talkers = top_talkers(packets(self.FRAMES), "address", 10)
        self.assertEqual([(t.name, t.bytes) for t in talkers], [("10.0.1.1", 246), ("10.0.0.9", 194), ("10.0.0.10", 52)])

    def test_by_network_and_port(self):
        self.assertEqual([t.name for t in top_talkers(packets(self.FRAMES), "network", 1)], ["10.0.0.0/24"])
        self.assertEqual([t.name for t in top_talkers(packets(self.FRAMES), "port", 9)], ["udp/53", "udp/5000"])

    def test_equals_are_in_the_order_of_numbers(self):
        talkers = top_talkers(packets(self.FRAMES[:2]), "address", 10)
        self.assertEqual([t.name for t in talkers], ["10.0.1.1", "10.0.0.9", "10.0.0.10"])


class ScanTest(unittest.TestCase):
    def test_many_ports_of_one_host(self):
        frames = [tcp_frame(n, "10.0.0.1:999", f"10.0.0.2:{n + 1}", SYN) for n in range(20)]
        (scan,) = find_scans(packets(frames), at(60), 15)
        self.assertEqual((scan.kind, scan.target, scan.doors, scan.first_ns), ("vertical", "10.0.0.2", 20, 0))

    def test_one_port_of_many_hosts(self):
        frames = [tcp_frame(n, "10.0.0.1:999", f"10.0.1.{n}:22", SYN) for n in range(20)]
        (scan,) = find_scans(packets(frames), at(60), 20)
        self.assertEqual((scan.kind, scan.target, scan.doors), ("horizontal", "22", 20))

    def test_a_slow_scan_stays_below_the_threshold(self):
        frames = [tcp_frame(n * 10, "10.0.0.1:999", f"10.0.0.2:{n + 1}", SYN) for n in range(20)]
        self.assertEqual(find_scans(packets(frames), at(60), 15), [])
        self.assertEqual(find_scans(packets(frames), at(60), 7)[0].doors, 7)
