"""The command line: `netflow COMMAND CAPTURE [options]`."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Iterator, Sequence
from ipaddress import IPv4Network

from netflow import __version__, reports
from netflow.capture import NANOSECONDS, RawPacket, read_capture, write_capture
from netflow.errors import NetflowError
from netflow.flows import collect_flows
from netflow.packets import Packet, decode
from netflow.sample import sample_frames
from netflow.scans import find_scans
from netflow.stats import IDENTITIES, summarise, top_talkers

STYLES = ("text", "json", "csv")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns the exit status: 0, or 2 when it could not do its work."""
    logging.basicConfig(format="netflow: warning: %(message)s", level=logging.WARNING)
    options = _parser().parse_args(arguments)
    try:
        options.run(options)
        sys.stdout.flush()
    except NetflowError as error:
        print(f"netflow: {error}", file=sys.stderr)
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="netflow", description="Flows, top talkers and port scans from captures.")
    parser.add_argument("--version", action="version", version=f"netflow {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    summary = _command(commands, "summary", _summary, "a capture in a few numbers")
    _add_style(summary)

    flows = _command(commands, "flows", _flows, "every flow, in the order in which they end")
    flows.add_argument("--idle-timeout", type=_duration, default=_duration("60"), metavar="SECONDS")
    flows.add_argument("--active-timeout", type=_duration, default=_duration("1800"), metavar="SECONDS")
    _add_style(flows)

    top = _command(commands, "top", _top, "who talks most")
    top.add_argument("--by", choices=tuple(IDENTITIES), default="address")
    top.add_argument("-n", "--limit", type=_positive, default=10)
    _add_style(top)

    scans = _command(commands, "scans", _scans, "who scans ports")
    scans.add_argument("--window", type=_duration, default=_duration("60"), metavar="SECONDS")
    scans.add_argument("--threshold", type=_positive, default=15)
    _add_style(scans)

    select = _command(commands, "filter", _filter, "write a capture with some of the packets")
    select.add_argument("output", help="the capture to write")
    select.add_argument("--net", type=_network, help="an address or network at either end, such as 10.0.0.0/8")
    select.add_argument("--port", type=int, help="a port at either end")
    select.add_argument("--protocol", help="tcp, udp, icmp, …")

    sample = commands.add_parser("sample", help="write a capture of made-up traffic")
    sample.add_argument("output", help="the capture to write")
    sample.add_argument("--seed", type=int, default=1)
    sample.add_argument("--connections", type=_positive, default=40)
    sample.set_defaults(run=_sample)
    return parser


def _command(commands, name: str, run, text: str) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, description=text.capitalize() + ".")
    parser.add_argument("capture", help="a pcap file, or - for standard input")
    parser.set_defaults(run=run)
    return parser


def _add_style(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=STYLES, default="text", dest="style")


def _duration(text: str) -> int:
    """Seconds, as nanoseconds."""
    seconds = float(text)
    if not 0 < seconds < 1e9:
        raise argparse.ArgumentTypeError(f"must be a positive number of seconds, not {text}")
    return round(seconds * NANOSECONDS)


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text}")
    return number


def _network(text: str) -> IPv4Network:
    try:
        return IPv4Network(text, strict=False)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"not an address or network: {text}") from error


def _packets(path: str) -> Iterator[Packet]:
    return (packet for raw in read_capture(path) if (packet := decode(raw)))


def _summary(options: argparse.Namespace) -> None:
    sys.stdout.write(reports.summary_report(summarise(read_capture(options.capture)), options.style))


def _flows(options: argparse.Namespace) -> None:
    flows = collect_flows(_packets(options.capture), options.idle_timeout, options.active_timeout)
    sys.stdout.write(reports.flows_report(flows, options.style))


def _top(options: argparse.Namespace) -> None:
    talkers = top_talkers(_packets(options.capture), options.by, options.limit)
    sys.stdout.write(reports.talkers_report(talkers, options.style))


def _scans(options: argparse.Namespace) -> None:
    scans = find_scans(_packets(options.capture), options.window, options.threshold)
    sys.stdout.write(reports.scans_report(scans, options.style))


def _filter(options: argparse.Namespace) -> None:
    frames = [frame for frame in read_capture(options.capture) if _wanted(frame, options)]
    link_type = frames[0].link_type if frames else 1
    write_capture(options.output, frames, link_type)
    size = sum(len(frame.data) for frame in frames)
    print(f"{len(frames)} packets, {size} bytes")


def _wanted(frame: RawPacket, options: argparse.Namespace) -> bool:
    packet = decode(frame)
    if packet is None:
        return False
    if options.protocol and packet.protocol != options.protocol:
        return False
    if options.port and options.port not in (packet.source_port, packet.destination_port):
        return False
    return options.net is None or packet.source in options.net or packet.destination in options.net


def _sample(options: argparse.Namespace) -> None:
    count = write_capture(options.output, sample_frames(options.seed, options.connections))
    print(f"{count} packets")
