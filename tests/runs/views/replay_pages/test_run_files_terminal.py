"""The recording of a run's terminal: its page, its file and its text."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.http import StreamingHttpResponse
from django.test import Client

from runs.models import Run
from runs.views.replay_pages import run_files
from tasks.loading import hide
from tests.runs.cast import Cast, record

pytestmark = pytest.mark.django_db

CAST = (
    '{"version": 2, "width": 80, "height": 24, "idle_time_limit": 1.5}\n'
    '[0.5, "o", "$ ls\\r\\n"]\n[61.0, "o", "<script>alert(1)</script>\\u001b[31m\\r\\n"]\n'
)


@pytest.fixture
def run(cast: Cast) -> Run:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    Path(run.path, "terminal.cast").write_text(CAST)
    return run


def test_the_page_plays_the_recording_and_has_its_text(client: Client, run: Run) -> None:
    response = client.get(f"/runs/{run.pk}/terminal/")
    text = response.content.decode()
    assert "A recording of 1:01, 80 × 24 characters." in " ".join(text.split())
    assert f'data-terminal="/runs/{run.pk}/terminal.cast"' in text
    assert 'data-idle="1.5"' in text
    assert 'data-player="/static/vendor/asciinema-player.min' in text
    assert "$ ls\n&lt;script&gt;alert(1)&lt;/script&gt;\n</pre>" in text


def test_the_page_alone_allows_web_assembly(client: Client, run: Run) -> None:
    page = client.get(f"/runs/{run.pk}/terminal/")["Content-Security-Policy"]
    assert "script-src 'self' 'wasm-unsafe-eval'" in page
    assert "'unsafe-eval'" not in page.replace("'wasm-unsafe-eval'", "")
    assert "wasm" not in client.get(f"/runs/{run.pk}/")["Content-Security-Policy"]


def test_the_replay_leads_to_the_page_where_there_is_a_recording(client: Client, run: Run) -> None:
    link = f'href="/runs/{run.pk}/terminal/"'
    assert link in client.get(f"/runs/{run.pk}/").content.decode()
    Path(run.path, "terminal.cast").unlink()
    assert link not in client.get(f"/runs/{run.pk}/?step=1").content.decode()


def test_the_file_and_its_text_are_sent_in_parts(client: Client, run: Run) -> None:
    file = client.get(f"/runs/{run.pk}/terminal.cast")
    assert isinstance(file, StreamingHttpResponse)
    assert file.getvalue() == CAST.encode()
    assert file["Content-Length"] == str(len(CAST))
    assert file["Content-Type"] == "application/x-asciicast"
    assert file["Content-Disposition"] == f'attachment; filename="run-{run.pk}.cast"'
    text = client.get(f"/runs/{run.pk}/terminal.txt")
    assert isinstance(text, StreamingHttpResponse)
    assert text.getvalue() == b"$ ls\n<script>alert(1)</script>\n"
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    for response in (file, text):
        assert response["X-Content-Type-Options"] == "nosniff"


def test_a_long_recording_is_offered_for_download(
    client: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_files, "MAX_PLAYED", 10)
    monkeypatch.setattr(run_files, "MAX_SHOWN", 3)
    text = client.get(f"/runs/{run.pk}/terminal/").content.decode()
    assert "too long to be played here" in text
    assert "asciinema-player" not in text
    assert "$ l…</pre>" in text


@pytest.mark.parametrize("part", ["terminal/", "terminal.cast", "terminal.txt"])
def test_there_is_no_page_without_a_recording(part: str, client: Client, run: Run) -> None:
    path = Path(run.path, "terminal.cast")
    path.unlink()
    assert client.get(f"/runs/{run.pk}/{part}").status_code == 404
    path.symlink_to("/etc/hostname")
    assert client.get(f"/runs/{run.pk}/{part}").status_code == 404
    Run.objects.filter(pk=run.pk).update(directory="")
    assert client.get(f"/runs/{run.pk}/{part}").status_code == 404


def test_a_damaged_recording_has_no_page_and_its_text_ends(client: Client, run: Run) -> None:
    Path(run.path, "terminal.cast").write_text(CAST + "[]\n")
    assert client.get(f"/runs/{run.pk}/terminal/").status_code == 404
    text = client.get(f"/runs/{run.pk}/terminal.txt")
    assert isinstance(text, StreamingHttpResponse)
    assert (
        text.getvalue()
        .decode()
        .endswith(
            "[the rest of the recording is damaged: it is not an event: a time, a code and a text in a list]\n"
        )
    )


@pytest.mark.parametrize("part", ["terminal/", "terminal.cast", "terminal.txt"])
def test_recordings_of_hidden_datasets_are_not_for_readers(part: str, client: Client, run: Run) -> None:
    hide(run.task.repository.dataset, hidden=True)
    client.force_login(User.objects.create_user("reader"))
    assert client.get(f"/runs/{run.pk}/{part}").status_code == 404
