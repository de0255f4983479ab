"""ui_test in a real toolbox."""

from __future__ import annotations

import time
from typing import Any

import pytest

from harness.pictures import PNG_START
from harness.sandbox.base import ToolReply, Workspace
from tests.harness.shop import ONLY_HERE, SHOP, call

# The first time on a machine, two images are built.
pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.timeout(900)]


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

    def test_errors_of_the_page_are_reported(self, there: Workspace) -> None:
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

    def test_an_element_in_the_way_of_an_action_is_reported(self, there: Workspace) -> None:
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

    def test_the_first_failed_action_ends_the_call_and_is_named(self, there: Workspace) -> None:
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

    def test_a_page_that_hangs_or_needs_too_much_memory_affects_only_itself(self, there: Workspace) -> None:
        assert self.act(there, {"action": "navigate", "url": f"{SHOP}/other"}).ok  # the browser has started
        hung = self.act(there, {"action": "navigate", "url": f"{SHOP}/hang"}, timeout=1.0)
        assert f"1. navigate {SHOP}/hang FAILED: the time-out came first" in hung.content
        heavy = self.act(there, {"action": "navigate", "url": f"{SHOP}/heavy"}, timeout=4.0)
        assert not heavy.ok
        light = self.act(there, {"action": "navigate", "url": f"{SHOP}/other"})
        assert light.ok, light.content

    def test_a_page_that_hangs_between_two_calls_is_replaced_in_two_seconds(self, there: Workspace) -> None:
        idle = self.act(there, {"action": "navigate", "url": f"{SHOP}/busy-later"})
        assert "'Idle'" in idle.content
        time.sleep(2)
        light = self.act(there, {"action": "navigate", "url": f"{SHOP}/other"})
        assert light.ok, light.content
        assert f"- {SHOP}/busy-later did not respond any more: a new page was opened" in light.content
