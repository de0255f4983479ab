"""Hostile model output is shown as text: it never runs, and it breaks no page."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from harness.records import FileEdit
from runs.models import Run
from tests.runs.cast import TESTS, Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db

SCRIPT = "<script>alert(1)</script>"
ATTRIBUTE = "\"><img src=x onerror=alert(1)> ' onmouseover='alert(1)"
LINK = '[click](javascript:alert(1)) <a href="javascript:alert(1)">x</a>'
EVIL = f"{SCRIPT}{ATTRIBUTE}{LINK}"


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def assert_inert(shown: str) -> None:
    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert 'href="javascript:' not in shown
    assert "' onmouseover='" not in shown


def test_markup_in_every_field_of_a_step_stays_text(client: Client, run: Run) -> None:
    recorder = recorder_of(run)
    edit = FileEdit(EVIL, "modified", 1, 0, diff=f"@@ -1 +1 @@\n+{EVIL}\n")
    act(recorder, EVIL, {"path": EVIL, EVIL: {EVIL: [{"x": EVIL}]}}, EVIL, message=EVIL, edits=[edit])
    recorder.step("user", EVIL, reasoning=EVIL)

    for number in (1, 2):
        shown = page(client, f"{run.get_absolute_url()}?step={number}")
        assert_inert(shown)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in shown
        assert_inert(page(client, f"/runs/{run.pk}/steps/{number}/"))
    live = client.get(f"/runs/{run.pk}/live/").json()
    assert_inert(live["head"] + live["strip"] + page(client, f"/runs/{run.pk}/steps/?q=script"))


def test_markup_in_test_names_messages_reasons_and_flags_stays_text(client: Client, run: Run) -> None:
    record(run, messages={TESTS[-1]: EVIL})
    tests = json.loads((run.path / "tests.json").read_text())
    tests["tests"][0]["id"] = EVIL
    (run.path / "tests.json").write_text(json.dumps(tests))
    (run.path / "patch.diff").write_text(f"diff --git {EVIL}\n")
    run.flags = [{"kind": EVIL, "path": EVIL, "note": EVIL}]
    run.detail = run.grading_reason = EVIL
    run.save()

    assert_inert(page(client, run.get_absolute_url()))
    assert_inert(page(client, run.task.get_absolute_url()))
    assert_inert(page(client, "/near-misses/?threshold=1"))


def test_names_in_the_chart_cannot_end_its_script_element(client: Client, cast: Cast, run: Run) -> None:
    run.agent.name = "</script><script>alert(1)</script>"
    run.agent.save()
    cast.settle()

    assert_inert(page(client, run.agent.get_absolute_url()))
    assert_inert(page(client, "/"))


def test_urls_are_echoed_as_text(client: Client) -> None:
    for name in ["/?dataset=", "/?sort=", "/runs/?agent=", "/runs/?page=", "/near-misses/?threshold="]:
        response = client.get(name + EVIL.replace("#", ""))
        assert response.status_code in {200, 400}
        assert_inert(response.content.decode())


def test_the_raw_view_is_never_interpreted_as_html(client: Client, run: Run) -> None:
    act(recorder_of(run), "read_file", {"path": "a"}, EVIL)

    response = client.get(f"/runs/{run.pk}/steps/1/raw/?part=call-0-result")

    assert response.content.decode() == EVIL
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert "default-src 'self'" in response["Content-Security-Policy"]
    assert client.get(f"/runs/{run.pk}/steps/1/raw/?part=nothing").status_code == 404


def test_a_line_of_five_megabytes_is_cut_with_a_link_to_the_whole(client: Client, run: Run) -> None:
    act(recorder_of(run), "read_file", {"path": "a"}, "y" * 5_000_000, message="z" * 5_000_000)

    shown = page(client, run.get_absolute_url())

    assert len(shown) < 100_000
    assert shown.count("Show all") == 2
    raw = client.get(f"/runs/{run.pk}/steps/1/raw/?part=message")
    assert len(raw.content) == 5_000_000


def test_invalid_utf8_is_replaced(client: Client, run: Run) -> None:
    act(recorder_of(run), "read_file", {"path": "a"}, "SENTINEL")
    file = run.path / "trajectory.jsonl"
    file.write_bytes(file.read_bytes().replace(b"SENTINEL", b"caf\xff\xfe\xed\xa0\x80"))

    assert "caf\N{REPLACEMENT CHARACTER}" in page(client, run.get_absolute_url())


def test_invalid_lines_are_skipped_and_counted(client: Client, run: Run) -> None:
    recorder = recorder_of(run)
    act(recorder, "read_file", {"path": "a"})
    bad = [b"{", b"[]", b"null", b'{"step_id": "x"}', b'{"step_id": 3, "source": "agent", "tool_calls": [1]}']
    with (run.path / "trajectory.jsonl").open("ab") as file:
        file.write(b"\n".join([*bad, b"[" * 100_000]) + b"\n")
    (run.path / "edits.jsonl").write_bytes(b'{"step_id": 1, "files": [{"nonsense": 1}]}\n\xff\n')
    (run.path / "tests.json").write_bytes(b"\xff{")

    shown = page(client, run.get_absolute_url())

    assert "6 lines of this trajectory cannot be read" in shown
