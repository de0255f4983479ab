"""One step as JSON and as Markdown."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from harness.records import FileEdit
from runs.models import Run
from tests.runs.cast import Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db


EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' onmouseover='x ```\n~~~ [a](javascript:x)"


@pytest.fixture
def run() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


@pytest.fixture
def hostile() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    edit = FileEdit(f"{EVIL}.py", "modified", 1, 1, diff=f"@@ -1 +1 @@\n-x = 1 {EVIL}\n+x = 2 {EVIL}\n")
    arguments = {"path": "a.py", "content": EVIL, EVIL: [{EVIL: EVIL}]}
    act(recorder_of(run), "edit_file", arguments, f"\x1b[31m{EVIL}\x1b[0m", message=EVIL, edits=[edit])
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, response.content[:500]
    return response.content.decode()


def test_a_step_is_available_as_json(client: Client, run: Run) -> None:
    response = client.get(f"/runs/{run.pk}/steps/5/raw.json")

    assert response["Content-Type"] == "application/json"
    assert response["X-Content-Type-Options"] == "nosniff"
    found = response.json()
    assert found["step"]["tool_calls"][0]["function_name"] == "edit_file"
    assert found["edits"]["files"][0]["path"] == "tide.py"
    assert client.get(f"/runs/{run.pk}/steps/3/raw.json").json()["edits"] is None


def test_a_step_is_available_as_markdown_with_its_url(client: Client, run: Run) -> None:
    response = client.get(f"/runs/{run.pk}/steps/5.md")

    assert response["Content-Type"] == "text/markdown; charset=utf-8"
    text = response.content.decode()
    assert text.startswith("### Step 5: `Alice on Tide 1, attempt 1`\n\n<http://testserver/runs/")
    assert "**Calls** `edit_file`" in text
    assert "`path`: `tide.py`" in text
    assert "**Changes `tide.py` (+1 −1)**\n\n```diff\n--- a/tide.py" in text


def test_missing_steps_are_not_found(client: Client, run: Run) -> None:
    for form in ["/raw.json", ".md"]:
        assert client.get(f"/runs/{run.pk}/steps/99{form}").status_code == 404
        assert client.get(f"/runs/{run.pk + 1}/steps/5{form}").status_code == 404


def test_markup_stays_text_in_every_format(client: Client, hostile: Run) -> None:
    for address in ["/", "/?diff=split"]:
        shown = page(client, f"/runs/{hostile.pk}/steps/1{address}")
        assert "<script>alert" not in shown
        assert "<img src=x" not in shown
        assert "' onmouseover='" not in shown
        assert "&lt;script&gt;" in shown
    text = page(client, f"/runs/{hostile.pk}/steps/1.md")
    outside = []
    fence = ""
    for line in text.split("\n"):
        if fence:
            fence = "" if line == fence else fence
        elif line.startswith("```"):
            fence = line.rstrip("abcdefghijklmnopqrstuvwxyz")
        else:
            outside.append(line)
    assert "<script>" not in " ".join(part for line in outside for part in line.split("`")[::2])
    assert json.loads(page(client, f"/runs/{hostile.pk}/steps/1/raw.json"))["step"]["message"] == EVIL
