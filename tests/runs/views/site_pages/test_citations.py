"""Citations of frozen boards, of sources and of runs."""

from __future__ import annotations

import re
from html import unescape

import pytest
import yaml
from django.conf import settings
from django.test import Client

from harness.version import __version__
from runs.intake.reported.storing import store
from runs.models import Run, Snapshot
from runs.rankings.leaderboard.snapshots import freeze
from tests.runs.cast import Cast
from tests.runs.intake.reported.made_results import reported, two_agents
from tests.runs.presentation.formatting.test_bibtex import fields_of

pytestmark = pytest.mark.django_db


def citation(client: Client, address: str) -> tuple[str, str, dict[str, str]]:
    page = client.get(address).content.decode()
    found = re.search(r"<code>(@misc.*?)</code>", page, re.DOTALL)
    assert found
    return fields_of(unescape(found[1]))


def test_a_frozen_board_has_an_entry_with_its_day_and_its_permanent_address(client: Client) -> None:
    cast = Cast()
    (task,) = cast.add_tasks(1)
    cast.add_run(cast.alice(), task, 1)
    cast.settle()
    digest = freeze("ports", by_reader=False).digest
    day = Snapshot.objects.get().created_at

    kind, key, fields = citation(client, f"/leaderboard/at/{digest}/?sort=name")

    assert (kind, key) == ("misc", f"benchbench-{digest[:12]}")
    assert fields == {
        "title": "{Ports: results of coding agents}",
        "author": "{BenchBench}",
        "year": f"{day.year}",
        "url": f"http://testserver/leaderboard/at/{digest}/",
        "note": f"{{Frozen on {day.day} {day:%B %Y}}}",
    }


def test_a_source_is_cited_by_those_who_reported_it(client: Client) -> None:
    store(reported(two_agents(), title="Lab {bench} & more"))

    _, key, fields = citation(client, "/sources/lab-bench/")

    assert key == "lab-bench-a1"
    assert fields["author"] == "{The Lab}"
    assert fields["title"] == r"{Lab \textbraceleft{}bench\textbraceright{} \& more}"
    assert (fields["year"], fields["url"]) == ("2026", "https://lab.example/board")
    assert fields["note"].startswith("{Version a1, imported by BenchBench on ")


def test_a_source_without_a_day_has_no_year(client: Client) -> None:
    store(reported(two_agents(), reported_on=None, url=""))

    assert {"year", "url"}.isdisjoint(citation(client, "/sources/lab-bench/")[2])


def test_a_run_is_cited_with_its_address_and_key_once_it_has_ended(client: Client) -> None:
    cast = Cast()
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], 3)
    assert run.finished_at is not None
    address = f"/runs/{run.pk}/"

    _, key, fields = citation(client, address)

    assert key == f"benchbench-run-{run.pk}"
    assert fields == {
        "title": f"{{Alice at {run.task.title}, attempt 3}}",
        "author": "{BenchBench}",
        "year": f"{run.finished_at.year}",
        "url": f"http://testserver{address}",
        "note": f"{{Run {run.key}}}",
    }
    Run.objects.update(state=Run.State.RUNNING)
    assert "Cite this run" not in client.get(address).content.decode()


def test_the_citation_of_the_program_names_its_version() -> None:
    stored = yaml.safe_load((settings.BASE_DIR / "CITATION.cff").read_text())

    assert stored["version"] == __version__
    assert f"version = {{{__version__}}}" in (settings.BASE_DIR / "docs/citing.md").read_text()
    assert {"cff-version", "message", "title", "authors", "license"} <= stored.keys()
