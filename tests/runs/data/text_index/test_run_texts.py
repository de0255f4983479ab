"""Which texts of a run are searched."""

from __future__ import annotations

import pytest

from runs.data.text_index import run_texts
from runs.data.text_index.run_texts import END, texts_at, texts_of_run
from tests.runs.cast import Cast, act, record, recorder_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    return Cast()


def test_each_kind_of_text_of_a_step_is_told_apart(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0], passed=4)
    record(run, messages={"tests/test_tide.py::test_neap": "the hidden test says kelp"})
    texts = texts_of_run(run)
    assert texts.steps[END]["test"] == "tests/test_tide.py::test_neap"
    assert texts.steps[5]["path"] == "tide.py"
    assert texts.steps[5]["patch"] == "    return 0\n    return hour % 12"
    assert "return hour % 12\n    # done" in texts.steps[5]["command"]
    assert texts.steps[7]["command"].startswith("run_terminal_cmd\nTo see.\npytest -q")
    assert "5 passed" in texts.steps[7]["output"]
    assert texts.steps[8] == {"message": "The tide turns again."}
    assert "kelp" not in str(texts.steps)  # what tests print is for operators
    assert {kind: text for kind, text in texts_at(run, 5).items() if text} == texts.steps[5]


def test_long_texts_are_cut_in_the_middle_and_what_is_left_out_is_counted(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_texts, "MAX_STEP_CHARACTERS", 1_000)
    monkeypatch.setattr(run_texts, "MAX_RUN_CHARACTERS", 1_200)
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    recorder = recorder_of(run)
    act(recorder, "run_terminal_cmd", {"command": "make"}, "begin " + "x" * 5_000 + " end")
    act(recorder, "run_terminal_cmd", {"command": "make"}, "y" * 400)
    texts = texts_of_run(run)
    assert list(texts.steps) == [1]
    assert texts.steps[1]["output"].startswith("begin x")
    assert texts.steps[1]["output"].endswith("x end")
    whole = sum(len(text) for number in (1, 2) for text in texts_at(run, number).values())
    assert texts.characters + texts.left_out == pytest.approx(whole, abs=5)
    assert texts.characters < 1_200


def test_a_run_without_edits_has_the_lines_of_its_patch_at_its_end(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    recorder = recorder_of(run)
    act(recorder, "run_terminal_cmd", {"command": "sed"})
    recorder.patch(b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-old\n+new\n")
    assert texts_of_run(run).steps[END] == {"patch": "old\nnew", "path": "a.py"}


def test_lines_that_are_no_steps_and_missing_files_have_no_text(cast: Cast) -> None:
    run = cast.add_run(cast.alice(), cast.add_tasks(1)[0])
    assert texts_of_run(run).steps.get(1) is None
    run.path.mkdir(parents=True)
    (run.path / "trajectory.jsonl").write_bytes(
        b'{"schema_version": 1}\n[1]\n{"step_id": "x"}\n{"step_id": 99999999999, "source": "agent", "message": "far"}\n'
        b'{"step_id": 3, "source": "agent", "message": "half \\ud800 and \\u0000"}\n'
    )
    texts = texts_of_run(run)
    assert texts.steps[3] == {"message": "half ? and  "}
    assert texts.left_out == len("far")
