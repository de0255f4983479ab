"""Patterns of exploits as the replay shows them."""

from __future__ import annotations

import json

import pytest
from django.test import Client

from runs.analysis import behaviour
from runs.analysis.exploits.exploit_patterns import STRENGTHS
from runs.analysis.facts import Behaviour, Exploit, Signs
from runs.analysis.failures.modes import MODES
from runs.models import Counts, Run, RunExploit
from runs.views.replay_pages.trouble_signs import (
    ExploitMarks,
    Sign,
    SignsView,
    exploit_marks,
    signs_of,
    suspected_exploits,
)
from tests.runs.cast import Cast
from tests.runs.data.replay.tapes import step, write

pytestmark = pytest.mark.django_db


def test_the_first_steps_are_shown_in_the_order_of_the_list() -> None:
    network, tests = suspected_exploits(
        {"weakened_tests": Exploit("success"), "network": Exploit("attempt", tuple(range(1, 16)))}
    )
    assert (network.pattern.slug, network.steps, network.more) == ("network", tuple(range(1, 13)), 3)
    assert (tests.pattern.slug, tests.steps, tests.more) == ("weakened_tests", (), 0)
    assert [one.is_flagged for one in (network, tests)] == [False, True]
    assert tests.meaning == STRENGTHS["success"]


def test_an_unknown_pattern_is_not_shown() -> None:
    assert suspected_exploits({"of_another_version": Exploit("success")}) == ()


def test_each_step_is_marked_with_all_its_patterns() -> None:
    marks = exploit_marks(
        {"network": Exploit("attempt", (3, *range(20, 40))), "special_cases": Exploit("success", (3, 2))}
    )
    assert list(marks.by_step) == [2, 3, *range(20, 40)]
    assert marks.words(3) == "Fetched code from the network (attempt); Special cases for tests (success)"
    assert [marks.is_flagged(number) for number in (2, 3, 20, 99)] == [True, True, False, False]
    assert marks.words(99) == ""
    assert exploit_marks({"special_cases": Exploit("success")}) == ExploitMarks()


class TestStepsOfAReplay:
    @pytest.fixture
    def run(self, cast: Cast) -> Run:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        write(run.path, [step(number, "read_file", {"path": "a.py"}) for number in range(1, 7)])
        found = Behaviour(
            exploits={"network": Exploit("attempt", (2, 5)), "grader": Exploit("success", (5,))}
        )
        stored = json.dumps(behaviour.to_json(found))
        Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=stored)
        for pattern, one in found.exploits.items():
            RunExploit.objects.create(run=run, pattern=pattern, strength=one.strength)
        return run

    @pytest.mark.django_db
    def test_are_marked_in_the_strip_the_outline_and_the_step(self, run: Run, client: Client) -> None:
        page = client.get(f"/runs/{run.pk}/?step=2").content.decode()
        first = "suspected exploit: Fetched code from the network (attempt)"
        both = first.replace("Fetched", "Looked for the grader, or changed it (success); Fetched")
        assert page.count(f'title="{first}">⚐<') == 1
        assert page.count(f'title="{both}">⚑<') == 1
        assert page.count("triangles above suspected exploits") == 1
        assert 'class="suspected" d="M82.4 -8h14l-7 7zM269.9 -8h14l-7 7z"' in page
        assert page.count('aria-label="Suspected exploit"') == 1
        assert page.count('href="#exploit-network"') == page.count('id="exploit-network"') == 1
        assert 'Next in <a href="?step=5" data-step="5">' in page

    @pytest.mark.django_db
    def test_are_marked_in_the_parts_that_are_loaded_later(self, run: Run, client: Client) -> None:
        rows = client.get(f"/runs/{run.pk}/steps/?first=1&most=2").content.decode()
        assert (rows.count("⚐"), rows.count("⚑")) == (1, 0)
        parts = [client.get(f"/runs/{run.pk}/steps/{number}/").content.decode() for number in (1, 5)]
        assert ['data-next-exploit="2"' in parts[0], 'data-next-exploit=""' in parts[1]] == [True, True]
        assert [part.count("what it means") for part in parts] == [0, 2]

    @pytest.mark.django_db
    def test_are_not_marked_before_the_run_is_counted_and_are_after(self, run: Run, client: Client) -> None:
        Counts.objects.filter(run=run).update(version=0)
        address = f"/runs/{run.pk}/steps/5/"
        before = client.get(address)
        Counts.objects.filter(run=run).update(version=behaviour.VERSION)
        after = client.get(address, headers={"if-none-match": before["ETag"]})
        assert ("Suspected" in before.content.decode(), after.status_code) == (False, 200)
        assert "Suspected exploit" in after.content.decode()


@pytest.mark.django_db
def test_the_replay_links_the_steps_and_names_honest_causes(cast: Cast, client: Client) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    found = Behaviour(exploits={"network": Exploit("attempt", (3,)), "special_cases": Exploit("success")})
    Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=json.dumps(behaviour.to_json(found)))

    page = client.get(f"/runs/{run.pk}/").content.decode()

    assert "Suspected exploits of the benchmark" in page
    assert 'href="?step=3" data-step="3"' in page
    assert page.count("Honest causes:") == 2
    assert 'href="/runs/?exploit=network"' in page
    assert "does not say which step made the change" in page


@pytest.mark.django_db
def test_a_run_without_any_has_no_such_part(cast: Cast, client: Client) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    Counts.objects.create(
        run=run, version=behaviour.VERSION, behaviour=json.dumps(behaviour.to_json(Behaviour()))
    )
    assert "Suspected exploits" not in client.get(f"/runs/{run.pk}/").content.decode()


@pytest.fixture
def run(cast: Cast) -> Run:
    return cast.add_run(cast.alice(), cast.add_tasks(1)[0])


def count(run: Run, **fields: object) -> None:
    """Stores the counts of the run's trajectory."""
    found = behaviour.to_json(Behaviour(labels="ppp", **fields))  # type: ignore[arg-type]
    Counts.objects.create(run=run, version=behaviour.VERSION, behaviour=json.dumps(found))


def test_signs_are_found_undecided_or_absent(run: Run) -> None:
    first, second, third = MODES[:3]
    signs = Signs({third.slug: (), first.slug: tuple(range(1, 15))}, {second.slug: "no  reference\npatch"})
    count(run, signs=signs, features={"first_correct_edit": 4.0})

    found = signs_of(run)

    assert found == SignsView(
        found=(Sign(first, tuple(range(1, 13)), more=2), Sign(third, (), more=0)),
        undecided=((second, "no reference patch"),),
        absent=len(MODES) - 3,
        right_file=4,
    )
    assert [one.count for one in found.found] == [14, 0]


def test_exploits_stand_beside_the_signs(run: Run) -> None:
    count(run, exploits={"network": Exploit("attempt", (3,))})
    found = signs_of(run)
    assert found is not None
    assert [(one.pattern.slug, one.strength, one.steps) for one in found.exploits] == [
        ("network", "attempt", (3,))
    ]


def test_an_uncounted_run_has_a_reason(run: Run) -> None:
    assert signs_of(run) == SignsView(reason="its trajectory has not been counted yet")


def test_without_the_right_file_there_is_no_iteration(run: Run) -> None:
    count(run)
    found = signs_of(run)
    assert found is not None
    assert (found.right_file, found.absent, found.reason) == (None, len(MODES), "")


def test_a_run_without_a_verdict_has_no_signs(cast: Cast) -> None:
    lost = cast.add_run(cast.alice(), cast.add_tasks(1)[0], outcome=Run.Outcome.INFRASTRUCTURE_FAILED)
    assert signs_of(lost) is None
