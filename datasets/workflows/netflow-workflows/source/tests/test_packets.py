import unittest
from ipaddress import IPv4Address

from netflow.capture import LINK_RAW_IP, RawPacket
from netflow.packets import ACK, SYN, decode
from netflow.sample import ethernet, frame, ipv4, tcp, udp


class DecodeTest(unittest.TestCase):
    def test_tcp(self):
        packet = decode(frame(5, ethernet(ipv4("10.0.0.1", "10.0.0.2", 6, tcp(1234, 80, SYN | ACK, b"hello")))))
        self.assertEqual(packet.time_ns, 5)
        self.assertEqual(packet.protocol, "tcp")
        self.assertEqual((packet.source, packet.source_port), (IPv4Address("10.0.0.1"), 1234))
        self.assertEqual((packet.destination, packet.destination_port), (IPv4Address("10.0.0.2"), 80))
        self.assertEqual(packet.flags, SYN | ACK)
        self.assertEqual((packet.length, packet.payload), (14 + 20 + 20 + 5, 5))

    def test_udp_and_others(self):
        packet = decode(frame(0, ethernet(ipv4("10.0.0.1", "10.0.0.2", 17, udp(53, 1025, bytes(9))))))
        self.assertEqual((packet.protocol, packet.source_port, packet.payload), ("udp", 53, 9))
        packet = decode(frame(0, ethernet(ipv4("10.0.0.1", "10.0.0.2", 1, bytes(8)))))
        self.assertEqual((packet.protocol, packet.source_port, packet.payload), ("icmp", 0, 8))
        packet = decode(frame(0, ethernet(ipv4("10.0.0.1", "10.0.0.2", 47, bytes(8)))))
        self.assertEqual(packet.protocol, "ip-47")

    def test_vlan_tags_are_skipped(self):
        data = ethernet(ipv4("10.0.0.1", "10.0.0.2", 17, udp(53, 1025)), vlans=(12, 40))
        self.assertEqual(decode(frame(0, data)).source_port, 53)

    def test_raw_ip_has_no_frame_header(self):
        data = ipv4("10.0.0.1", "10.0.0.2", 17, udp(53, 1025))
        self.assertEqual(decode(RawPacket(0, data, len(data), LINK_RAW_IP)).length, 28)

    def test_a_later_fragment_has_no_ports(self):
        data = bytearray(ethernet(ipv4("10.0.0.1", "10.0.0.2", 17, udp(53, 1025))))
        data[20:22] = b"\x00\xb9"
        packet = decode(frame(0, bytes(data)))
        self.assertEqual((packet.protocol, packet.source_port, packet.payload), ("udp", 0, 8))

    def test_what_is_not_ipv4_is_no_packet(self):
        for data in (b"", bytes(14), ethernet(bytes(28), 0x0806), ethernet(b"\x45" + bytes(10)), ethernet(bytes(40))):
            self.assertIsNone(decode(frame(0, data)))

    def test_a_broken_tcp_header_is_no_packet(self):
        segment = tcp(1, 2, ACK)
        self.assertIsNone(decode(frame(0, ethernet(ipv4("10.0.0.1", "10.0.0.2", 6, segment[:12])))))
        long = segment[:12] + b"\xf0" + segment[13:]
        self.assertIsNone(decode(frame(0, ethernet(ipv4("10.0.0.1", "10.0.0.2", 6, long)))))
