"""The frame of a replay: outline, filters, search, strip, live updates and browser caching."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from harness.records import UserTurn
from runs.models import Run
from tests.markup import compact
from tests.runs.cast import Cast, act, record, record_dialogue, recorder_of
from tests.runs.data.replay.tapes import edit, step, write

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(cast: Cast) -> Run:
    """Steps: system, user, read, search, edit, failed read, command, last words."""
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run)
    return run


@pytest.fixture
def long_run(cast: Cast) -> Run:
    run = cast.add_run(cast.bob(), cast.add_tasks(1, start=2)[0], passed=4)
    tools = ("read_file", "edit_file")
    steps = [
        step(n, tools[n % 2], {"path": f"m{n % 7}.py"}, result=f"line {n}", ok=n % 100 != 0)
        for n in range(1, 1201)
    ]
    write(run.path, steps, [edit(n, f"m{n % 7}.py") for n in range(1, 1201, 2)])
    return run


def page(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200, address
    return compact(response.content.decode())


def rows(shown: str) -> list[int]:
    """The numbers of the steps in the outline."""
    listed = re.search(r"<ol data-rows.*?</ol>", shown, re.DOTALL)
    return [int(number) for number in re.findall(r'data-step="(\d+)"', listed[0])] if listed else []


def current(shown: str) -> int:
    found = re.search(r'data-pane data-number="(\d+)"', shown)
    assert found
    return int(found[1])


class TestTheOutline:
    def test_marks_edits_failures_and_repeated_reads(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        read = ("read_file", {"path": "a.py"})
        write(run.path, [step(1, *read), step(2, *read, ok=False), step(3, *read)], [edit(1, "b.py")])
        shown = page(client, run.get_absolute_url())
        assert 'data-step="1" data-edit' in shown
        assert 'title="changed the workspace: +1 −1 lines"' in shown
        assert 'data-step="2" data-failed' in shown
        assert shown.count('class="again"') == 1

    def test_says_that_nothing_is_recorded_of_a_response(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        write(run.path, [{**step(1), "message": ""}, step(2), {**step(3, "ls"), "message": ""}])
        assert page(client, run.get_absolute_url()).count("<i>no text recorded</i>") == 1

    def test_distinguishes_failed_commands_from_failed_calls(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        make = step(
            1, "run_terminal_cmd", {"command": "make test"}, result="exit code 2 after 0.2 s\nError 1"
        )
        write(run.path, [make])
        shown = page(client, run.get_absolute_url())
        assert 'title="exit code 2">!<span class="sr"> exit code 2</span>' in shown
        assert "data-failed" not in shown
        assert '<path class="ended"' in shown
        assert rows(page(client, f"{run.get_absolute_url()}?errors=1")) == [1]

    def test_has_a_window_around_the_step(self, client: Client, long_run: Run) -> None:
        shown = page(client, f"{long_run.get_absolute_url()}?step=600")
        assert rows(shown) == list(range(561, 641))
        assert 'data-first="560" data-total="1200"' in shown
        assert 'href="?step=560" data-more>earlier steps' in shown
        assert 'href="?step=641" data-more>later steps' in shown
        assert rows(page(client, f"{long_run.get_absolute_url()}?step=1")) == list(range(1, 81))
        assert rows(page(client, f"{long_run.get_absolute_url()}?step=1200"))[-1] == 1200

    def test_of_a_long_run_has_the_size_of_its_window(self, client: Client, long_run: Run) -> None:
        assert len(page(client, f"{long_run.get_absolute_url()}?step=600")) < 80_000

    def test_returns_any_other_window(self, client: Client, long_run: Run) -> None:
        address = f"/runs/{long_run.pk}/steps/"
        assert rows(page(client, f"{address}?first=1140&most=60")) == list(range(1141, 1201))
        assert rows(page(client, f"{address}?first=5000")) == []
        assert rows(page(client, f"{address}?first=1&most=2&errors=1")) == [200, 300]
        for wrong in ("first=-1", "first=x", "most=0", "most=10000"):
            assert client.get(f"{address}?{wrong}").status_code == 400

    def test_takes_the_same_queries_for_every_length(
        self, client: Client, run: Run, long_run: Run, django_assert_num_queries: Any
    ) -> None:
        for found in (run, long_run):
            # One is for the task of a step that names a file: its source, which is kept once it was found.
            with django_assert_num_queries(9):
                page(client, found.get_absolute_url())
            for address, queries in (("steps/", 2), ("steps/5/", 7), ("live/", 4), ("steps/?q=line", 2)):
                with django_assert_num_queries(queries):
                    page(client, f"/runs/{found.pk}/{address}")


class TestFilters:
    @pytest.mark.parametrize(
        ("query", "numbers"),
        [
            ("tool=read_file", [3, 6]),
            ("tool=kind:run", [7]),
            ("tool=kind:message", [1, 2, 8]),
            ("file=moon", [6]),
            ("errors=1", [6]),
            ("edits=1", [5]),
            ("edits=1&errors=1", []),
            ("q=HOUR", [3, 5]),
            ("q=passed&tool=kind:run", [7]),
        ],
    )
    def test_show_matching_steps_and_select_the_first(
        self, client: Client, run: Run, query: str, numbers: list[int]
    ) -> None:
        shown = page(client, f"{run.get_absolute_url()}?{query}")
        assert rows(shown) == numbers
        assert current(shown) == (numbers[0] if numbers else 3)

    def test_are_in_the_form_and_in_every_link(self, client: Client, run: Run) -> None:
        shown = page(client, f"{run.get_absolute_url()}?tool=read_file&file=py&errors=1&q=no+file&step=6")
        assert '<option value="read_file" selected>read_file (2)</option>' in shown
        assert 'name="file" value="py"' in shown
        assert 'name="errors" value="1" checked' in shown
        assert 'name="q" value="no file"' in shown
        assert 'href="?tool=read_file&amp;file=py&amp;errors=1&amp;q=no+file&amp;step=6"' in shown

    def test_without_matches_show_a_note(self, client: Client, run: Run) -> None:
        shown = page(client, f"{run.get_absolute_url()}?q=kraken")
        assert "No step matches" in shown
        assert "<b>0</b> of 8 steps" in shown

    def test_show_escaped_excerpts_of_the_search(self, client: Client, cast: Cast) -> None:
        run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
        write(run.path, [step(1, message="x <b>KRAKEN</b>\u202e y")])
        shown = page(client, f"{run.get_absolute_url()}?q=%3Cb%3Ekraken")
        assert "<b>message</b> x <mark>&lt;b&gt;KRAKEN</mark>&lt;/b&gt;⟨U+202E⟩ y" in shown

    @pytest.mark.parametrize(
        "query",
        ["tool=kind:no", "errors=yes", "edits=x", "q=a%00b", "step=0", "step=-1", "step=x", f"step={9**30}"],
    )
    def test_refuse_invalid_values(self, client: Client, run: Run, query: str) -> None:
        for address in (run.get_absolute_url(), f"/runs/{run.pk}/steps/", f"/runs/{run.pk}/steps/3/"):
            if "step=" in query and address != run.get_absolute_url():
                continue
            assert client.get(f"{address}?{query}").status_code == 400

    def test_can_reload_only_the_outline(self, client: Client, run: Run) -> None:
        response = client.get(f"{run.get_absolute_url()}?edits=1&step=3", headers={"x-partial": "outline"})
        part = compact(response.content.decode())
        assert part.startswith('<div class="outline-box" data-part="outline">')
        assert rows(part) == [5]
        whole = page(client, f"{run.get_absolute_url()}?edits=1&step=3")
        assert part.strip() in whole


class TestAStep:
    def test_that_is_missing_is_reported_and_another_is_shown(self, client: Client, run: Run) -> None:
        shown = page(client, f"{run.get_absolute_url()}?step=99")
        assert current(shown) == 3
        assert "There is no step 99 in this run." in shown
        assert client.get(f"/runs/{run.pk}/steps/99/").status_code == 404
        assert client.get(f"/runs/{run.pk}/steps/{9**30}/").status_code == 404

    def test_links_to_its_neighbours(self, client: Client, run: Run) -> None:
        shown = page(client, f"/runs/{run.pk}/steps/4/?tool=read_file")
        expected = {
            "place": 3,
            "rank": 1,
            "previous": 3,
            "next": 5,
            "next-edit": 5,
            "next-error": 6,
            "previous-match": 3,
            "next-match": 6,
        }
        for name, number in expected.items():
            assert f'data-{name}="{number}"' in shown


class TestTheStrip:
    def test_of_a_long_run_stays_small(self, client: Client, long_run: Run) -> None:
        strip = re.search(
            r"<svg class=\"dna dense\".*?</svg>", page(client, long_run.get_absolute_url()), re.DOTALL
        )
        assert strip
        assert len(strip[0]) < 30_000
        assert "5 steps in each bar" in page(client, long_run.get_absolute_url())


class TestLive:
    @pytest.fixture
    def running(self, cast: Cast) -> Run:
        return cast.add_run(
            cast.alice(), cast.add_tasks(1)[0], state=Run.State.RUNNING, outcome="", ending=""
        )

    def test_sends_each_change_once_and_then_the_end(self, client: Client, running: Run) -> None:
        recorder = recorder_of(running)
        act(recorder, "read_file", {"path": "a.py"})
        address = f"/runs/{running.pk}/live/"
        first = client.get(address)
        news = first.json()
        assert (news["last"], news["steps"], news["chosen"], news["live"], news["end"]) == (
            1,
            1,
            1,
            True,
            None,
        )
        seen = {"if-none-match": first["ETag"]}
        assert client.get(address, headers=seen).status_code == 304

        act(recorder, "write_file", {"path": "b.py", "content": "x"})
        second = client.get(address, headers=seen).json()
        assert second["steps"] == 2
        assert ("n 1 model call<" in news["around"], "n 2 model calls" in second["around"]) == (True, True)
        assert client.get(f"{address}?tool=write_file").json()["chosen"] == 1
        assert client.get(f"{address}?q=a.py").json()["chosen"] is None

        Run.objects.filter(pk=running.pk).update(state=Run.State.FINISHED, outcome=Run.Outcome.RESOLVED)
        recorder.patch(b"diff --git a/b.py b/b.py\n")
        last = client.get(address, headers=seen).json()
        assert last["live"] is False
        assert "resolved" in last["head"]
        assert "b.py" in last["end"]

    def test_reports_a_retry(self, client: Client, running: Run) -> None:
        act(recorder_of(running), "read_file", {"path": "a.py"})
        first = client.get(f"/runs/{running.pk}/live/")
        Run.objects.filter(pk=running.pk).update(tries=2, directory=f"{running.key}/try-2")
        again = client.get(f"/runs/{running.pk}/live/", headers={"if-none-match": first["ETag"]}).json()
        assert (again["try"], again["steps"], again["last"]) == (2, 0, 0)


class TestADialogue:
    @pytest.fixture
    def talk(self, cast: Cast) -> Run:
        task = cast.add_workflow("toxic")[0]
        run = cast.add_run(
            cast.alice(),
            task,
            user_ending="user_finished",
            user_turns=2,
            user_prompt_tokens=1850,
            user_completion_tokens=50,
            user_cost_usd=0.003,
        )
        record_dialogue(
            run,
            UserTurn(0, "Player", 900, 30, 0.002, 1.5, 2, "", 2, ("a <b>parrot</b>",), "it said nothing"),
            UserTurn(0, "Player", 950, 20, 0.001, 1.0, 1, "It is <done>."),
        )
        return run

    def test_says_who_speaks(self, client: Client, talk: Run) -> None:
        shown = page(client, talk.get_absolute_url())
        assert re.findall(r'<em class="speaker (\w+)">', shown) == ["user", "agent", "user", "agent"]
        assert "dialogue: <b>user finished</b> after 2 messages of the toxic user" in shown
        assert "user <b>$0.0030</b>, 1,900 tokens, not part of the agent's" in shown
        assert "Why the dialogue ended: It is &lt;done&gt;." in shown

    def test_says_that_the_run_was_graded_and_no_patch(self, client: Client, cast: Cast, talk: Run) -> None:
        coded = cast.add_run(cast.bob(), cast.add_tasks(1)[0])
        record(coded)
        in_container = "This site graded the patch in a second, clean container."
        for run, said in ((talk, "This site graded the run."), (coded, in_container)):
            about = page(client, run.get_absolute_url()).partition("About this run")[2]
            assert re.findall(r"This site graded [^.]*[.]", about) == [said]

    def test_shows_a_turn_of_the_user_with_its_cost(self, client: Client, talk: Run) -> None:
        for address in ("?step=5", "steps/5/"):
            shown = page(client, f"{talk.get_absolute_url()}{address}")
            assert '<span class="chip">Simulated user (toxic)</span>' in shown
            assert "Player · 900 in, 30 out · $0.0020 · asked 2 times" in shown
            assert "in an earlier draft: <q>a &lt;b&gt;parrot&lt;/b&gt;</q>" in shown
            assert (
                '<p class="label">Not checked for new requirements</p><p class="muted">it said nothing'
                in shown
            )
        first = page(client, f"{talk.get_absolute_url()}steps/2/")
        assert '<span class="chip">Simulated user (toxic)</span>' in first
        assert "$" not in first

    def test_names_a_scripted_user_and_an_unknown_cost(self, client: Client, talk: Run) -> None:
        Run.objects.filter(pk=talk.pk).update(user_cost_usd=None)
        assert "user <b>unknown</b> cost, 1,900 tokens" in page(client, talk.get_absolute_url())
        Run.objects.filter(pk=talk.pk).update(user_prompt_tokens=0, user_completion_tokens=0)
        assert "user <b>scripted</b>" in page(client, talk.get_absolute_url())


class TestWhatABrowserMayKeep:
    ADDRESSES = ("", "?step=5", "steps/?first=0", "steps/5/", "steps/5/?edits=1")

    def test_is_revalidated_and_changes_with_the_run(self, client: Client, run: Run) -> None:
        for address in self.ADDRESSES:
            first = client.get(f"/runs/{run.pk}/{address}")
            assert first["Cache-Control"] == "private, no-cache"
            assert "X-Partial" in first["Vary"]
            seen = {"if-none-match": first["ETag"]}
            again = client.get(f"/runs/{run.pk}/{address}", headers=seen)
            assert (again.status_code, again.content) == (304, b"")
            with (run.path / "trajectory.jsonl").open("ab") as file:
                file.write(b"\n")
            assert client.get(f"/runs/{run.pk}/{address}", headers=seen).status_code == 200

    def test_changes_with_named_objects_and_with_the_user(self, client: Client, run: Run) -> None:
        seen = {"if-none-match": client.get(run.get_absolute_url())["ETag"]}
        run.agent.name = "Alice the second"
        run.agent.save()
        renamed = client.get(run.get_absolute_url(), headers=seen)
        assert renamed.status_code == 200
        seen = {"if-none-match": renamed["ETag"]}
        client.force_login(get_user_model().objects.create_user("reader"))
        assert client.get(run.get_absolute_url(), headers=seen).status_code == 200

    def test_is_nothing_while_the_run_goes_on(self, client: Client, run: Run) -> None:
        for state in Run.OPEN:
            Run.objects.filter(pk=run.pk).update(state=state)
            for address in self.ADDRESSES:
                response = client.get(f"/runs/{run.pk}/{address}")
                assert response["Cache-Control"] == "no-store"
                assert "ETag" not in response
