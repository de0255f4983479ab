"""Exports agree with the database, and can be imported again."""

from __future__ import annotations

import io
import json
import os
import zipfile
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from harness.records import RunRecord, Step
from runs.data.replay.record import cached_tests
from runs.models import Agent, Cell, Evaluation, PlaySession, Run, Try
from runs.transfer.export_columns import COLUMNS
from runs.transfer.importing import import_runs
from runs.views.site_pages import export_pages
from runs.work.execution.run_signature import sign_run
from tasks.loading import hide
from tests.runs.cast import Cast, identity_of, record, recorder_of
from tests.runs.tiny import Tiny, summary_of
from tests.runs.transfer.hostile_archives import tarred
from tests.runs.transfer.made_records import Elsewhere

pytestmark = pytest.mark.django_db


def content(client: Client, address: str) -> bytes:
    """The whole of an export."""
    response = client.get(address)
    assert response.status_code == 200, response.content
    assert isinstance(response, StreamingHttpResponse)
    return b"".join(response)


def lines(client: Client, query: str = "") -> list[dict[str, Any]]:
    """The rows of the JSON lines."""
    return [json.loads(line) for line in content(client, f"/exports/runs.jsonl?{query}").splitlines()]


def complete(run: Run) -> Path:
    """The run's directory, with a summary that says what the database says."""
    path = record(run)
    stated = summary_of(run, identity=replace(identity_of(run), try_number=1))
    (path / "run_summary.json").write_text(json.dumps(stated.to_json()))
    sign_run(path)
    return path


def test_a_line_has_every_field_and_null_for_unknown_values(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    alice, bob = cast.alice(), cast.bob()
    done = datetime(2026, 3, 1, 12, 0, 0, 500_000, tzinfo=UTC)
    cast.add_run(
        alice,
        task,
        1,
        passed=4,
        finished_at=done,
        steps=3,
        similarity={"lines": 0.5},
        flags=[{"kind": "ignored", "path": "x", "note": "y"}],
    )
    cast.add_run(bob, task, 1, odd="act_seconds tests_total", steps=3)
    cast.add_run(
        cast.oracle(), task, 1, state="queued", outcome="", ending="", started_at=None, finished_at=None
    )

    queued, unpriced, near = lines(client)

    assert list(near) == [column.name for column in COLUMNS]
    assert (near["evaluation"], near["dataset"], near["repository"], near["task"], near["agent"]) == (
        *("spring-tide", "ports", "harbour", "tide-1", "alice"),
    )
    assert (near["outcome"], near["tests_passed"], near["cost_usd"], near["model"]) == (
        *("unresolved", 4, 0.25, "analytical"),
    )
    assert near["finished_at"] == "2026-03-01T12:00:00.500000Z"
    assert (near["similarity_lines"], near["similarity_file_f1"]) == (0.5, None)
    assert (near["flags"], near["odd"]) == (["ignored"], [])
    assert (unpriced["cost_usd"], unpriced["act_seconds"], unpriced["tests_total"]) == (None, None, None)
    assert unpriced["odd"] == ["act_seconds", "tests_total"]
    assert (queued["outcome"], queued["steps"], queued["tests_passed"], queued["model"]) == (None,) * 4


def test_parquet_has_the_same_rows_typed_and_described(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5, 2])
    cast.add_cell(cast.bob(), task, [0])

    table = pq.read_table(io.BytesIO(content(client, "/exports/runs.parquet?task=harbour/tide-1")))

    rows = table.to_pylist()
    read = lines(client)
    for row, line in zip(rows, read, strict=True):
        for column in COLUMNS:
            value = row[column.name]
            if isinstance(value, datetime):
                value = value.isoformat().replace("+00:00", "Z")
            assert value == line[column.name]
    assert table.schema.field("queued_at").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("cost_usd").nullable
    assert not table.schema.field("id").nullable
    assert table.schema.field("steps").metadata[b"description"].startswith(b"Messages of the conversation")
    assert table.schema.metadata[b"benchbench.filter"] == b"task=harbour%2Ftide-1"


def test_an_export_without_runs_is_an_empty_table(client: Client, cast: Cast) -> None:
    assert content(client, "/exports/runs.jsonl?agent=nobody") == b""
    assert pq.read_table(io.BytesIO(content(client, "/exports/runs.parquet?agent=nobody"))).num_rows == 0


def test_an_export_takes_a_fixed_number_of_queries_for_each_batch(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    (task,) = cast.add_tasks(1)
    cast.add_cell(cast.alice(), task, [5] * 9)

    with django_assert_num_queries(4):  # evaluations, agents, tasks, one batch
        assert len(lines(client)) == 9


@pytest.mark.parametrize(
    ("query", "detail"),
    [("since=yesterday", "a day such as"), ("colour=red", "one of agent, dataset"), ("state=done", "one of")],
)
def test_invalid_parameters_are_refused_as_a_problem(client: Client, query: str, detail: str) -> None:
    response = client.get(f"/exports/runs.jsonl?{query}")

    assert response.status_code == 400
    assert response.headers["Content-Type"] == "application/problem+json"
    assert detail in response.json()["detail"]


def test_hidden_datasets_are_not_exported(admin_client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_cell(cast.alice(), task, [5])[0]
    complete(run)
    hide(cast.dataset, hidden=True)

    for client in (Client(), admin_client):  # one truth for everybody
        assert lines(client) == []
        assert client.get(f"/runs/{run.pk}/export.zip").status_code == 404
        assert client.get(f"/runs/{run.pk}/trajectory.atif.json").status_code == 404


def test_a_zip_can_be_imported_as_the_same_run(client: Client, tmp_path: Path) -> None:
    files = Elsewhere.knowing(Tiny(tmp_path).task).files(agent="ida", agent_name="Ida")
    import_runs(tarred(tmp_path / "sent.tar.gz", files.items(), "w:gz"))
    (run,) = Run.objects.all()
    path = run.path
    before = {
        entry.name: entry.read_bytes()
        for entry in path.iterdir()
        if entry.is_file() and entry.suffix not in (".json", ".log")
    }
    file = tmp_path / "run.zip"
    file.write_bytes(content(client, f"/runs/{run.pk}/export.zip"))
    statuses = [(test.id, test.status) for test in cached_tests(path)]
    for model in (Try, Cell, Run, Evaluation, Agent):
        model.objects.all().delete()

    assert import_runs(file).new == 1

    (again,) = Run.objects.all()
    assert (again.key, again.outcome, again.steps, again.cost_usd) == (
        run.key,
        run.outcome,
        run.steps,
        run.cost_usd,
    )
    assert [(test.id, test.status) for test in cached_tests(again.path)] == statuses
    for name, content_before in before.items():
        assert (again.path / name).read_bytes() == content_before


def test_a_zip_holds_the_files_of_a_run_and_nothing_else(client: Client, cast: Cast, tmp_path: Path) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1)
    path = complete(run)
    (path / "secret.key").write_text("sk-1")
    (path / "artifacts").mkdir()
    (path / "artifacts" / "notes.txt").write_text("hidden")

    with zipfile.ZipFile(io.BytesIO(content(client, f"/runs/{run.pk}/export.zip"))) as file:
        names = {name.rpartition("/")[2] for name in file.namelist()}
        assert file.testzip() is None

    assert names == {*("run_summary.json", "trajectory.jsonl", "edits.jsonl", "patch.diff", "tests.json")}


def test_a_link_in_a_run_directory_is_refused(client: Client, cast: Cast, tmp_path: Path) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1)
    path = complete(run)
    (tmp_path / "passwords").write_text("hunter2")
    (path / "patch.diff").unlink()
    (path / "patch.diff").symlink_to(tmp_path / "passwords")

    response = client.get(f"/runs/{run.pk}/export.zip")

    assert response.status_code == 404
    assert "not a regular file" in response.json()["detail"]


def test_an_unfinished_run_has_no_zip(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1, state="running", outcome="")
    record(run)

    assert client.get(f"/runs/{run.pk}/export.zip").status_code == 404
    assert client.get("/runs/999999/export.zip").status_code == 404


def test_a_trajectory_is_an_atif_document_with_equal_steps(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1)
    path = record(run)

    document = json.loads(content(client, f"/runs/{run.pk}/trajectory.atif.json"))

    assert document["schema_version"] == "ATIF-v1.8"
    assert document["session_id"] == run.key
    assert document["agent"]["name"] == "alice"
    assert [Step.from_atif(step) for step in document["steps"]] == list(RunRecord(path).steps())
    assert document["final_metrics"] == {
        "total_prompt_tokens": 900,
        "total_completion_tokens": 100,
        "total_cached_tokens": 0,
        "total_cost_usd": 0.25,
        "total_steps": 8,
    }


def test_a_damaged_trajectory_is_still_a_document(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.bob(), task, 1)
    path = record(run)
    harm = [
        b"no json at all",
        b"[1, 2]",
        b'{"step_id": 9, "source": "agent", "message": "half \\ud800", "metrics": {"cost_usd": NaN}}',
        b"[" * 100_000,
    ]
    with (path / "trajectory.jsonl").open("ab") as file:
        file.write(b"\n".join(harm) + b'\n{"step_id": 10, "source": "agent", "mess')

    document = json.loads(content(client, f"/runs/{run.pk}/trajectory.atif.json"))

    assert len(document["steps"]) == 9
    assert document["steps"][-1]["message"] == "half ?"
    assert document["steps"][-1]["metrics"] == {}
    assert document["notes"].startswith("3 lines of the record are no steps")
    assert "total_cost_usd" not in document["final_metrics"]


def test_a_run_without_a_step_has_no_atif_document(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1)
    address = f"/runs/{run.pk}/trajectory.atif.json"
    recorder_of(run)

    response = client.get(address)

    assert response.status_code == 404
    assert response.json()["detail"] == "This run has no trajectory on this machine, or no step yet."


def sample_names(content: bytes) -> list[str]:
    """The samples of a log of Inspect."""
    with zipfile.ZipFile(io.BytesIO(content)) as file:
        return [name for name in file.namelist() if name.startswith("samples/")]


def test_a_run_and_the_runs_of_an_agent_are_logs_of_inspect(client: Client, cast: Cast) -> None:
    one, two = cast.add_tasks(2)
    alice = cast.alice()
    run = cast.add_run(alice, one, 1)
    cast.add_run(alice, two, 2)
    cast.add_run(alice, two, 3, state="running", outcome="")
    cast.add_run(cast.bob(), one, 1)
    record(run)

    single = sample_names(content(client, f"/runs/{run.pk}/inspect.eval"))
    address = f"/evaluations/{cast.evaluation.pk}/inspect/alice.eval"

    assert single == ["samples/harbour/tide-1_epoch_1.json"]
    assert sample_names(content(client, address)) == [*single, "samples/harbour/tide-2_epoch_2.json"]
    head = client.head(address)
    assert b"".join(head) == b""
    assert head.headers["Content-Disposition"] == 'attachment; filename="spring-tide-alice.eval"'
    assert address in client.get(f"/evaluations/{cast.evaluation.pk}/").content.decode()
    assert f"/runs/{run.pk}/inspect.eval" in client.get(f"/runs/{run.pk}/").content.decode()


def test_runs_that_no_one_sees_or_that_go_on_are_no_logs(client: Client, cast: Cast) -> None:
    (task,) = cast.add_tasks(1)
    run = cast.add_run(cast.alice(), task, 1, state="running", outcome="")
    hidden = cast.add_run(cast.bob(), cast.add_hidden_task(), 1)
    evaluation = cast.evaluation.pk

    for address in (
        f"/runs/{run.pk}/inspect.eval",
        f"/runs/{hidden.pk}/inspect.eval",
        *(f"/evaluations/{evaluation}/inspect/{agent}.eval" for agent in ("alice", "bob", "carol")),
        "/evaluations/999999/inspect/alice.eval",
    ):
        assert client.get(address).status_code == 404, address
    assert client.get(f"/runs/{run.pk}/inspect.eval").json()["detail"] == "No such run has ended."


def test_a_person_who_plays_a_task_gets_no_log_of_it(client: Client, cast: Cast) -> None:
    one, two = cast.add_tasks(2)
    alice = cast.alice()
    cast.add_run(alice, one, 1)
    cast.add_run(alice, two, 1)
    own = cast.add_run(cast.add_agent("Ann", "person"), one, 1, state="running", outcome="")
    user = User.objects.create_user("ann")
    PlaySession.objects.create(run=own, user=user)
    client.force_login(user)

    log = content(client, f"/evaluations/{cast.evaluation.pk}/inspect/alice.eval")

    assert sample_names(log) == ["samples/harbour/tide-2_epoch_1.json"]


@pytest.fixture
def one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """One export at a time."""
    monkeypatch.setattr(export_pages, "_places", export_pages.Places(1))


@pytest.mark.usefixtures("one_place")
def test_too_many_exports_at_once_are_refused(client: Client, cast: Cast) -> None:
    first = client.get("/exports/runs.jsonl")
    second = client.get("/exports/runs.jsonl")

    assert (second.status_code, second.headers["Retry-After"]) == (503, "30")
    assert b"".join(first) == b""
    assert b"".join(client.head("/exports/runs.jsonl")) == b""
    assert lines(client) == []  # the one place was given back twice


def test_one_address_does_not_take_all_places(
    client: Client, cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/exports/runs.jsonl"
    monkeypatch.setattr(export_pages, "_places", export_pages.Places())
    held = [client.get(path) for _ in range(export_pages.MAX_AT_ONCE)]
    other = client.get(path, REMOTE_ADDR="127.0.0.2")

    assert [response.status_code for response in held] == [200, 200, 503]
    assert other.status_code == 200
    for response in (*held[:2], other):
        b"".join(response)
    again = [client.get(path) for _ in range(3)]
    assert [response.status_code for response in again] == [200, 200, 503]


def test_a_stream_that_is_deleted_gives_its_place_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_pages, "_places", export_pages.Places(1))
    assert export_pages._places.take("127.0.0.1")
    stream = export_pages.Stream((part for part in [b"1"]), "127.0.0.1")
    assert not export_pages._places.take("127.0.0.1")
    del stream
    assert export_pages._places.take("127.0.0.1")


def test_files_are_named_after_their_evaluation(client: Client, cast: Cast) -> None:
    named = client.head("/exports/runs.parquet?evaluation=spring-tide")
    plain = client.head("/exports/runs.jsonl?evaluation=%22;x")
    assert b"".join([*named, *plain]) == b""  # read to their ends, so that they give their places back

    assert named.headers["Content-Disposition"] == 'attachment; filename="runs-spring-tide.parquet"'
    assert plain.headers["Content-Disposition"] == 'attachment; filename="runs.jsonl"'
    assert os.fspath(named.headers["Content-Type"]) == "application/vnd.apache.parquet"
