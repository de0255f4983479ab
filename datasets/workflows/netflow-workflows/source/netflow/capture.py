"""Classic pcap files, read and written.

The format: a file header of 24 bytes, whose magic number tells byte order and clock resolution, then records of a
16-byte header and the captured bytes. A capture taken with a snap length holds only the beginning of long frames.
"""

from __future__ import annotations

import logging
import struct
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from netflow.errors import CaptureError

LINK_ETHERNET = 1
LINK_RAW_IP = 101

NANOSECONDS = 1_000_000_000
FILE_HEADER_SIZE = 24
RECORD_HEADER_SIZE = 16
# No sane capture holds a longer frame: libpcap's own upper limit.
MAXIMUM_FRAME = 262_144

# The first four bytes of a file: struct's sign for the byte order, nanoseconds in one unit of the fraction.
MAGIC_NUMBERS = {
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RawPacket:
    """One frame as a capture holds it.

    `time_ns` counts nanoseconds since 1970. `wire_length` is how long the frame was on the wire.
    """

    time_ns: int
    data: bytes
    wire_length: int
    link_type: int = LINK_ETHERNET


def read_capture(path: str) -> Iterable[RawPacket]:
    """The frames of the capture at `path` ('-' is standard input), in the order of the file.

    A capture that stops in the middle of a record ends with the record before, and a warning is logged. Everything
    else that is wrong with it raises CaptureError.
    """
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror}") from error
    return list(_records(content, path))


def _records(content: bytes, path: str) -> Iterator[RawPacket]:
    header = content[:FILE_HEADER_SIZE]
    if len(header) < FILE_HEADER_SIZE or header[:4] not in MAGIC_NUMBERS:
        raise CaptureError(f"{path}: not a pcap capture")
    order, unit_ns = MAGIC_NUMBERS[header[:4]]
    (link_type,) = struct.unpack(f"{order}I", header[20:24])
    if link_type not in (LINK_ETHERNET, LINK_RAW_IP):
        raise CaptureError(f"{path}: link type {link_type} is not supported")
    record_header = struct.Struct(f"{order}IIII")
    offset = FILE_HEADER_SIZE
    number = 0
    while offset < len(content):
        number += 1
        if offset + RECORD_HEADER_SIZE > len(content):
            log.warning("%s: the capture ends in the middle of record %d", path, number)
            return
        seconds, fraction, captured, wire_length = record_header.unpack_from(content, offset)
        if captured > MAXIMUM_FRAME:
            raise CaptureError(f"{path}: record {number} claims {captured} bytes: the capture is damaged")
        offset += RECORD_HEADER_SIZE
        data = content[offset : offset + captured]
        if len(data) < captured:
            log.warning("%s: the capture ends in the middle of record %d", path, number)
            return
        offset += captured
        yield RawPacket(seconds * NANOSECONDS + fraction * unit_ns, data, wire_length, link_type)


def write_capture(path: str, packets: Iterable[RawPacket], link_type: int = LINK_ETHERNET) -> int:
    """Writes `packets` as a little-endian capture with nanoseconds. Returns how many there were."""
    count = 0
    try:
        with Path(path).open("wb") as file:
            file.write(b"\x4d\x3c\xb2\xa1")
            file.write(struct.pack("<HHiIII", 2, 4, 0, 0, MAXIMUM_FRAME, link_type))
            for packet in packets:
                seconds, fraction = divmod(packet.time_ns, NANOSECONDS)
                size = len(packet.data)
                file.write(struct.pack("<IIII", seconds, fraction, size, size))
                file.write(packet.data)
                count += 1
    except OSError as error:
        raise CaptureError(f"{path}: {error.strerror}") from error
    return count
