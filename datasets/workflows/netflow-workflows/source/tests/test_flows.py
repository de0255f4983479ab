import unittest

from netflow.flows import FlowTable, collect_flows
from netflow.packets import ACK, FIN, RST, SYN
from tests.support import at, packets, tcp_frame, udp_frame

CLIENT, SERVER, OTHER = "10.0.0.9:40000", "10.0.0.2:443", "10.0.0.3:53"


def flows(frames, idle=60, active=1800):
    return list(collect_flows(packets(frames), at(idle), at(active)))


class FlowTest(unittest.TestCase):
    def test_both_directions_are_one_flow(self):
        (flow,) = flows([udp_frame(1, CLIENT, OTHER, 30), udp_frame(2, OTHER, CLIENT, 70), udp_frame(3, CLIENT, OTHER)])
        self.assertEqual((str(flow.client[0]), flow.client[1]), ("10.0.0.9", 40000))
        self.assertEqual((flow.client_packets, flow.client_bytes), (2, 42 + 30 + 42))
        self.assertEqual((flow.server_packets, flow.server_bytes), (1, 42 + 70))
        self.assertEqual((flow.payload, flow.first_ns, flow.last_ns), (100, at(1), at(3)))
        self.assertEqual(flow.reason, "end")

    def test_a_connection_closes_after_both_fins(self):
        first, second = flows(
            [
                tcp_frame(0, CLIENT, SERVER, SYN),
                tcp_frame(1, CLIENT, SERVER, FIN | ACK),
                tcp_frame(2, SERVER, CLIENT, FIN | ACK),
                tcp_frame(3, CLIENT, SERVER, ACK),
                tcp_frame(4, CLIENT, SERVER, SYN),
            ]
        )
        self.assertEqual((first.packets, first.reason), (4, "closed"))
        self.assertEqual((second.packets, second.reason), (1, "end"))

    def test_a_reset_closes_at_once(self):
        (flow,) = flows([tcp_frame(0, CLIENT, SERVER, SYN), tcp_frame(1, SERVER, CLIENT, RST | ACK)])
        self.assertEqual((flow.packets, flow.reason), (2, "closed"))

    def test_silence_ends_a_flow_only_beyond_the_timeout(self):
        self.assertEqual([f.reason for f in flows([udp_frame(0, CLIENT, OTHER), udp_frame(60, CLIENT, OTHER)])], ["end"])
        ended = flows([udp_frame(0, CLIENT, OTHER), udp_frame(60.5, CLIENT, OTHER)])
        self.assertEqual([f.reason for f in ended], ["idle", "end"])

    def test_a_long_flow_is_cut(self):
        ended = flows([udp_frame(n * 10, CLIENT, OTHER) for n in range(8)], idle=15, active=50)
        self.assertEqual([(f.packets, f.reason) for f in ended], [(6, "active"), (2, "end")])

    def test_flows_that_end_together_are_in_the_order_of_their_beginning(self):
        ended = flows(
            [
                udp_frame(0, "10.0.0.5:1", OTHER),
                udp_frame(1, "10.0.0.4:1", OTHER),
                udp_frame(2, "10.0.0.5:1", OTHER),
                udp_frame(100, "10.0.0.6:1", OTHER),
            ]
        )
        self.assertEqual([str(f.client[0]) for f in ended], ["10.0.0.5", "10.0.0.4", "10.0.0.6"])

    def test_a_late_packet_widens_its_flow(self):
        (flow,) = flows([udp_frame(10, CLIENT, OTHER), udp_frame(4, CLIENT, OTHER)])
        self.assertEqual((flow.first_ns, flow.last_ns), (at(4), at(10)))

    def test_the_table_says_what_is_open(self):
        table = FlowTable(at(60), at(1800))
        one, two = packets([udp_frame(0, CLIENT, OTHER), udp_frame(100, CLIENT, SERVER)])
        self.assertEqual((table.add(one), len(table)), ([], 1))
        self.assertEqual([flow.reason for flow in table.add(two)], ["idle"])
        self.assertEqual(len(table), 1)
        self.assertEqual([flow.reason for flow in table.flush()], ["end"])
        self.assertEqual(len(table), 0)
