import json

from netflow.packets import ACK, SYN
from tests.support import WithDirectory, tcp_frame, udp_frame

FRAMES = (
    tcp_frame(1, "10.0.0.1:40000", "192.0.2.7:443", SYN),
    tcp_frame(1.5, "192.0.2.7:443", "10.0.0.1:40000", SYN | ACK),
    udp_frame(2, "10.0.0.1:5353", "10.0.0.53:53", 30),
)


class CommandLineTest(WithDirectory):
    def test_flows_as_text(self):
        done = self.netflow("flows", self.capture(FRAMES))
        self.assertEqual(
            done.stdout,
            "protocol client                server                      seconds  packets        bytes reason\n"
            "tcp      10.0.0.1:40000        192.0.2.7:443           0.500000000        2          108 end\n"
            "udp      10.0.0.1:5353         10.0.0.53:53            0.000000000        1           72 end\n"
            "2 flows, 3 packets, 180 bytes\n",
        )

    def test_flows_as_csv(self):
        done = self.netflow("flows", self.capture(FRAMES[2:]), "--format", "csv")
        self.assertEqual(
            done.stdout,
            "protocol,client,client_port,server,server_port,first,last,client_packets,client_bytes,"
            "server_packets,server_bytes,payload,reason\n"
            "udp,10.0.0.1,5353,10.0.0.53,53,2.000000000,2.000000000,1,72,0,0,30,end\n",
        )

    def test_flows_as_json(self):
        report = json.loads(self.netflow("flows", self.capture(FRAMES), "--format", "json").stdout)
        self.assertEqual(report["totals"], {"flows": 2, "packets": 3, "bytes": 180})
        self.assertEqual([flow["server_port"] for flow in report["flows"]], [443, 53])

    def test_reads_standard_input(self):
        with open(self.capture(FRAMES), "rb") as file:
            done = self.netflow("summary", "-", "--format", "csv", stdin=file.read())
        self.assertEqual(done.stdout, "protocol,packets,bytes\ntcp,2,108\nudp,1,72\n")

    def test_filter_writes_what_was_asked_for(self):
        output = str(self.directory / "out.pcap")
        for options, expected in (
            (("--protocol", "udp"), "1 packets, 72 bytes\n"),
            (("--net", "192.0.2.0/24"), "2 packets, 108 bytes\n"),
            (("--port", "53", "--net", "10.0.0.1"), "1 packets, 72 bytes\n"),
            (("--port", "80"), "0 packets, 0 bytes\n"),
        ):
            self.assertEqual(self.netflow("filter", self.capture(FRAMES), output, *options).stdout, expected)
        self.assertEqual(self.netflow("filter", self.capture(FRAMES), output, "--port", "53").returncode, 0)
        self.assertIn("udp", self.netflow("summary", output).stdout)

    def test_a_sample_is_the_same_for_the_same_seed(self):
        one, two = self.directory / "one.pcap", self.directory / "two.pcap"
        self.netflow("sample", str(one), "--seed", "3")
        self.netflow("sample", str(two), "--seed", "3")
        self.assertEqual(one.read_bytes(), two.read_bytes())
        self.assertIn("203.0.113.9", self.netflow("scans", str(one)).stdout)

    def test_errors_are_sentences(self):
        done = self.netflow("flows", str(self.directory / "nowhere.pcap"))
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"^netflow: .*nowhere\.pcap: No such file or directory\n$")
        self.assertEqual(self.netflow("filter", "x", "y", "--net", "10.0.0").returncode, 2)
        self.assertEqual(self.netflow("flows", "x", "--idle-timeout", "0").returncode, 2)
