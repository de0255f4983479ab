"""Imported steps with unusual values are shown in every format."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from runs.models import Run
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db

FORMS = ("", "?diff=split", "raw/", "raw.json", ".md")


@pytest.fixture
def run() -> Run:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    return run


def nested(depth: int) -> object:
    found: object = "deep"
    for _ in range(depth):
        found = [found]
    return found


def step(**more: object) -> dict[str, object]:
    call = {
        "tool_call_id": "c",
        "function_name": "edit_file",
        "arguments": {"path": "a.py", "content": "x = 1"},
    }
    return {"step_id": 9, "source": "agent", "message": "odd", "tool_calls": [call], **more}


def call(**arguments: object) -> dict[str, object]:
    return {"tool_calls": [{"tool_call_id": "c", "function_name": "edit_file", "arguments": arguments}]}


ODD: dict[str, dict[str, object]] = {
    "nested": step(**call(path="a.py", operations=nested(300))),
    "nested deeply": step(**call(path="a.py", operations=nested(900))),
    "more than a number": step(**call(path="a.py", operations=[1e308 * 10, float("nan")])),
    "maps": step(**call(path="a.py", **{f"k{n}": {"a": {"b": {"c": {"d": {"e": n}}}}} for n in range(90)})),
    "no numbers": step(
        metrics={"prompt_tokens": float("nan"), "completion_tokens": float("inf"), "cost_usd": float("nan")}
    ),
    "texts for numbers": step(metrics={"prompt_tokens": "many", "completion_tokens": [], "cost_usd": {}}),
    "no text": step(message=7, reasoning_content={"a": 1}),
    "odd results": step(observation={"results": [{"source_call_id": "c", "content": 7}]}),
    "lone surrogates": step(message="\ud800", **call(path="\ud800.py", content="\udfff")),
    "a path of many lines": step(**call(path="a\nb\x1b[31m.py", content="x")),
    "two calls of one name": step(tool_calls=[*call(path="a")["tool_calls"], *call(path="b")["tool_calls"]]),  # type: ignore[misc]
    "a time": step(timestamp=12),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("form", FORMS)
def test_every_format_of_an_odd_step_works(client: Client, run: Run, name: str, form: str) -> None:
    with (run.path / "trajectory.jsonl").open("a") as file:
        file.write(json.dumps(ODD[name]) + "\n")
    address = f"/runs/{run.pk}/steps/9" + (form if form.startswith(".") else f"/{form}")

    response = client.get(address)

    assert response.status_code in {200, 404}
    if form == "raw.json" and response.status_code == 200:
        json.loads(response.content, parse_constant=pytest.fail)


EDITS: dict[str, object] = {
    "numbers for texts": {"path": "a.py", "change": 7, "added": "x", "removed": None, "diff": 9},
    "a path that is none": {
        "path": None,
        "change": "added",
        "added": 1,
        "removed": 0,
        "diff": "@@ -0,0 +1 @@\n+x\n",
    },
    "less than nothing": {"path": "a.py", "change": "added", "added": -5, "removed": 2**70, "diff": ""},
    "no diff": {"path": "a.py", "change": "modified", "added": 0, "removed": 0},
    "lone surrogates": {
        "path": "a.py",
        "change": "added",
        "added": 1,
        "removed": 0,
        "diff": "@@ -0,0 +1 @@\n+\ud800\n",
    },
}


@pytest.mark.parametrize("name", EDITS)
@pytest.mark.parametrize("form", [*FORMS, "file?path=a.py"])
def test_every_format_of_an_odd_edit_works(client: Client, run: Run, name: str, form: str) -> None:
    with (run.path / "edits.jsonl").open("a") as file:
        file.write(json.dumps({"step_id": 7, "files": [EDITS[name]]}) + "\n")
    address = f"/runs/{run.pk}/steps/7" + (form if form.startswith(".") else f"/{form}")

    assert client.get(address).status_code in {200, 404}
    assert client.get(f"/runs/{run.pk}/end/").status_code == 200
