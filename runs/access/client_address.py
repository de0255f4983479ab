"""The address of a client, for limits and for the audit log."""

from __future__ import annotations

import ipaddress

from django.conf import settings
from django.http import HttpRequest

UNKNOWN = "unknown"  # a Unix socket has no address
_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def address_of(request: HttpRequest) -> str:
    """The client's address, for limits: an IPv4 address, or the /64 network of an IPv6 address.

    One customer has a whole /64 network, so its addresses share a limit. UNKNOWN if there is no valid address.
    """
    return _network(_client(request))


def network_of(text: str) -> str:
    """The same for the address of a peer."""
    return _network(_parsed(text))


def full_address_of(request: HttpRequest) -> str:
    """The client's complete address, for the audit log. UNKNOWN if there is no valid address."""
    return str(_client(request) or UNKNOWN)


def _client(request: HttpRequest) -> _Address | None:
    """The peer or, behind PROXIES reverse proxies, the entry of X-Forwarded-For that the outermost of them wrote.

    The header counts only if the peer, and each proxy between it and that entry, has one of PROXY_ADDRESSES: anybody
    else could have written it. Earlier entries never count, because clients can forge them.
    """
    peer = str(request.META.get("REMOTE_ADDR", ""))
    proxies: int = settings.PROXIES
    if not proxies:
        return _parsed(peer)
    passed = [part.strip() for part in request.headers.get("X-Forwarded-For", "").split(",")]
    hops = [*passed[1 - proxies :], peer] if proxies > 1 else [peer]
    if len(passed) < proxies or not all(map(_is_trusted, hops)):
        return _parsed(peer)
    return _parsed(passed[-proxies])


def _network(address: _Address | None) -> str:
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or UNKNOWN)


def _is_trusted(text: str) -> bool:
    address = _parsed(text)
    return address is not None and any(
        address in network for network in settings.PROXY_ADDRESSES if network.version == address.version
    )


def _parsed(text: str) -> _Address | None:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
