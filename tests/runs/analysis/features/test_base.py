"""The input of features: words, files and changes of a run."""

from __future__ import annotations

import pytest

from runs.analysis.features.base import (
    Basis,
    Evidence,
    Feature,
    flag,
    has_cue,
    has_word,
    named,
    normalised,
    ratio,
)
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.features.made_features import EXERCISE, REFERENCE
from tests.runs.analysis.made_traces import Move, changed, edit, missed, read, say, shell, trace

UNREADABLE = b"--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-1\n+2\n"


def evidence(*moves: Move, exercise: Exercise = EXERCISE) -> Evidence:
    return Evidence(trace(*moves), exercise)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Read_me: don't __init__ 3!", " read_me don t __init__ 3 "),
        ("Ébb\n\tund FLUT", " ébb und flut "),
        ("___ -- __", ""),
        ("", ""),
    ],
)
def test_words_are_lower_case_between_single_blanks(text: str, words: str) -> None:
    assert normalised(text) == words


def test_a_cue_is_a_whole_word() -> None:
    assert has_cue(" the tide rises ", (" moon ", " tide "))
    assert not has_cue(" the tides rise ", (" moon ", " tide "))
    assert not has_cue(" the tide rises ", ())


def test_a_word_has_a_letter_or_a_digit() -> None:
    assert [has_word(text) for text in ("_7", "…é", "__", "--", "")] == [True, True, False, False, False]


def test_flags_and_ratios_are_numbers() -> None:
    assert (flag(True), flag(False)) == (1.0, 0.0)
    assert (ratio(1, 4), ratio(0, 4), ratio(1, 0)) == (0.25, 0.0, None)


def test_each_iteration_has_its_message_and_reasoning_as_words() -> None:
    run = evidence(say("Mend it.", "Because!"), read("src/a.py"))
    assert run.words == (" mend it because ", "")
    assert not run.silent
    assert evidence(read("src/a.py"), say("…")).silent
    assert evidence().silent


def test_long_texts_are_cut_in_each_step_and_over_the_run() -> None:
    # 20,000 characters of a step: "a " 10,000 times, so the reasoning is beyond them.
    assert evidence(say("a " * 10_000, "b")).words == (" " + "a " * 10_000,)
    # 50 such steps are the million characters of a run.
    words = evidence(*[say("x" * 20_000)] * 51).words
    assert [bool(each) for each in words] == [True] * 50 + [False]


def test_relevant_files_are_those_of_the_reference_that_were_there() -> None:
    there, both = frozenset({"src/a.py"}), frozenset({"src/a.py", "new.py"})
    assert (evidence().reference_files, evidence().relevant_files) == (both, there)
    # Without a list of files, those whose text is known were there; without either, nothing is known to be new.
    sources = Exercise(reference=REFERENCE, sources={"src/a.py": "x\n"})
    assert evidence(exercise=sources).relevant_files == there
    assert evidence(exercise=Exercise(reference=REFERENCE)).relevant_files == both
    assert evidence(exercise=Exercise(reference=REFERENCE, files=("src/b.py",))).relevant_files is None


@pytest.mark.parametrize("reference", [None, b"", UNREADABLE], ids=["unknown", "empty", "unreadable"])
def test_a_reference_that_names_no_file_makes_nothing_comparable(reference: bytes | None) -> None:
    run = evidence(exercise=Exercise(reference=reference, patch=REFERENCE))
    assert run.reference_files is None
    assert run.relevant_files is None
    assert run.comparable is None


def test_an_empty_patch_is_comparable_and_an_unreadable_one_is_not() -> None:
    empty = evidence(exercise=Exercise(reference=REFERENCE, patch=b""))
    assert (empty.patch_files, empty.changes) == (frozenset(), ())
    assert empty.comparable == ((), empty.reference_changes)
    assert [change.file for change in empty.reference_changes or ()] == ["src/a.py", "new.py"]
    unreadable = evidence(exercise=Exercise(reference=REFERENCE, patch=UNREADABLE))
    assert (unreadable.patch_files, unreadable.changes, unreadable.comparable) == (None, None, None)


def test_the_first_attempt_may_come_before_the_first_change() -> None:
    run = evidence(read("src/a.py"), missed("src/a.py"), edit("src/a.py"))
    assert (run.first_edit(), run.first_change()) == (1, 2)
    by_shell = evidence(read("src/a.py"), shell("sed -i s/x/y/ src/a.py", changed("src/a.py")))
    assert (by_shell.first_edit(), by_shell.first_change()) == (1, 1)
    assert (evidence(say()).first_edit(), evidence(say()).first_change()) == (None, None)


def test_what_several_features_need_is_counted_once() -> None:
    counted: list[Evidence] = []

    def count(run: Evidence) -> int:
        counted.append(run)
        return len(run.calls)

    run = evidence(read("src/a.py"), read("src/b.py"))
    assert (run.once(count), run.once(count)) == (2, 2)
    assert counted == [run]


def feature(name: str, basis: Basis = Basis.PROCESS) -> Feature:
    return Feature(name, "harbour", basis, "The tide.", lambda _: None)


def test_only_a_comparison_with_the_reference_may_reveal_the_outcome() -> None:
    assert [basis for basis in Basis if feature("tide", basis).may_know_outcome] == [Basis.REFERENCE]


def test_a_name_is_given_once() -> None:
    tide, moon = feature("tide"), feature("moon")
    assert named(iter([tide, moon])) == (tide, moon)
    with pytest.raises(ValueError, match="two features have the same name"):
        named(iter([tide, moon, feature("tide", Basis.LOCATION)]))
