"""api_call in a real toolbox."""

from __future__ import annotations

import re
from typing import Any

import pytest

from harness.sandbox.base import ToolReply, Workspace
from tests.harness.shop import ONLY_HERE, SHOP, call

# The first time on a machine, two images are built.
pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.timeout(900)]


def body(reply: ToolReply) -> str:
    """What follows the headers."""
    return reply.content.partition("\n\n")[2]


class TestApiCall:
    def test_status_headers_time_and_indented_json(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/api/items")
        assert reply.ok
        assert re.match(rf"GET {SHOP}/api/items → 200 OK \(\d+\.\d{{3}} s\)\n", reply.content)
        assert "\ncontent-type: application/json\n" in reply.content
        assert '[\n  {\n    "id": 1,\n    "name": "tea",\n    "price": null\n  }' in body(reply)

    def test_files_that_the_server_writes_are_edits_of_the_call(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/api/items", method="POST", json_body={"name": "café"})
        assert "→ 201 CREATED" in reply.content
        assert '"name": "café"' in body(reply)
        assert [(edit.path, edit.change) for edit in reply.edits] in (
            [("items.json", "added")],
            [("items.json", "modified")],
        )
        assert call(there, "api_call", url=f"{SHOP}/me").edits == ()

    @pytest.mark.parametrize(
        ("sent", "arrived"),
        [
            ({"method": "PUT", "body": "plain"}, '"body": "plain"'),
            ({"method": "POST", "form": {"a": "1 2"}}, '"form": {\n    "a": "1 2"\n  }'),
            ({"query": {"q": "ä&b"}}, '"query": {\n    "q": "ä&b"\n  }'),
            ({"username": "ada", "password": "x"}, '"authorization": "Basic YWRhOng="'),
            ({"bearer_token": "abc"}, '"authorization": "Bearer abc"'),
            ({"headers": {"X-Colour": "blue"}}, '"colour": "blue"'),
        ],
    )
    def test_every_part_of_a_request_arrives(
        self, there: Workspace, sent: dict[str, Any], arrived: str
    ) -> None:
        assert arrived in call(there, "api_call", url=f"{SHOP}/echo", **sent).content

    def test_query_parameters_are_added_to_those_in_the_url(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/echo?a=1", query={"b": "2"})
        assert '"query": {\n    "a": "1",\n    "b": "2"\n  }' in reply.content

    def test_redirects_are_shown_and_cookies_last_until_they_are_dropped(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/login")
        assert reply.content.startswith(
            f"GET {SHOP}/login → 302 FOUND, location: /me\nGET {SHOP}/me → 200 OK"
        )
        assert '"user": "ada"' in call(there, "api_call", url=f"{SHOP}/me").content
        assert '"user": null' in call(there, "api_call", url=f"{SHOP}/me", forget_cookies=True).content
        stayed = call(there, "api_call", url=f"{SHOP}/login", follow_redirects=False)
        assert "→ 302 FOUND (" in stayed.content
        assert "\nset-cookie: user=ada; Path=/\n" in stayed.content

    def test_redirects_that_never_end_are_given_up(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/round")
        assert (reply.ok, reply.content.splitlines()[-1]) == (False, "Gave up after 10 redirects.")

    def test_an_error_of_the_server_is_a_result(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/broken")
        assert reply.ok
        assert "→ 500 INTERNAL SERVER ERROR" in reply.content
        assert body(reply) == "no soup"

    def test_a_server_that_hangs_ends_in_a_time_out(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/hang", timeout=1.0)
        assert (reply.ok, reply.content) == (False, f"GET {SHOP}/hang: no response came within 1 s")
        assert reply.seconds < 5

    def test_a_body_of_fifty_megabytes_is_cut(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/big")
        assert reply.ok
        assert len(reply.content) < 25_000
        assert "characters left out here: request less at once" in reply.content
        assert reply.content.endswith("[the body has more than 2,097,152 bytes; the rest was not read]")

    @pytest.mark.parametrize(
        ("path", "begins", "ends"),
        [
            (
                "/stream",
                "data: tick\n\ndata: tick\n\n",
                "[the time-out came before the end of the body; this is what had arrived]",
            ),
            (
                "/half",
                "half of it\n",
                "[the connection broke before the end of the body: peer closed connection without sending complete "
                "message body (received 10 bytes, expected 100)]",
            ),
            ("/packed/1", "grüße", "grüße"),
            ("/packed/3", "(binary body, 2,097,152 bytes, begins with 00 00", "; the rest was not read]"),
            (
                "/packed/0",
                "grüße\n",
                "[the content encoding says gzip, but it is invalid: this is the body as received]",
            ),
        ],
    )
    def test_the_part_of_a_bad_body_that_arrived_is_shown(
        self, there: Workspace, path: str, begins: str, ends: str
    ) -> None:
        reply = call(there, "api_call", url=f"{SHOP}{path}", timeout=2.0 if path == "/stream" else 30.0)
        assert reply.ok
        assert body(reply).startswith(begins)
        assert body(reply).endswith(ends)

    def test_https_to_a_server_without_tls_is_explained(self, there: Workspace) -> None:
        reply = call(there, "api_call", url="https://localhost:5000/")
        assert not reply.ok
        assert reply.content.startswith("localhost:5000 does not speak TLS as it should (")
        assert reply.content.endswith("): try http:// in place of https://")

    def test_a_binary_body_is_described(self, there: Workspace) -> None:
        reply = call(there, "api_call", url=f"{SHOP}/binary")
        assert body(reply) == (
            "(binary body, 256 bytes, begins with 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f)"
        )

    @pytest.mark.parametrize(
        ("url", "reason"),
        [
            ("http://localhost:5999/", "Nothing listens at localhost:5999."),
            ("http://example.com/", "The host 'example.com' is not known here."),
            ("http://10.1.2.3/", "The host '10.1.2.3' cannot be reached."),
            ("file:///etc/passwd", "'file:///etc/passwd' is not allowed: give a whole URL"),
            ("/api/items", "'/api/items' is not allowed: give a whole URL"),
            (f"{SHOP}/away", "The host 'example.com' is not known here."),
        ],
    )
    def test_only_servers_of_the_run_can_be_reached(self, there: Workspace, url: str, reason: str) -> None:
        reply = call(there, "api_call", url=url)
        assert not reply.ok
        assert reason in reply.content
        assert ONLY_HERE in reply.content or "such as http://localhost:3000/" in reply.content
