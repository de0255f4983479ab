"""Stated targets and expectations against changes and results."""

from __future__ import annotations

import time

import pytest

from runs.analysis.trajectories.intents import Intents, expects_success, intents, targets_in
from tests.runs.analysis.made_traces import MadeCall, Move, call, changed, read, trace

DIFF = "@@ -1 +1 @@ def level(hour):\n-    return 0\n+    return tide_at(hour)\n"


def explained(text: str, path: str = "src/tide.py", *, landed: bool = True) -> Move:
    """An edit of `path` with this explanation."""
    done = MadeCall("edit_file", {"path": path, "explanation": text}, ok=landed)
    return Move((done,), (changed(path, diff=DIFF),) if landed else ())


@pytest.mark.parametrize(
    ("text", "files", "symbols"),
    [
        ("Mend src/tide.py.", {"src/tide.py"}, set()),
        ("Let `level` call tide_at and Moon.phaseOf()", set(), {"level", "tide_at", "phaseOf"}),
        ("Raise the level, e.g. at noon; see __init__ of it", set(), set()),
        ("Change the Makefile", {"Makefile"}, set()),
        ("`tide.py`: `self.sea_level`", {"tide.py"}, {"sea_level"}),
    ],
)
def test_files_have_a_suffix_or_the_name_of_the_target_and_symbols_look_like_code(
    text: str, files: set[str], symbols: set[str]
) -> None:
    found = targets_in(text, ["build/Makefile"])
    assert (set(found.files), set(found.symbols)) == (files, symbols)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Run the tests; they should pass.", True),
        ("I expect a list of files.", True),
        ("The new test should fail before the change.", False),
        ("Run it; I expect the tests to fail.", False),
        ("Print the expected output.", None),
        ("Read the file.", None),
    ],
)
def test_an_expectation_has_a_cue_and_expects_success_unless_it_mentions_failure(
    text: str, expected: bool | None
) -> None:
    assert expects_success(text) is expected


def test_a_target_is_hit_if_the_edit_changed_the_file_or_its_diff_has_the_symbol() -> None:
    found = intents(trace(explained("In tide.py, `level` uses tide_at, not moon_at, see moon.py")))
    assert found == Intents(explained=1, targets=5, hit=3)


def test_a_path_is_named_by_its_end_or_with_the_workspace_before_it() -> None:
    assert intents(trace(explained("Mend /app/src/tide.py"))).hit == 1
    assert intents(trace(explained("Mend src/tide.py"))).hit == 1
    assert intents(trace(explained("Mend old/tide.py"))).hit == 0


def test_an_edit_that_did_not_land_hits_nothing_and_a_read_has_no_targets() -> None:
    failed = explained("Mend tide.py", landed=False)
    looked = call("read_file", path="tide.py", explanation="Look at tide.py")
    assert intents(trace(failed, looked)) == Intents(explained=2, targets=1, hit=0)


def test_an_expectation_is_met_if_tool_and_command_end_so() -> None:
    def ran(content: str, text: str, ok: bool | None = True) -> Move:
        return call("run_terminal_cmd", ok, content, command="make test", explanation=text)

    good, bad, hope = "exit code: 0\n", "exit code: 2\n", "It should work."
    assert intents(trace(ran(good, hope), ran(bad, hope), ran("", hope, ok=None))).met == 1
    assert intents(trace(ran(bad, "It should fail."), ran(good, "It should fail."))).met == 1
    assert intents(trace(call("read_file", ok=False, path="a", explanation=hope))).expectations == 1


def test_without_explanations_nothing_is_counted() -> None:
    odd = call("edit_file", path="a.py", explanation=["no text"])
    assert intents(trace(read("a.py"), odd, call("edit_file", path="a.py", explanation=" "))) == Intents()


def test_hostile_explanations_take_linear_time() -> None:
    before = time.perf_counter()
    intents(trace(*[explained(text * 50_000) for text in ("a", "a.", "`", "_a", "./", "aA", "() ")]))
    assert time.perf_counter() - before < 1
