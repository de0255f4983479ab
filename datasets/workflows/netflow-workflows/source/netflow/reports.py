"""Reports as text for people, JSON and CSV for programs. Every function returns the whole report as one string."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from typing import Any

from netflow.capture import NANOSECONDS
from netflow.flows import Endpoint, Flow
from netflow.scans import Scan
from netflow.stats import Summary, Talker

FLOW_FIELDS = (
    "protocol",
    "client",
    "client_port",
    "server",
    "server_port",
    "first",
    "last",
    "client_packets",
    "client_bytes",
    "server_packets",
    "server_bytes",
    "payload",
    "reason",
)
# Fixed, so that reports of different captures line up. A longer value pushes the rest of its line to the right.
FLOW_LINE = "{:<8} {:<21} {:<21} {:>13} {:>8} {:>12} {:<6}"


def seconds(time_ns: int) -> str:
    """Nanoseconds as seconds, exactly."""
    return f"{time_ns // NANOSECONDS}.{time_ns % NANOSECONDS:09d}"


def endpoint(end: Endpoint) -> str:
    """An address with its port, or alone when there is none."""
    address, port = end
    return f"{address}:{port}" if port else str(address)


def flows_report(flows: Iterable[Flow], style: str) -> str:
    """The flows in their order, with totals at the end (CSV: without)."""
    flows = list(flows)
    if style == "csv":
        return _csv(FLOW_FIELDS, [tuple(_flow_record(flow).values()) for flow in flows])
    totals = {
        "flows": len(flows),
        "packets": sum(flow.packets for flow in flows),
        "bytes": sum(flow.bytes for flow in flows),
    }
    if style == "json":
        return _json({"flows": [_flow_record(flow) for flow in flows], "totals": totals})
    lines = [FLOW_LINE.format("protocol", "client", "server", "seconds", "packets", "bytes", "reason").rstrip()]
    lines += [_flow_line(flow) for flow in flows]
    lines.append("{flows} flows, {packets} packets, {bytes} bytes".format(**totals))
    return "\n".join(lines) + "\n"


def summary_report(summary: Summary, style: str) -> str:
    """The summary of a capture. CSV has the protocols alone."""
    protocols = sorted(summary.protocols.items(), key=lambda item: (-item[1].bytes, item[0]))
    if style == "csv":
        rows = [(name, count.packets, count.bytes) for name, count in protocols]
        return _csv(("protocol", "packets", "bytes"), rows)
    if style == "json":
        return _json(
            {
                "packets": summary.total.packets,
                "bytes": summary.total.bytes,
                "payload": summary.payload,
                "duration": seconds(summary.duration_ns),
                "protocols": {
                    name: {"packets": count.packets, "bytes": count.bytes} for name, count in protocols
                },
                "sizes": summary.sizes,
            }
        )
    lines = [
        f"packets   {summary.total.packets}",
        f"bytes     {summary.total.bytes}",
        f"payload   {summary.payload}",
        f"duration  {seconds(summary.duration_ns)}",
        "",
    ]
    rows = [(name, str(count.packets), str(count.bytes)) for name, count in protocols]
    sizes = [(name, str(count)) for name, count in summary.sizes.items()]
    return (
        "\n".join(lines)
        + "\n"
        + _table(("protocol", "packets", "bytes"), rows)
        + "\n"
        + _table(("size", "packets"), sizes)
    )


def talkers_report(talkers: Sequence[Talker], style: str) -> str:
    """Top talkers, the busiest first."""
    fields = ("name", "packets_sent", "bytes_sent", "packets_received", "bytes_received", "bytes")
    rows = [
        (t.name, t.sent.packets, t.sent.bytes, t.received.packets, t.received.bytes, t.bytes) for t in talkers
    ]
    return _rows(fields, rows, style, "talkers")


def scans_report(scans: Sequence[Scan], style: str) -> str:
    """Port scans."""
    fields = ("kind", "source", "target", "doors", "first")
    rows = [(s.kind, str(s.source), s.target, s.doors, seconds(s.first_ns)) for s in scans]
    return _rows(fields, rows, style, "scans")


def _flow_record(flow: Flow) -> dict[str, Any]:
    values = (
        flow.protocol,
        str(flow.client[0]),
        flow.client[1],
        str(flow.server[0]),
        flow.server[1],
        seconds(flow.first_ns),
        seconds(flow.last_ns),
        flow.client_packets,
        flow.client_bytes,
        flow.server_packets,
        flow.server_bytes,
        flow.payload,
        flow.reason,
    )
    return dict(zip(FLOW_FIELDS, values, strict=True))


def _flow_line(flow: Flow) -> str:
    return FLOW_LINE.format(
        flow.protocol,
        endpoint(flow.client),
        endpoint(flow.server),
        seconds(flow.last_ns - flow.first_ns),
        flow.packets,
        flow.bytes,
        flow.reason,
    ).rstrip()


def _rows(fields: Sequence[str], rows: Sequence[tuple], style: str, name: str) -> str:
    if style == "csv":
        return _csv(fields, rows)
    if style == "json":
        return _json({name: [dict(zip(fields, row, strict=True)) for row in rows]})
    return _table(fields, [tuple(map(str, row)) for row in rows])


def _csv(fields: Sequence[str], rows: Iterable[tuple]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(fields)
    writer.writerows(rows)
    return text.getvalue()


def _json(value: Any) -> str:
    return json.dumps(value, indent=2) + "\n"


def _table(fields: Sequence[str], rows: Sequence[tuple[str, ...]]) -> str:
    """Columns as wide as their widest value; the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(fields, *rows, strict=True)]
    lines = []
    for row in (fields, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [value.rjust(width) for value, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"
