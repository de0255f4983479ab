"""Leaderboards of Aider, which print sums and no results of single tasks."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from runs.data.cells.boards import all_boards
from runs.intake.reported.reading import read_results, read_trajectories
from runs.intake.reported.reported_result import ResultsRefused
from runs.models import Agent, Claim, Evaluation, Run
from tests.markup import compact

BOARD = """\
- dirname: 2026-01-31--ada
  test_cases: 20
  model: ada-1
  edit_format: diff
  pass_rate_1: 10.0
  pass_rate_2: 35.0
  date: 2026-01-31
  total_cost: 1.5000
- test_cases: 20
  model: ben-1
  edit_format: whole
  pass_rate_1: 5.0
  pass_rate_2: 40
  date: 2026-01-30
  total_cost: 0.0
- test_cases: 20
  model: ben-1
  edit_format: diff
  pass_rate_2: 45.0
"""


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "cap_leaderboard.yml"
    path.write_text(BOARD)
    return path


def test_numbers_are_read_digit_for_digit_and_a_cost_of_0_is_unknown(board: Path) -> None:
    found = read_results(board, {})

    assert [tuple(one) for one in found.printed] == [
        ("ada-1", "resolved_percent", "35.0"),
        ("ada-1", "cost_usd_total", "1.5000"),
        ("ben-1 (whole)", "resolved_percent", "40"),
        ("ben-1 (diff)", "resolved_percent", "45.0"),
    ]
    assert (found.results, found.agents) == ((), ())
    source = found.source
    assert (source.slug, source.title, source.reported_by, str(source.reported_on)) == (
        *("aider-cap-leaderboard", "Aider, cap leaderboard", "Aider", "2026-01-31"),
    )


def test_where_there_was_one_try_its_rate_is_the_last_one(board: Path) -> None:
    board.write_text("- {model: ada-1, test_cases: 20, pass_rate_1: 35.0}")

    found = read_results(board, {"version": "1"})

    assert [one.printed for one in found.printed] == ["35.0"]
    assert len(found.source.unknown) == 1  # and no sentence on a second try


def test_they_are_no_trajectories(board: Path) -> None:
    with pytest.raises(ResultsRefused, match="it has results but no trajectory: `import_results` reads it"):
        read_trajectories(board, {})


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("35.0", ".nan", "entry 1, 'pass_rate_2': column 'printed': '.nan' is not a number of at least 0"),
        ("35.0", "[1]", "entry 1: 'pass_rate_2' is not a number"),
        (
            "  edit_format: diff\n  pass_rate_2: 45.0",
            "  edit_format: whole\n  date: 2026-01-30\n  pass_rate_2: 45.0",
            "is there twice",
        ),
        ("ada-1", "''", "entry 1: no 'model'"),
        (
            "model: ada-1",
            "model: &a ada-1\n  other: *a",
            "line 4: aliases, and more than 20 levels, are not read",
        ),
        ("20\n  model: ada-1", "[" * 200_000, "aliases, and more than 20 levels, are not read"),
        ("test_cases: 20\n  model: ada-1", "test_cases: '", "it is not YAML"),
        ("  pass_rate_1: 10.0\n  pass_rate_2: 35.0", "  other: 35.0", "its form is unknown"),
        ("ada-1", "\0", "it is not YAML"),
        ("ada-1", "x" * 2**20, "it has more than 1,048,576 bytes"),
    ],
)
def test_a_broken_file_is_refused_with_its_place(board: Path, old: str, new: str, problem: str) -> None:
    board.write_text(BOARD.replace(old, new, 1))
    with pytest.raises(ResultsRefused) as refused:
        read_results(board, {})
    assert problem in str(refused.value)


@pytest.mark.django_db
def test_a_source_of_printed_numbers_has_a_page_and_no_place_anywhere(board: Path, client: Client) -> None:
    said = StringIO()
    call_command("import_results", str(board), stdout=said)
    call_command("import_results", str(board), stdout=said)
    assert "4 printed numbers of aider-cap-leaderboard" in said.getvalue()
    assert ": known since " in said.getvalue()

    assert (Run.objects.count(), Agent.objects.count(), all_boards().entries) == (0, 0, ())
    assert Claim.objects.filter(agent=None, own=None, own_n=0).count() == Claim.objects.count() == 4
    page = compact(client.get("/sources/aider-cap-leaderboard/").content.decode())
    assert "<b>Printed, not checked:</b> the source has no results of single attempts" in page
    assert '<td class="num" data-name="Printed">1.5000</td>' in page
    assert "agree" not in page.replace("it agrees, differs, or contradicts", "")  # what the method says
    assert 'href="/sources/aider-cap-leaderboard/"' in client.get("/published/").content.decode()

    board.write_text(BOARD.replace("35.0", "36.0"))
    call_command("import_results", str(board), stdout=said)
    assert sorted(Evaluation.objects.values_list("listed", flat=True)) == [False, True]
    assert "36.0" in client.get("/sources/aider-cap-leaderboard/").content.decode()
