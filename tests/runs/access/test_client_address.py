"""The address of a client: the peer, or what trusted proxies say."""

from __future__ import annotations

import ipaddress
from typing import Any

import pytest
from django.http import HttpRequest
from django.test import RequestFactory

from runs.access.client_address import address_of, full_address_of

LOCAL = "127.0.0.0/8"


def request(remote: str, forwarded: str, site: tuple[int, str], settings: Any) -> HttpRequest:
    """A request from `remote` to a site: the number of its proxies, and their networks."""
    proxies, trusted = site
    settings.PROXIES = proxies
    settings.PROXY_ADDRESSES = [ipaddress.ip_network(network) for network in trusted.split()]
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return RequestFactory().get("/", headers=headers, REMOTE_ADDR=remote)


@pytest.mark.parametrize(
    ("remote", "forwarded", "site", "address"),
    [
        ("192.0.2.1", "", (0, LOCAL), "192.0.2.1"),
        ("192.0.2.1", "203.0.113.5", (0, LOCAL), "192.0.2.1"),  # anybody may send that header
        ("127.0.0.1", "203.0.113.5", (1, LOCAL), "203.0.113.5"),
        ("127.0.0.1", "198.51.100.1, 203.0.113.5", (1, LOCAL), "203.0.113.5"),
        ("192.0.2.1", "203.0.113.5", (1, LOCAL), "192.0.2.1"),  # not through the proxy
        ("192.0.2.1", "203.0.113.5", (1, f"{LOCAL} 192.0.2.0/24"), "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5, 10.0.0.2", (2, f"{LOCAL} 10.0.0.2"), "203.0.113.5"),
        ("127.0.0.1", "203.0.113.5, 10.0.0.9", (2, f"{LOCAL} 10.0.0.2"), "127.0.0.1"),  # past the outer proxy
        ("127.0.0.1", "203.0.113.5", (2, LOCAL), "127.0.0.1"),
        ("2001:db8::1:2:3:4", "", (0, LOCAL), "2001:db8::/64"),
        ("2001:db8::1:2:3:4", "203.0.113.5", (1, LOCAL), "2001:db8::/64"),
        ("::1", "203.0.113.5", (1, "::1"), "203.0.113.5"),
        ("::ffff:192.0.2.1", "", (0, LOCAL), "192.0.2.1"),
        ("::ffff:127.0.0.1", "203.0.113.5", (1, LOCAL), "203.0.113.5"),
        ("", "", (0, LOCAL), "unknown"),
        ("", "203.0.113.5", (1, LOCAL), "unknown"),
        ("127.0.0.1", "nonsense", (1, LOCAL), "unknown"),
    ],
)
def test_the_header_counts_only_if_trusted_proxies_wrote_it(
    remote: str, forwarded: str, site: tuple[int, str], address: str, settings: Any
) -> None:
    assert address_of(request(remote, forwarded, site, settings)) == address


def test_the_audit_log_has_the_complete_address(settings: Any) -> None:
    found = request("2001:db8::1:2:3:4", "", (0, LOCAL), settings)
    assert full_address_of(found) == "2001:db8::1:2:3:4"
