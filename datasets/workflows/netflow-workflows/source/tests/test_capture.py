import struct

from netflow.capture import RawPacket, read_capture, write_capture
from netflow.errors import CaptureError
from tests.support import WithDirectory


class CaptureTest(WithDirectory):
    def written(self, content: bytes) -> str:
        path = self.directory / "raw.pcap"
        path.write_bytes(content)
        return str(path)

    def test_what_is_written_is_read_again(self):
        frames = [RawPacket(1_700_000_000_123_456_789, b"abc", 3), RawPacket(1_700_000_001_000_000_000, b"", 0)]
        path = str(self.directory / "out.pcap")
        self.assertEqual(write_capture(path, frames), 2)
        self.assertEqual(list(read_capture(path)), frames)

    def test_reads_either_byte_order_and_resolution(self):
        for magic, order, unit in (
            (0xA1B2C3D4, "<", 1000),
            (0xA1B2C3D4, ">", 1000),
            (0xA1B23C4D, "<", 1),
            (0xA1B23C4D, ">", 1),
        ):
            header = struct.pack(f"{order}IHHiIII", magic, 2, 4, 0, 0, 65535, 1)
            record = struct.pack(f"{order}IIII", 7, 5, 2, 2)
            (packet,) = read_capture(self.written(header + record + b"ab"))
            self.assertEqual(packet.time_ns, 7_000_000_000 + 5 * unit)
            self.assertEqual(packet.data, b"ab")

    def test_a_broken_off_capture_is_read_up_to_there(self):
        path = self.capture([RawPacket(0, b"abc", 3), RawPacket(1, b"defg", 4)])
        with open(path, "rb") as file:
            content = file.read()
        for cut in (1, 4, 5, 19):
            with self.assertLogs("netflow.capture", "WARNING") as logs:
                self.assertEqual([packet.data for packet in read_capture(self.written(content[:-cut]))], [b"abc"])
            self.assertIn("ends in the middle of record 2", logs.output[0])

    def test_other_files_are_refused(self):
        for content in (b"", b"\x0a\x0d\x0d\x0a" + bytes(40), b"hello"):
            with self.assertRaisesRegex(CaptureError, "not a pcap capture"):
                list(read_capture(self.written(content)))

    def test_a_missing_file_is_named(self):
        with self.assertRaisesRegex(CaptureError, "nowhere.pcap: No such file"):
            list(read_capture(str(self.directory / "nowhere.pcap")))

    def test_an_absurd_length_is_damage(self):
        header = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
        record = struct.pack("<IIII", 7, 5, 2**31, 2**31)
        with self.assertRaisesRegex(CaptureError, "record 1 claims 2147483648 bytes"):
            list(read_capture(self.written(header + record)))
