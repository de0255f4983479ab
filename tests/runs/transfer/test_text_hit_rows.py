"""Results of the search as files."""

from __future__ import annotations

import csv
import io
import json

import pytest

from runs.data.queries.visibility import ANONYMOUS
from runs.data.text_index.hit_rates import hit_rates
from runs.data.text_index.text_query import TextQuery
from runs.transfer import text_hit_rows
from runs.transfer.text_hit_rows import agent_records, as_file, step_records
from tests.runs.data.text_index.searching import found, make_library

pytestmark = pytest.mark.django_db


def test_each_step_is_a_record_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_hit_rows, "_RUNS_AT_ONCE", 1)
    library = make_library()
    records = list(step_records(found("connect*"), ANONYMOUS, "http://x/"))
    run = library.bob[0]
    assert [(record["run"], record["step"]) for record in records] == [
        (library.bob[1].pk, 2),
        (run.pk, 2),
        (run.pk, 3),
        (library.alice[0].pk, 3),
    ]
    assert records[1] == {
        "run": run.pk,
        "agent": "bob",
        "model": "babbage",
        "repository": "harbour",
        "task": "tide-1",
        "attempt": 1,
        "outcome": "unresolved",
        "step": 2,
        "url": f"http://x/runs/{run.pk}/?step=2",
    }


def test_each_agent_is_a_record_with_its_shares() -> None:
    make_library()
    alice, bob = agent_records(hit_rates(TextQuery.parse("ECONNREFUSED"), ANONYMOUS))
    assert (alice["agent"], alice["board"], alice["runs_with_hit"], alice["runs_searched"]) == (
        "alice",
        "Ports",
        1,
        2,
    )
    assert (alice["share"], alice["unresolved_with_hit"], alice["unresolved_searched"]) == (0.5, 1, 1)
    assert alice["share_low"] < 0.5 < alice["share_high"]
    assert (bob["resolved_searched"], bob["resolved_share"], bob["resolved_share_low"]) == (0, None, None)


def test_files_are_harmless_for_spreadsheets_and_say_what_was_searched() -> None:
    records = [{"agent": "=cmd()", "step": 3, "outcome": None}]
    table = as_file(records, {"query": "x"}, "csv", "steps")
    assert list(csv.reader(io.StringIO(table.content.decode()))) == [
        ["agent", "step", "outcome"],
        ["'=cmd()", "3", ""],
    ]
    assert table.headers["Content-Disposition"] == 'attachment; filename="steps.csv"'
    assert json.loads(as_file(records, {"query": "x"}, "json", "steps").content) == {
        "query": "x",
        "rows": records,
    }
    assert as_file([], {}, "csv", "steps").content == b""
