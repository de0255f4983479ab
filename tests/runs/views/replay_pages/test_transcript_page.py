"""A run on pages to read from top to bottom."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from runs.models import Run
from runs.views.replay_pages.transcript_page import MAX_BYTES, MAX_STEPS, pages_of
from tests.markup import compact
from tests.runs.cast import Cast, record
from tests.runs.data.replay.tapes import edit, step, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)


def page(client: Client, run: Run, query: str = "") -> str:
    response = client.get(f"/runs/{run.pk}/transcript/{query}")
    assert response.status_code == 200
    return compact(response.content.decode())


def numbers(shown: str) -> list[int]:
    return [int(number) for number in re.findall(r'<article class="step" id="step-(\d+)"', shown)]


def test_shows_what_was_said_called_returned_and_changed(client: Client, run: Run) -> None:
    record(run)
    shown = page(client, run)

    assert numbers(shown) == list(range(1, 9))
    for text in ("Mend the tide.", "There is no file moon.py.", "return hour % 12", "✕ failed", "5 passed"):
        assert text in shown
    assert "\x1b" not in shown
    assert f'<a href="/runs/{run.pk}/?step=5">alone</a>' in shown
    assert '<a href="#step-5">link</a>' in shown


@pytest.mark.parametrize(("text", "said"), [("", "empty"), ("\n", "white space alone")])
def test_an_argument_or_a_result_that_cannot_be_seen_is_named_here_and_beside_its_step(
    client: Client, run: Run, text: str, said: str
) -> None:
    write(run.path, [step(1, "edit", {"old": "tide", "new": text}, result=text)])
    transcript = page(client, run)
    beside = compact(client.get(f"/runs/{run.pk}/?step=1").content.decode())

    assert [
        f'<dt>new</dt><dd><span class="faint">{said}</span></dd>' in shown for shown in (transcript, beside)
    ] == [
        True,
        True,
    ]
    assert f"The result is {said}." in transcript
    assert f"{said.capitalize()}." in beside


def test_folds_long_outputs_and_cuts_what_is_too_long(client: Client, run: Run) -> None:
    write(run.path, [step(1, "ls", result="short"), step(2, "ls", result="<b>long</b>\n" * 4_000)])
    shown = page(client, run)

    assert shown.count('<details class="folded">') == 1
    assert "48,000 characters:" in shown
    assert f"/runs/{run.pk}/steps/2/raw/?part=call-0-result" in shown
    assert "<b>long" not in shown
    assert len(shown) < 250_000


def test_has_pages_of_bounded_length(client: Client, run: Run, django_assert_num_queries: Any) -> None:
    write(run.path, [step(n, "ls") for n in range(1, 451)], [edit(3, "a.py")])
    with django_assert_num_queries(1):
        assert numbers(page(client, run)) == list(range(1, MAX_STEPS + 1))
    last = page(client, run, "?page=3")
    assert numbers(last) == list(range(401, 451))
    assert "Steps 401 to 450 of 450" in last
    assert '<a class="btn" href="?page=2" rel="prev">' in last
    assert 'rel="next"' not in last
    assert numbers(page(client, run, "?step=250"))[0] == 201
    assert client.get(f"/runs/{run.pk}/transcript/?page=4").status_code == 400
    assert client.get(f"/runs/{run.pk}/transcript/?step=x").status_code == 400


def test_a_page_ends_before_it_has_too_many_bytes() -> None:
    half = MAX_BYTES // 2
    assert pages_of([(1, half), (2, half), (3, 1), (4, 9 * MAX_BYTES), (5, 1)]) == [[1, 2], [3], [4], [5]]
    assert pages_of([]) == []


def test_a_run_without_steps_leads_to_what_is_known_of_it(client: Client, run: Run) -> None:
    shown = page(client, run)
    assert "No step was recorded" in shown
    assert f'<a href="/runs/{run.pk}/">What is known of this run</a>' in shown
