"""What an agent says: cues, and where they stand."""

from __future__ import annotations

import pytest

from runs.analysis.features import features
from runs.analysis.features.base import RUN_CHARACTERS, STEP_CHARACTERS, Evidence, normalised
from runs.analysis.features.reasoning import topics
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.made_traces import Move, edit, read, say, trace

REFERENCE = b"--- a/src/tide.py\n+++ b/src/tide.py\n@@ -1 +1 @@\n-x\n+y\n"


def saying(move: Move, message: str, reasoning: str = "") -> Move:
    return Move(move.calls, move.changed, message, reasoning)


def counted(*moves: Move, description: str = "") -> dict[str, float | None]:
    return dict(features(trace(*moves), Exercise(description, REFERENCE)))


def test_cues_are_whole_words_in_any_case_over_punctuation_and_lines() -> None:
    assert normalised("I  THINK,\nso") == " i think so "
    assert normalised("...") == ""
    assert normalised("I think\n___\nso") == " i think so "
    assert counted(say("I\nTHINK so."))["has_explicit_reasoning"] == 1
    assert counted(say("Unlikely that I thinks"))["has_explicit_reasoning"] == 0


def test_a_text_of_reasoning_is_explicit_reasoning() -> None:
    assert counted(say("Done.", "Hm."))["has_explicit_reasoning"] == 1
    assert counted(say("Done."))["has_explicit_reasoning"] == 0


@pytest.mark.parametrize(
    ("reasoning", "explicit"), [("...", 0), ("\n***\n", 0), ("___", 0), ("7?", 1), ("é", 1)]
)
def test_reasoning_without_a_letter_or_a_digit_says_nothing(reasoning: str, explicit: int) -> None:
    assert counted(say("Done.", reasoning))["has_explicit_reasoning"] == explicit
    silent = counted(say("", reasoning))["has_explicit_reasoning"]
    assert silent == (1 if explicit else None)


def test_a_silent_agent_is_unknown_not_thoughtless() -> None:
    silent = counted(read("a.py"), edit("a.py"))
    assert {silent[name] for name in list(silent)[:7]} == {None}


def test_a_hypothesis_counts_until_the_first_edit() -> None:
    name = "hypothesizes_before_acting"
    assert counted(saying(edit("a.py"), "I suspect the clock."))[name] == 1
    assert counted(saying(edit("a.py"), "Now."), say("I suspect the clock."))[name] == 0
    assert counted(say("Look."), say("The bug is in the clock."))[name] == 1


def test_reasons_count_from_the_first_edit_on() -> None:
    name = "explains_changes"
    assert counted(say("It fails because of the clock."), saying(edit("a.py"), "Now."))[name] == 0
    assert counted(saying(edit("a.py"), "Now."), say("I replaced the clock."))[name] == 1
    assert counted(say("Because."))[name] == 0


def test_checking_counts_from_the_first_change_on() -> None:
    name = "verifies_after_change"
    assert counted(say("Let me run the tests."), saying(edit("a.py"), "Now."))[name] == 0
    assert counted(saying(edit("a.py"), "Now."), say("Let me run the tests."))[name] == 1
    refused = Move(edit("a.py").calls, (), "Verify.")
    assert counted(refused)[name] == 0


def test_the_score_is_the_share_of_four() -> None:
    # explicit ("because", "I suspect"), hypothesis, explanation: 3 of 4 = 0.75; nothing is checked.
    assert (
        counted(saying(edit("a.py"), "I suspect the clock, because it stops."))["reasoning_quality_score"]
        == 0.75
    )
    assert counted(say("Done."))["reasoning_quality_score"] == 0
    all_four = saying(edit("a.py"), "I suspect the clock, because it stops; I will verify it.")
    assert counted(all_four)["reasoning_quality_score"] == 1


def test_topics_are_the_most_frequent_words_that_mean_something() -> None:
    assert topics("The tide and the tide table: with the harbour's fog. Harbour, tide!") == (
        "tide",
        "harbour",
        "table",
    )
    assert topics("tide_table tideTable the_and") == ("tide_table", "tidetable")
    assert topics("the and of") == ()
    assert len(topics(" ".join(f"word{chr(97 + i)}x" for i in range(26)))) == 20


@pytest.mark.parametrize(
    ("said", "mentions"),
    # Five topics: one of them is 0.2 of them, the threshold.
    [("The harbour.", 1), ("Harbours?", 0), ("See tide_table.", 0), ("See clock-table.", 1), ("nothing", 0)],
)
def test_a_fifth_of_the_topics_is_enough(said: str, mentions: float) -> None:
    assert (
        counted(say(said), description="harbour tide table engine clock")["mentions_issue_keywords"]
        == mentions
    )


def test_without_topics_none_is_mentioned() -> None:
    assert counted(say("What?"), description="")["mentions_issue_keywords"] is None


def test_relevant_files_are_named_by_their_last_part() -> None:
    assert counted(say("Open `TIDE.py` now."))["mentions_relevant_files"] == 1
    assert counted(say("Open tide.pyc or riptide.py."))["mentions_relevant_files"] == 0
    assert features(trace(say("tide.py")), Exercise())["mentions_relevant_files"] is None


def test_only_so_much_is_read() -> None:
    long = "x" * STEP_CHARACTERS + " because"
    assert counted(say(long))["has_explicit_reasoning"] == 0
    steps = RUN_CHARACTERS // STEP_CHARACTERS
    words = Evidence(trace(*[say("x" * STEP_CHARACTERS)] * steps, say("because")), Exercise()).words
    assert [len(words[0]), words[-1]] == [STEP_CHARACTERS + 2, ""]  # a blank at each end
