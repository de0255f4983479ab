"""Only servers of this machine are allowed, however their address is written."""

from __future__ import annotations

import asyncio

import pytest

from harness.toolbox.inside.result import ToolError
from harness.toolbox.inside.targets import REMEDY, check_host, check_url, nothing_listens
from tests.harness.shop import ONLY_HERE


def checked(url: str) -> str:
    return asyncio.run(check_url(url, ("http", "https")))


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost",
        "https://localhost:3000/a?b=c#d",
        "HTTP://LOCALHOST/",
        "http://127.0.0.1:8080/",
        "http://127.9.9.9/",
        "http://[::1]:5000/",
        "http://0.0.0.0:5000/",
        "http://user:word@localhost/",
    ],
)
def test_a_url_of_this_machine_is_returned_as_it_is(url: str) -> None:
    assert checked(url) == url


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://10.1.2.3/", "10.1.2.3"),
        ("http://169.254.169.254/latest/meta-data", "169.254.169.254"),
        ("http://localhost@10.1.2.3/", "10.1.2.3"),
        ("http://[::ffff:10.1.2.3]/", "::ffff:10.1.2.3"),
        ("http://0xa010203/", "0xa010203"),
        ("http://[2001:db8::1]/", "2001:db8::1"),
    ],
)
def test_another_machine_is_out_of_reach(url: str, host: str) -> None:
    with pytest.raises(ToolError) as refused:
        checked(url)
    assert str(refused.value) in (
        f"The host {host!r} cannot be reached. {ONLY_HERE}",
        f"The host {host!r} is not known here. {ONLY_HERE}",  # on a machine without IPv6, for example
    )


@pytest.mark.parametrize(
    "url",
    [
        "",
        "/api/items",
        "localhost:3000",
        "//localhost/x",
        "http:///x",
        "file:///etc/passwd",
        "ws://localhost/",
    ],
)
def test_a_url_without_a_host_or_of_another_scheme_is_not_allowed(url: str) -> None:
    with pytest.raises(ToolError) as refused:
        checked(url)
    assert str(refused.value) == f"{url!r} is not allowed: give a whole URL, such as http://localhost:3000/"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://localhost:99999/", "Port out of range 0-65535"),
        ("http://[::1/", "Invalid IPv6 URL"),
    ],
)
def test_what_is_no_url_says_why(url: str, reason: str) -> None:
    with pytest.raises(ToolError) as refused:
        checked(url)
    assert str(refused.value) == f"{url!r} is not a URL: {reason}"


@pytest.mark.parametrize("host", ["a" * 64, "a..b"])
def test_a_name_that_cannot_exist_is_not_known(host: str) -> None:
    with pytest.raises(ToolError) as refused:
        asyncio.run(check_host(host))
    assert str(refused.value) == f"The host {host!r} is not known here. {ONLY_HERE}"


def test_the_advice_for_a_closed_port_is_to_start_the_server() -> None:
    assert REMEDY == ONLY_HERE
    assert nothing_listens("localhost", 5000) == (
        "Nothing listens at localhost:5000. Start the server with run_terminal_cmd in the background, and see in its "
        f"output whether it came up and where it listens. {ONLY_HERE}"
    )
