"""The page of a file after a step, and the files that it never shows."""

from __future__ import annotations

import json
import re

import pytest
from django.conf import settings
from django.test import Client

from harness.dataset import load_dataset
from harness.records import FileEdit
from runs.models import Run
from tasks.models import Task
from tests.markup import compact
from tests.runs.cast import Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db

EVIL = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>' onmouseover='x"


@pytest.fixture(scope="module")
def digest() -> str:
    """Of the task as it lies in the project."""
    starter = load_dataset(settings.DATASETS_ROOT / "starter")
    return starter.repository("netflow").task("decode-ipv6").digest


@pytest.fixture
def run(digest: str) -> Run:
    """On a real task: steps 1 and 4 read, 2 adds a file, 3 changes one of the source."""
    cast = Cast()
    cast.dataset.directory = "datasets/starter"
    cast.dataset.save()
    (task,) = cast.add_tasks(1, cast.add_repository("netflow", "Netflow"))
    task.slug, task.digest = "decode-ipv6", digest
    task.save()
    run = cast.add_run(cast.alice(), task)
    recorder = recorder_of(run)
    act(recorder, "read_file", {"path": "netflow/errors.py"}, "partial")
    new = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+import os\n+x = 1\n"
    act(recorder, "write_file", {"path": "new.py"}, edits=[FileEdit("new.py", "added", 2, 0, diff=new)])
    change = "--- a/new.py\n+++ b/new.py\n@@ -1,2 +1,2 @@\n import os\n-x = 1\n+x = 2\n"
    broken = "--- a/netflow/errors.py\n+++ b/netflow/errors.py\n@@ -1 +1 @@\n-never was there\n+x\n"
    act(
        recorder,
        "run_terminal_cmd",
        {"command": "cat /app/netflow/errors.py"},
        edits=[
            FileEdit("new.py", "modified", 1, 1, diff=change),
            FileEdit("netflow/errors.py", "modified", 1, 1, diff=broken),
        ],
    )
    act(recorder, "read_file", {"path": "gone.py"}, "     1\tshown = 1")
    return run


def page(client: Client, run: Run, step: int, path: str, status: int = 200) -> str:
    response = client.get(f"/runs/{run.pk}/steps/{step}/file", {"path": path})
    assert response.status_code == status, response.content.decode()[:2000]
    return compact(response.content.decode())


def test_a_file_of_the_source_is_shown_as_at_the_start(client: Client, run: Run) -> None:
    shown = page(client, run, 1, "netflow/errors.py")

    assert "As it stood after step 1." in shown
    assert "the task's source, as the workspace began" in shown
    assert '<span class="t-key">class</span>' in shown
    same = page(client, run, 1, "/app/netflow/errors.py")
    assert same.split("<main", 1)[1] == shown.split("<main", 1)[1]


def test_lines_written_by_the_step_are_marked(client: Client, run: Run) -> None:
    shown = page(client, run, 3, "new.py")

    assert '<a href="#L2">1 marked line</a>' in shown
    assert shown.count('<tr class="added"') == 1
    assert '<tr class="added" id="L2"' in shown
    assert "step 2</a>, which added it, and the recorded changes since" in shown
    assert "1</span>" in page(client, run, 2, "new.py")


def test_a_change_that_does_not_apply_is_reported_with_the_last_known_text(client: Client, run: Run) -> None:
    shown = page(client, run, 3, "netflow/errors.py")

    assert "As it stood before step 3, the last state that is certain." in shown
    assert "the lines that it replaces are not in the file" in shown
    assert '<tr class="added"' not in shown


def test_a_completely_shown_file_is_enough(client: Client, run: Run) -> None:
    shown = page(client, run, 4, "gone.py")

    assert "step 4</a>, which showed all of it" in shown
    assert "shown" in shown


@pytest.mark.parametrize(
    "path",
    [
        "netflow/flows.py",
        "tests/hidden/test_decode_ipv6.py",
        "reference.diff",
        "tasks/decode-ipv6/reference.diff",
        "Dockerfile",
    ],
)
def test_only_files_that_were_changed_or_shown_have_a_page(client: Client, run: Run, path: str) -> None:
    assert "no step up to here changed this file" in page(client, run, 2, path, 404)


@pytest.mark.parametrize(
    "path",
    ["../tasks/decode-ipv6/reference.diff", "tasks/../../dataset.toml", "..", ".", "", "/etc/passwd", ".git/config",
     "a\0b", "/app", "/app/../tasks", "x" * 300, "netflow/.git/HEAD"],
)  # fmt: skip
def test_paths_outside_the_workspace_are_refused(client: Client, run: Run, path: str) -> None:
    page(client, run, 1, path, 400)


@pytest.mark.parametrize(
    "path", ["tests/hidden/test_decode_ipv6.py", "../run_tests.sh", "tasks/decode-ipv6/reference.diff"]
)
def test_hidden_files_are_never_shown(client: Client, run: Run, path: str) -> None:
    recorder_path = run.path / "edits.jsonl"
    edit = {"path": path, "change": "modified", "added": 0, "removed": 0, "diff": ""}
    with recorder_path.open("a") as file:
        file.write(json.dumps({"step_id": 4, "files": [edit]}) + "\n")

    shown = client.get(f"/runs/{run.pk}/steps/4/file", {"path": path})

    assert shown.status_code in {400, 404}
    assert b"canary" not in shown.content


def test_a_missing_or_changed_dataset_is_reported(client: Client, run: Run) -> None:
    (run.path / "run_summary.json").write_text(json.dumps({"identity": {"task_digest": "e" * 64}}))
    assert "the dataset has changed since this run" in page(client, run, 1, "netflow/errors.py", 404)

    (run.path / "run_summary.json").write_text("[" * 10)
    Task.objects.filter(pk=run.task_id).update(digest="f" * 64)
    assert "not on this machine, or has changed" in page(client, run, 1, "netflow/errors.py", 404)
    assert "As it stood after step 3" in page(client, run, 3, "new.py")
    for step, names in ((1, []), (2, ["new.py"]), (3, ["new.py"]), (4, ["gone.py"])):
        shown = client.get(f"/runs/{run.pk}/?step={step}").content.decode()
        assert re.findall(rf"/runs/{run.pk}/steps/{step}/file\?path=([^\"&]+)", shown) == names


def test_missing_runs_and_steps_have_no_files(client: Client, run: Run) -> None:
    page(client, run, 99, "new.py", 404)
    assert client.get(f"/runs/{run.pk + 1}/steps/1/file?path=new.py").status_code == 404


def test_files_of_hidden_datasets_are_for_operators_only(
    client: Client, admin_client: Client, run: Run
) -> None:
    dataset = run.task.repository.dataset
    dataset.hidden = True
    dataset.save()

    page(client, run, 2, "new.py", 404)
    page(admin_client, run, 2, "new.py")


def test_a_long_file_is_shown_in_windows(client: Client, run: Run) -> None:
    lines = "".join(f"+line {n}\n" for n in range(1, 2501))
    diff = f"--- /dev/null\n+++ b/long.txt\n@@ -0,0 +1,2500 @@\n{lines}"
    act_again = FileEdit("long.txt", "added", 2500, 0, diff=diff)
    with (run.path / "edits.jsonl").open("a") as file:
        file.write(json.dumps({"step_id": 4, "files": [vars_of(act_again)]}) + "\n")

    shown = page(client, run, 4, "long.txt")
    assert shown.count("<tr class") == 1000
    assert 'first=1001">Later lines' in shown
    last = compact(
        client.get(f"/runs/{run.pk}/steps/4/file", {"path": "long.txt", "first": "2001"}).content.decode()
    )
    assert last.count("<tr class") == 500
    assert 'first=1001">Earlier lines' in last


def vars_of(edit: FileEdit) -> dict[str, object]:
    return {name: getattr(edit, name) for name in ("path", "change", "added", "removed", "diff")}


def test_markup_in_a_file_stays_text(client: Client) -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    record(run)
    diff = f"--- /dev/null\n+++ b/evil.html\n@@ -0,0 +1 @@\n+{EVIL}\x1b[31m\u202e\n"
    with (run.path / "edits.jsonl").open("a") as file:
        file.write(
            json.dumps({"step_id": 7, "files": [vars_of(FileEdit("evil.html", "added", 1, 0, diff=diff))]})
            + "\n"
        )

    shown = page(client, run, 7, "evil.html")

    assert "<script>alert" not in shown
    assert "<img src=x" not in shown
    assert "' onmouseover='" not in shown
    assert "\x1b" not in shown
    assert "⟨U+202E⟩" in shown
