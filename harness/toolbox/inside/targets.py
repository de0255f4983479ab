"""Checks addresses: only servers in the agent's container, whose network this container shares, are allowed."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Sequence
from urllib.parse import urlsplit

from .result import ToolError

REMEDY = (
    "Only servers that run in your own container can be reached, at localhost: the run has no other network."
)


async def check_url(url: str, schemes: Sequence[str]) -> str:
    """Returns `url`. Raises ToolError unless its scheme is one of these and its host is this machine."""
    try:
        parts = urlsplit(url)
        host, _port = parts.hostname, parts.port
    except ValueError as error:
        raise ToolError(f"{url!r} is not a URL: {error}") from None
    if parts.scheme not in schemes or not host:
        raise ToolError(f"{url!r} is not allowed: give a whole URL, such as {schemes[0]}://localhost:3000/")
    await check_host(host)
    return url


async def check_host(host: str) -> None:
    """Raises ToolError for a host other than this machine."""
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise ToolError(f"The host {host!r} is not known here. {REMEDY}") from None
    for *_, address in found:
        number = ipaddress.ip_address(str(address[0]).partition("%")[0])
        if not (number.is_loopback or number.is_unspecified):
            raise ToolError(f"The host {host!r} cannot be reached. {REMEDY}")


def nothing_listens(host: str, port: int | None) -> str:
    """The error if no server listens there."""
    return (
        f"Nothing listens at {host}:{port}. Start the server with run_terminal_cmd in the background, and see in its "
        f"output whether it came up and where it listens. {REMEDY}"
    )
