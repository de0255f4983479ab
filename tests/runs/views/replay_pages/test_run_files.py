"""Files of a run: screenshots, the patch and the log."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client

from harness.records import ToolCall, ToolResult
from runs.intake.reported.reading import read_trajectories
from runs.intake.reported.storing import store
from runs.models import Run
from tests.harness.worlds import png
from tests.runs.cast import Cast, record, recorder_of
from tests.runs.intake.reported.forms.test_terminal_bench_runs import CAST, GIVEN, with_trial
from tests.runs.intake.reported.step_readers.tool_files import atif, written
from tests.runs.intake.reported.test_original_files import unpacked

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def test_the_patch_and_the_log_are_plain_text(admin_client: Client, run: Run) -> None:
    for part, text in [("patch", b"+    return hour % 12"), ("log", b"collected 5 items")]:
        response = admin_client.get(f"/runs/{run.pk}/{part}/")
        assert text in response.content
        assert response["Content-Type"] == "text/plain; charset=utf-8"
        assert response["X-Content-Type-Options"] == "nosniff"


def test_the_log_is_for_operators(client: Client, run: Run) -> None:
    clerk = User.objects.create_user("clerk", is_staff=True)
    clerk.user_permissions.set(Permission.objects.filter(codename__in=["view_run", "view_hidden"]))
    assert client.get(f"/runs/{run.pk}/log/").status_code == 404
    client.force_login(clerk)
    assert client.get(f"/runs/{run.pk}/log/").status_code == 404


def test_the_file_of_an_imported_trajectory_is_for_operators(
    client: Client, admin_client: Client, tmp_path: Path
) -> None:
    store(read_trajectories(written(tmp_path / "a.json", atif()), {}))
    run = Run.objects.get()
    address = f"/runs/{run.pk}/original/"
    response = admin_client.get(address)
    assert json.loads(b"".join(response)) == atif()
    assert response["Content-Disposition"] == 'attachment; filename="a.json"'
    assert client.get(address).status_code == 404
    for reader, offered in ((client, False), (admin_client, True)):
        shown = page(reader, f"/runs/{run.pk}/")
        assert "Read from a file of ATIF" in shown
        assert (address in shown) is offered


def test_several_files_of_an_imported_trajectory_are_one_zip_file(
    admin_client: Client, tmp_path: Path
) -> None:
    trial = with_trial(tmp_path / "in", sessions__agent_cast=CAST, commands_txt="['ls']")
    store(read_trajectories(trial, GIVEN))
    response = admin_client.get(f"/runs/{Run.objects.get().pk}/original/")
    assert response["Content-Disposition"] == 'attachment; filename="hello-world.1-of-2.run.zip"'
    (tmp_path / "got.zip").write_bytes(b"".join(response))
    home = "hello-world/hello-world.1-of-2.run"
    assert unpacked(tmp_path / "got.zip") == {
        f"{home}/commands.txt": b"['ls']",
        f"{home}/sessions/agent.cast": CAST.encode(),
    }


def test_a_run_of_this_site_has_no_other_file(admin_client: Client, run: Run) -> None:
    assert admin_client.get(f"/runs/{run.pk}/original/").status_code == 404


def test_screenshots_are_below_the_result_of_their_call(client: Client, cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    recorder = recorder_of(run)
    shot = recorder.artifact(png())
    hostile = ('x" onerror=alert(1)', "../../../etc/passwd", "/runs/1/log/")
    recorder.step(
        "agent",
        "I look.",
        calls=[ToolCall("c", "ui_test", {"actions": [{"action": "click"}, {"action": "screenshot"}, 7]})],
        results=[ToolResult("c", "picture 1", True, 1.0, (shot, *hostile))],
    )
    shown = page(client, f"{run.get_absolute_url()}?step=1")
    address = f"/runs/{run.pk}/artifacts/{shot}"
    assert '<em class="run">ui_test</em> click, screenshot' in shown
    assert shown.count("<img") == 1
    assert f'<a href="{address}"><img src="{address}" alt="Screenshot 1 of ui_test"' in shown
    assert "taken by <span" in shown

    response = client.get(address)
    assert response.content == png()
    assert response["Content-Type"] == "image/png"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


@pytest.mark.parametrize(
    "name", ["nope.png", "..%2ftrajectory.jsonl", "%2e%2e/trajectory.jsonl", "page.png", "link.png"]
)
def test_only_pictures_of_the_run_are_served(client: Client, run: Run, name: str) -> None:
    artifacts = run.path / "artifacts"
    artifacts.mkdir()
    (artifacts / "page.png").write_bytes(b"<script>alert(1)</script>")
    (run.path / "outside.png").write_bytes(png())
    (artifacts / "link.png").symlink_to(run.path / "outside.png")
    assert client.get(f"/runs/{run.pk}/artifacts/{name}").status_code == 404
