from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.grading.similarity import Similarity, similarity, similarity_or_nothing
from harness.patches import FileState, make_patch
from tests.harness.worlds import SOLUTION, SOURCE, reference_diff


def patch(before: dict[str, str], after: dict[str, str]) -> bytes:
    return make_patch(
        [FileState(path, text.encode()) for path, text in before.items()],
        [FileState(path, text.encode()) for path, text in after.items()],
    )


def test_a_patch_is_equal_to_itself() -> None:
    reference = reference_diff().encode()
    assert similarity(reference, reference) == Similarity(1.0, 1.0, 1.0, 1.0, 1.0)


def test_added_and_removed_lines_are_compared_regardless_of_their_position() -> None:
    reference = patch({"a": "one\ntwo\n"}, {"a": "one\nTWO\nthree\n"})  # -two +TWO +three
    ours = patch({"b": "x\ntwo\n", "c": ""}, {"b": "x\n", "c": "  TWO \n\ntwo\n"})  # -two +TWO +two
    assert similarity(ours, reference) == Similarity(2 / 4, 0.0, 0.0, 0.0, 2 * 2 / (3 + 3))


def test_identifiers_are_split_into_tokens_which_are_counted_with_their_sign() -> None:
    reference = patch({"a": ""}, {"a": "readHTTPHeader(max_size2)\n"})  # read http header max size 2
    ours = patch({"a": "size\n"}, {"a": "read_http_header(header)\n"})  # read http header header, -size
    assert similarity(ours, reference).lines == 0
    assert similarity(ours, reference).tokens == 2 * 3 / (6 + 5)


def test_tokens_of_long_patches_are_compared_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    reference = patch({"a": ""}, {"a": "one\n"})
    ours = patch({"a": ""}, {"a": "one\ntwo three\n"})
    monkeypatch.setattr("harness.grading.similarity.MAX_CHARACTERS", 3)
    assert similarity(ours, reference).tokens == 1


def test_files_are_counted_from_both_sides() -> None:
    reference = reference_diff().encode()
    digits = "calc/digits.py"
    ours = patch(dict(SOURCE), {**SOURCE, digits: SOLUTION[digits], "notes.txt": "x\n", "more.txt": "x\n"})
    found = similarity(ours, reference)
    assert (found.file_precision, found.file_recall) == (1 / 3, 1 / 2)
    assert found.file_f1 == pytest.approx(0.4)


def test_an_empty_patch_has_no_precision_and_nothing_in_common() -> None:
    assert similarity(b"", reference_diff().encode()) == Similarity(0.0, None, 0.0, None, 0.0)


def test_two_empty_patches_have_no_similarity() -> None:
    assert similarity(b"", b"") == Similarity(None, None, None, None, None)


def test_a_patch_that_changes_no_line_is_compared_by_its_files() -> None:
    mode = b"diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
    assert similarity(mode, mode) == Similarity(None, 1.0, 1.0, 1.0, None)


def test_a_patch_with_an_invalid_path_has_no_figures() -> None:
    bad = b"diff --git a/../x b/../x\n--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n"
    assert similarity_or_nothing(bad, reference_diff().encode()) == {}


@settings(max_examples=20)
@given(*[st.dictionaries(st.sampled_from("abc"), st.text("xy\n", max_size=6), max_size=3)] * 2)
def test_every_figure_is_a_share_and_lines_are_symmetric(one: dict[str, str], other: dict[str, str]) -> None:
    ours, theirs = patch({}, one), patch({}, other)
    found, mirrored = similarity(ours, theirs), similarity(theirs, ours)
    assert all(value is None or 0 <= value <= 1 for value in found.to_json().values())
    assert (found.lines, found.tokens) == (mirrored.lines, mirrored.tokens)
    assert (found.file_precision, found.file_recall) == (mirrored.file_recall, mirrored.file_precision)
