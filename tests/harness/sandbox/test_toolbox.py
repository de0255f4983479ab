"""The full-stack tools against real servers in a run's container."""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from harness.dataset import OPTIONAL_TOOLS, Repository, load_dataset
from harness.errors import AgentError, RunCancelled
from harness.pictures import PNG_START
from harness.sandbox.base import ContainerLimits, Owner, ToolReply, Workspace
from harness.sandbox.docker import DockerEngine
from harness.sandbox.engine.images import BASE_IMAGES_VARIABLE
from tests.harness.arena import Arena, shell
from tests.harness.shop import call, start, write_shop_dataset
from tests.harness.worlds import BASE_IMAGE

# The first time on a machine, two images are built.
pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.timeout(900)]

SHOP = "http://localhost:5000"
ONLY_HERE = (
    "Only servers that run in your own container can be reached, at localhost: the run has no other network."
)


def docker(*arguments: str) -> str:
    return subprocess.run(["docker", *arguments], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def engine() -> Iterator[DockerEngine]:
    engine = DockerEngine(replacements={"debian:bookworm": BASE_IMAGE})
    yield engine
    engine.close()


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return load_dataset(write_shop_dataset(tmp_path_factory.mktemp("shop"))).repository("calc")


@pytest.fixture(scope="module")
def there(engine: DockerEngine, repository: Repository) -> Iterator[Workspace]:
    """A workspace in which the shop and a MongoDB server run."""
    owner = Owner(f"toolbox-{uuid4().hex[:8]}", "shop")
    with engine.workspace(
        repository, owner=owner, limits=ContainerLimits(), tools=OPTIONAL_TOOLS
    ) as workspace:
        start(workspace, "python3 app.py", "Running on")
        start(workspace, "node mongo.mjs", "MongoDB is up")
        start(workspace, "node chat.mjs", "Chat is up")
        yield workspace


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

    def test_what_a_request_makes_the_server_write_is_an_edit_of_that_call(self, there: Workspace) -> None:
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

    def test_redirects_are_shown_and_cookies_kept_until_they_are_forgotten(self, there: Workspace) -> None:
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

    def test_a_server_that_hangs_meets_the_time_out(self, there: Workspace) -> None:
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
    def test_of_a_body_that_is_odd_is_shown_what_came(
        self, there: Workspace, path: str, begins: str, ends: str
    ) -> None:
        reply = call(there, "api_call", url=f"{SHOP}{path}", timeout=2.0 if path == "/stream" else 30.0)
        assert reply.ok
        assert body(reply).startswith(begins)
        assert body(reply).endswith(ends)

    def test_tls_where_there_is_none_is_told(self, there: Workspace) -> None:
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
    def test_nothing_but_a_server_of_the_run_answers(self, there: Workspace, url: str, reason: str) -> None:
        reply = call(there, "api_call", url=url)
        assert not reply.ok
        assert reason in reply.content
        assert ONLY_HERE in reply.content or "such as http://localhost:3000/" in reply.content


class TestDatabaseQuery:
    def query(self, there: Workspace, operation: str, collection: str = "tea", **more: Any) -> ToolReply:
        return call(there, "database_query", operation=operation, collection=collection, **more)

    def test_a_documents_life(self, there: Workspace) -> None:
        new = self.query(
            there,
            "insert",
            documents=[
                {"_id": {"$oid": "0" * 23 + "1"}, "n": 1, "at": {"$date": "2026-01-02T00:00:00Z"}},
                {"_id": 2, "n": 2, "gone": None},
                {"_id": 3, "n": 3},
            ],
        )
        assert new.content.startswith("test.tea, insert: 3 inserted, with these _id\n")
        one = self.query(there, "findOne", filter={"_id": {"$oid": "0" * 23 + "1"}})
        assert one.content == (
            'test.tea, findOne: found\n{\n  "_id": {\n    "$oid": "000000000000000000000001"\n  },\n  "n": 1,\n'
            '  "at": {\n    "$date": "2026-01-02T00:00:00Z"\n  }\n}'
        )
        some = self.query(there, "find", projection={"_id": 0, "n": 1}, sort={"n": -1}, limit=1)
        assert some.content == (
            'test.tea, find: 1 document of 3, `limit` and `skip` show others\n[\n  {\n    "n": 3\n  }\n]'
        )
        changed = self.query(there, "update", filter={"n": {"$gt": 1}}, update={"$set": {"x": 1}}, many=True)
        assert changed.content == "test.tea, update: 2 matched, 2 modified"
        inserted = self.query(there, "update", filter={"_id": 9}, update={"$set": {"x": 1}}, upsert=True)
        assert inserted.content == "test.tea, update: 0 matched, 0 modified, upserted with the _id 9"
        total = self.query(there, "aggregate", pipeline=[{"$group": {"_id": None, "sum": {"$sum": "$n"}}}])
        assert total.content == (
            'test.tea, aggregate: 1 document\n[\n  {\n    "_id": null,\n    "sum": 6\n  }\n]'
        )
        assert self.query(there, "delete", filter={"n": 1}).content == "test.tea, delete: 1 deleted"
        assert self.query(there, "delete", filter={}, many=True).content == "test.tea, delete: 3 deleted"
        assert self.query(there, "find").content == "test.tea, find: no document matches"

    def test_an_id_written_as_a_text_is_told(self, there: Workspace) -> None:
        name = "507f1f77bcf86cd799439011"
        advice = f'; an ObjectId is written {{"_id": {{"$oid": "{name}"}}}}'
        found = self.query(there, "findOne", "ids", filter={"_id": name})
        assert found.content == f"test.ids, findOne: no document matches{advice}"
        assert self.query(there, "delete", "ids", filter={"_id": name}).content.endswith(f"0 deleted{advice}")

    def test_null_in_a_filter_is_null(self, there: Workspace) -> None:
        self.query(there, "insert", "nulls", documents=[{"a": 1}, {"a": None}])
        found = self.query(there, "find", "nulls", filter={"a": None}, projection={"_id": 0})
        assert found.content == 'test.nulls, find: 1 document\n[\n  {\n    "a": null\n  }\n]'

    def test_large_results_are_cut(self, there: Workspace) -> None:
        for start_ in range(0, 40, 10):
            documents = [{"_id": number, "text": "x" * 50_000} for number in range(start_, start_ + 10)]
            assert self.query(there, "insert", "large", documents=documents).ok
        found = self.query(there, "find", "large", limit=100)
        assert found.content.startswith(
            "test.large, find: 20 documents of 40, `limit` and `skip` show others\n"
        )
        assert len(found.content) < 31_000

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            (
                {"operation": "aggregate", "pipeline": [{"$nope": 1}]},
                "The server refused: unregistered pipeline operator $nope",
            ),
            (
                {"filter": {"_id": {"$oid": "xx"}}},
                "filter is not extended JSON: 'xx' is not a valid ObjectId",
            ),
            ({"database": "x y"}, "The operation failed: database names cannot contain the character ' '"),
            (
                {"uri": "mongodb://localhost:5000"},
                "What listens at localhost:5000 does not respond like a MongoDB server.",
            ),
            ({"uri": "mongodb://localhost:1"}, "Nothing listens at localhost:1."),
            (
                {"uri": "mongodb://db.example.com"},
                f"The host 'db.example.com' is not known here. {ONLY_HERE}",
            ),
            ({"uri": "postgres://x"}, "The connection string 'postgres://x' is invalid"),
            ({"operation": "update", "update": {"x": 1}}, 'update needs operators, such as {"$set"'),
        ],
    )
    def test_errors_can_be_read(self, there: Workspace, arguments: dict[str, Any], reason: str) -> None:
        reply = call(there, "database_query", **{"operation": "find", "collection": "c", **arguments})
        assert not reply.ok
        assert reply.content.startswith(reason)


class TestWebsocketTest:
    def talk(self, there: Workspace, **arguments: Any) -> tuple[bool, list[str]]:
        """Whether it went well, and the lines without their times."""
        reply = call(there, "websocket_test", **arguments)
        head, *lines = reply.content.split("\n")
        return reply.ok, [head, *(line.partition(" s  ")[2] for line in lines)]

    def test_a_socketio_event_is_acknowledged_and_answered(self, there: Workspace) -> None:
        greet = {"event": "greet", "data": "Ada", "acknowledge": True}
        ok, lines = self.talk(there, url=SHOP, messages=[greet], wait_for="greeting")
        assert ok
        assert lines[0] == "1 message received."
        assert sorted(lines[1:]) == sorted(
            [
                f"connected to {SHOP}, namespace /, over polling",
                '→ greet "Ada"',
                '← greeting {"hello": "Ada"}',
                '← acknowledged greet: "heard Ada"',
            ]
        )

    def test_a_namespace_and_a_number_of_messages(self, there: Workspace) -> None:
        ok, lines = self.talk(
            there, url=SHOP, namespace="/room", messages=[{"event": "x", "data": [1]}], wait_messages=1
        )
        assert (ok, lines[2:]) == (True, ["→ x [1]", '← again ["x", [1]]'])

    def test_a_socketio_server_of_node_is_spoken_to_over_its_websocket(self, there: Workspace) -> None:
        join = {"event": "join", "data": "tea", "acknowledge": True}
        ok, lines = self.talk(
            there,
            url="http://localhost:4000/chat",
            messages=[join, {"event": "say", "data": "hello"}],
            wait_for="said",
        )
        assert ok
        assert lines == [
            "1 message received.",
            "connected to http://localhost:4000/chat, namespace /chat, over websocket",
            '→ join "tea"',
            '← acknowledged join: {"room": "tea", "members": 1}',
            '→ say "hello"',
            '← said {"text": "hello", "bytes": "(binary, 2 bytes, begins with 68 69)"}',
        ]

    def test_a_plain_websocket(self, there: Workspace) -> None:
        ok, lines = self.talk(
            there, url="ws://localhost:8765/", messages=[{"data": "hi"}, {"data": {"a": 1}}], wait_messages=4
        )
        assert ok
        assert lines[0] == "4 messages received."
        assert [line for line in lines if line.startswith("→")] == ["→ hi", '→ {"a": 1}']
        assert [line for line in lines if line.startswith("←")] == [
            "← HI",
            "← (binary, 2 bytes, begins with 00 01)",
            '← {"A": 1}',
            "← (binary, 2 bytes, begins with 00 01)",
        ]

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            (
                {"url": SHOP, "wait_for": "x", "timeout": 1.0},
                "The time-out of 1 s came first: 'x' had not come.",
            ),
            (
                {"url": SHOP, "messages": [{"event": "leave"}], "wait_messages": 2},
                "The server hung up: 0 of 2 messages had come.",
            ),
            (
                {"url": SHOP, "auth": {"token": "wrong"}},
                f"Socket.IO at {SHOP}, namespace /, failed: wrong token",
            ),
            (
                {"url": "ws://localhost:8765/", "messages": [{"data": "bye"}], "wait_for": "x"},
                "The server hung up: 'x' had not come.",
            ),
            (
                {"url": "ws://localhost:5000/"},
                "ws://localhost:5000/ returned 400 Invalid response status: it is no WebSocket endpoint",
            ),
            (
                {"url": "http://localhost:5000", "path": "other"},
                "Socket.IO at http://localhost:5000, namespace /, failed: ",
            ),
            ({"url": "http://localhost:5999"}, "Nothing listens at localhost:5999."),
            ({"url": "ws://localhost:5999"}, "Nothing listens at localhost:5999."),
            ({"url": "ws://example.com"}, f"The host 'example.com' is not known here. {ONLY_HERE}"),
        ],
    )
    def test_what_went_wrong_is_said_first(
        self, there: Workspace, arguments: dict[str, Any], reason: str
    ) -> None:
        reply = call(there, "websocket_test", **arguments)
        assert not reply.ok
        assert reply.content.startswith(reason)


class TestUiTest:
    def act(self, there: Workspace, *actions: dict[str, Any], **more: Any) -> ToolReply:
        return call(there, "ui_test", actions=list(actions), **more)

    def open(self, there: Workspace, path: str = "/") -> None:
        assert self.act(there, {"action": "navigate", "url": f"{SHOP}{path}"}, reset=True).ok

    def test_a_form_is_filled_and_sent_and_a_picture_taken(self, there: Workspace) -> None:
        reply = self.act(
            there,
            {"action": "navigate", "url": f"{SHOP}/"},
            {"action": "type", "selector": "#name", "text": "green tea"},
            {"action": "type", "selector": "#size", "text": "large"},
            {"action": "click", "selector": "text=Add"},
            {"action": "wait_for", "selector": "li", "text": "green"},
            {"action": "screenshot"},
            {"action": "read", "selector": "#items"},
            {"action": "read", "selector": "li", "format": "html"},
            reset=True,
        )
        assert reply.ok, reply.content
        lines = reply.content.split("\n")
        assert lines[:4] == [
            f"1. navigate {SHOP}/ → 200 OK, 'Shop'",
            "2. type #name 'green tea' → typed",
            "3. type #size 'large' → chosen",
            "4. click text=Add → clicked",
        ]
        assert lines[5:11] == [
            "6. screenshot → picture 1 of this call, 1280 × 720",
            "7. read #items → 1 element",
            "green tea l",
            "8. read li → 1 element",
            "<li>green tea l</li>",
            f"Page: {SHOP}/ 'Shop'",
        ]
        (picture,) = reply.pictures
        assert picture.startswith(PNG_START)
        assert [edit.path for edit in reply.edits] == ["items.json"]

    def test_complaints_of_the_page_are_told(self, there: Workspace) -> None:
        reply = self.act(
            there,
            {"action": "navigate", "url": f"{SHOP}/"},
            {"action": "click", "selector": "#ask"},
            {"action": "click", "selector": "#window"},
            {"action": "click", "selector": "#crash"},
        )
        assert f"Page: {SHOP}/ 'yes'\n" in reply.content
        assert set(reply.content.partition("Page: ")[2].split("\n")[1:]) == {
            "- console error: the console complains",
            f"- request returned 404: GET {SHOP}/missing.json",
            "- console error: Failed to load resource: the server responded with a status of 404 (NOT FOUND)",
            "- a dialog (confirm) said 'Sure?' and was accepted",
            f"- another window was opened, {SHOP}/other, and closed: navigate to it to see it",
            "- uncaught error: it broke",
        }

    def test_the_page_stays_from_call_to_call_until_it_is_reset(self, there: Workspace) -> None:
        self.open(there)
        self.act(there, {"action": "click", "selector": "#other"})
        reply = self.act(there, {"action": "read", "selector": ".x"}, {"action": "press", "key": "Tab"})
        assert reply.content == (
            f"1. read .x → 2 elements\n[1] one\n[2] two\n2. press 'Tab' → pressed\nPage: {SHOP}/other 'Other'"
        )
        assert "Page: about:blank" in self.act(there, {"action": "read"}, reset=True).content

    def test_what_was_in_the_way_of_an_action_is_told(self, there: Workspace) -> None:
        for actions, reason in (
            (
                [{"action": "type", "selector": "#size", "text": "huge"}],
                "there is no such option; there are: small, large",
            ),
            ([{"action": "click", "selector": "#covered"}], "intercepts pointer events"),
            ([{"action": "click", "selector": "#off"}], "the time-out came first: element is not enabled"),
            (
                [{"action": "type", "selector": "#file", "text": "x"}],
                "send what the form would send with api_call",
            ),
        ):
            self.open(there)
            reply = self.act(there, *actions, timeout=4.0)
            assert not reply.ok
            assert reason in reply.content

    def test_a_step_that_fails_ends_the_call_and_says_where(self, there: Workspace) -> None:
        self.open(there, "/other")
        reply = self.act(
            there,
            {"action": "read", "selector": "title"},
            {"action": "click", "selector": "#nope"},
            {"action": "screenshot"},
            timeout=2.0,
        )
        assert not reply.ok
        lines = reply.content.split("\n")
        assert lines[2].startswith("2. click #nope FAILED: nothing matched '#nope' within ")
        assert lines[3:] == [
            "[actions not tried after it: 1]",
            f"Page: {SHOP}/other 'Other'",
        ]
        assert reply.pictures == ()

    @pytest.mark.parametrize(
        ("url", "reason"),
        [
            ("http://localhost:5999/", "net::ERR_CONNECTION_REFUSED at http://localhost:5999/"),
            ("http://example.com/", f"The host 'example.com' is not known here. {ONLY_HERE}"),
            ("file:///etc/passwd", "'file:///etc/passwd' is not allowed"),
            ("javascript:alert(1)", "'javascript:alert(1)' is not allowed"),
        ],
    )
    def test_only_pages_of_the_run_are_opened(self, there: Workspace, url: str, reason: str) -> None:
        reply = self.act(there, {"action": "navigate", "url": url})
        assert not reply.ok
        assert reason in reply.content

    def test_a_page_that_hangs_or_eats_memory_costs_itself_alone(self, there: Workspace) -> None:
        assert self.act(there, {"action": "navigate", "url": f"{SHOP}/other"}).ok  # the browser has started
        hung = self.act(there, {"action": "navigate", "url": f"{SHOP}/hang"}, timeout=1.0)
        assert f"1. navigate {SHOP}/hang FAILED: the time-out came first" in hung.content
        heavy = self.act(there, {"action": "navigate", "url": f"{SHOP}/heavy"}, timeout=4.0)
        assert not heavy.ok
        light = self.act(there, {"action": "navigate", "url": f"{SHOP}/other"})
        assert light.ok, light.content

    def test_a_page_that_hangs_between_two_calls_costs_the_second_two_seconds(self, there: Workspace) -> None:
        idle = self.act(there, {"action": "navigate", "url": f"{SHOP}/busy-later"})
        assert "'Idle'" in idle.content
        time.sleep(2)
        light = self.act(there, {"action": "navigate", "url": f"{SHOP}/other"})
        assert light.ok, light.content
        assert f"- {SHOP}/busy-later did not respond any more: a new page was opened" in light.content


class TestTheContainer:
    def test_nothing_of_the_agent_the_host_or_the_world_can_be_seen_from_it(
        self, engine: DockerEngine, repository: Repository, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-toolbox-test-0123456789")
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(
            repository, owner=owner, limits=ContainerLimits(), tools=("api_call",)
        ) as there:
            assert "exit code 0" in there.call(*shell("echo secret > /tmp/mine"), timeout=10).content
            call(there, "api_call", url=f"{SHOP}/")
            (name,) = docker(
                "ps", "--filter", f"label=benchbench.instance={owner.instance}", "--format", "{{.Names}}",
                "--filter", "name=benchbench-toolbox",
            ).split()  # fmt: skip
            inside = docker(
                "exec", name, "sh", "-c",
                "id -un; env; ls /app /tmp/mine 2>&1; touch /opt/x 2>&1; cat /proc/self/status | grep CapEff;"
                "ls /sys/class/net; ls /var/run/docker.sock 2>&1; true",
            )  # fmt: skip
            about = docker("inspect", name)
        assert inside.startswith("toolbox\n")
        assert "sk-toolbox-test" not in inside + about
        assert "'/app': No such file" in inside
        assert "'/tmp/mine': No such file" in inside
        assert "'/opt/x': Read-only file system" in inside
        assert "CapEff:\t0000000000000000" in inside
        assert "\nlo\n" in inside
        assert "eth0" not in inside
        assert "'/var/run/docker.sock': No such file" in inside
        assert '"no-new-privileges"' in about
        assert '"Binds": null' in about

    def test_it_starts_with_the_first_call_and_is_gone_with_the_run(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")

        def roles() -> list[str]:
            listed = docker(
                "ps",
                "-a",
                "--filter",
                f"label=benchbench.instance={owner.instance}",
                "--format",
                "{{.Names}}",
            )
            return sorted(name.split("-")[1] for name in listed.split())

        with engine.workspace(
            repository, owner=owner, limits=ContainerLimits(), tools=OPTIONAL_TOOLS
        ) as there:
            there.call(*shell("true"), timeout=10)
            assert roles() == ["workspace"]
            call(there, "api_call", url=f"{SHOP}/")
            assert roles() == ["toolbox", "workspace"]
        assert roles() == []

    def test_a_cancelled_run_waits_for_no_server(self, engine: DockerEngine, repository: Repository) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        wanted = True

        def interrupt() -> None:
            if not wanted:
                raise RunCancelled("enough")

        with engine.workspace(
            repository, owner=owner, limits=ContainerLimits(), tools=OPTIONAL_TOOLS, interrupt=interrupt
        ) as there:
            start(there, "python3 app.py", "Running on")
            call(there, "api_call", url=f"{SHOP}/other")
            wanted = False
            began = time.monotonic()
            with pytest.raises(RunCancelled):
                call(there, "api_call", url=f"{SHOP}/hang", timeout=60.0)
        assert time.monotonic() - began < 5
        assert engine.sweep(owner.instance) == []

    def test_it_is_swept_with_its_run(self, engine: DockerEngine, repository: Repository) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(
            repository, owner=owner, limits=ContainerLimits(), tools=OPTIONAL_TOOLS
        ) as there:
            call(there, "api_call", url=f"{SHOP}/")
            swept = engine.sweep(owner.instance)
        assert sorted(name.split("-")[1] for name in swept) == ["toolbox", "workspace"]

    def test_when_it_dies_the_call_fails_and_the_next_one_works(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(
            repository, owner=owner, limits=ContainerLimits(), tools=OPTIONAL_TOOLS
        ) as there:
            call(there, "api_call", url=f"{SHOP}/")
            containers = ["ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}"]
            docker("kill", *docker(*containers, "--filter", "name=benchbench-toolbox").split())
            lost = call(there, "api_call", url=f"{SHOP}/")
            assert (lost.ok, lost.content) == (
                False,
                "The toolbox ended unexpectedly. Cookies and the page are gone; the next call begins with a fresh "
                "toolbox.",
            )
            assert "Nothing listens at localhost:5000." in call(there, "api_call", url=f"{SHOP}/").content

    def test_when_the_agent_breaks_its_container_the_next_call_says_so(
        self, engine: DockerEngine, repository: Repository
    ) -> None:
        owner = Owner(f"toolbox-{uuid4().hex[:8]}", "r")
        with engine.workspace(
            repository, owner=owner, limits=ContainerLimits(), tools=OPTIONAL_TOOLS
        ) as there:
            call(there, "api_call", url=f"{SHOP}/")
            with pytest.raises(AgentError):
                there.call(*shell("kill -9 -1"), timeout=10)
            with pytest.raises(AgentError, match="the agent broke its container"):
                call(there, "api_call", url=f"{SHOP}/")


class TestARun:
    def test_a_screenshot_is_kept_with_its_step_and_an_undeclared_tool_refused(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv(BASE_IMAGES_VARIABLE, f"debian:bookworm={BASE_IMAGE}")
        arena = Arena.make_from(tmp_path, write_shop_dataset(tmp_path, tools=("api_call", "ui_test")))
        listening = "for i in $(seq 100); do sleep 0.1; grep -q :1388 /proc/net/tcp && break; done"
        server = {"command": "python3 app.py", "background": True}
        look = [{"action": "navigate", "url": f"{SHOP}/other"}, {"action": "screenshot"}]
        _, record = arena.play(
            [("run_terminal_cmd", server), shell(listening)],
            [("ui_test", {"actions": look}), ("api_call", {"url": f"{SHOP}/other"})],
            [("database_query", {"operation": "find", "collection": "c"})],
        )
        _, _, checked, refused = record.steps()
        page, answer = checked.results
        assert (page.ok, page.artifacts) == (True, ("step-3-1.png",))
        assert (answer.ok, answer.artifacts) == (True, ())
        assert (record.artifact("step-3-1.png") or b"").startswith(PNG_START)
        assert not refused.results[0].ok
        assert refused.results[0].content.startswith("This task does not offer database_query.")
