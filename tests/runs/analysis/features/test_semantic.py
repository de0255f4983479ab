"""Whether a patch changes what the reference changes."""

from __future__ import annotations

import difflib

import pytest

from harness.patches import Change
from runs.analysis.features import features
from runs.analysis.features.semantic import change_type, regions_hit
from runs.analysis.trajectories.trace import Exercise
from tests.runs.analysis.features.made_sources import CLOCK, TIDE
from tests.runs.analysis.made_traces import trace


def patch(path: str, before: str, *swaps: tuple[str, str]) -> bytes:
    after = before
    for old, new in swaps:
        assert old in after
        after = after.replace(old, new, 1)
    lines = difflib.unified_diff(before.split("\n"), after.split("\n"), f"a/{path}", f"b/{path}", lineterm="")
    return ("\n".join(lines) + "\n").encode()


def compared(
    ours: bytes, reference: bytes, path: str = "tide.py", source: str = TIDE
) -> dict[str, float | None]:
    return dict(features(trace(), Exercise("", reference, ours, (path,), {path: source})))


HIGH = ("level = self.base + 2", "level = self.base + 3")


@pytest.mark.parametrize(
    ("swap", "function", "same_class"),
    [
        (("return level", "return int(level)"), 1, 1),  # the same method
        (("return min(self.levels)", "return 0"), 0, 1),  # another of the class
        (("math.sin(day)", "math.cos(day)"), 0, 0),
        (("LEVEL = 3", "LEVEL = 4"), 0, 0),
        (("        return level\n", "        level += 1\n        return level\n"), 1, 1),  # lines put into it
        (("    def low", "    def mean(self):\n        return 2\n\n    def low"), 0, 1),  # a method beside it
    ],
)
def test_the_same_function_and_class(swap: tuple[str, str], function: float, same_class: float) -> None:
    run = compared(patch("tide.py", TIDE, swap), patch("tide.py", TIDE, HIGH))
    assert (run["fixes_same_function"], run["fixes_same_class"], run["fixes_same_file"]) == (
        function,
        same_class,
        1,
    )


def test_functions_that_both_add_are_the_same() -> None:
    ours = patch("tide.py", TIDE, ("    def low", "    def mean(self):\n        return 2\n\n    def low"))
    theirs = patch(
        "tide.py", TIDE, ("    @property", "    def mean(self):\n        return 3\n\n    @property")
    )
    assert compared(ours, theirs)["fixes_same_function"] == 1


def test_functions_of_other_languages() -> None:
    def run(old: str, new: str) -> float | None:
        reference = patch("clock.js", CLOCK, ("now > this.last", "now >= this.last"))
        ours = patch("clock.js", CLOCK, (old, new))
        return compared(ours, reference, "clock.js", CLOCK)["fixes_same_function"]

    assert run("this.last = now;", "this.last = now + 1;") == 1
    assert run("return false;", "return true;") == 0


def test_a_reference_outside_of_all_scopes_leaves_them_undefined() -> None:
    reference = patch("tide.py", TIDE, ("LEVEL = 3", "LEVEL = 4"))
    run = compared(reference, reference)
    assert (run["fixes_same_function"], run["fixes_same_class"]) == (None, None)
    assert features(trace(), Exercise("", reference, reference))["fixes_same_function"] is None


def test_nothing_changed_is_not_the_same() -> None:
    run = compared(b"", patch("tide.py", TIDE, HIGH))
    zero = [
        "fixes_same_file",
        "fixes_same_function",
        "fixes_same_class",
        "fixes_same_code_region",
        "location_score",
    ]
    assert [run[name] for name in (*zero, "change_type_match", "modifies_same_variable")] == [0] * 7


@pytest.mark.parametrize(
    ("ours", "near", "touching"),
    [
        # Against line 20 replaced, and line 60 removed.
        ([Change("a", 20, ("x",), ("y",))], 1, 1),
        ([Change("a", 30, ("x",), ("y",))], 1, 0),  # ten lines away
        ([Change("a", 31, ("x",), ("y",))], 0, 0),  # eleven
        ([Change("a", 21, (), ("y",))], 1, 1),  # between 20 and 21
        ([Change("a", 22, (), ("y",))], 1, 0),  # between 21 and 22
        ([Change("a", 15, ("x",) * 60, ())], 2, 2),
        ([Change("b", 20, ("x",), ("y",))], 0, 0),
        ([Change("a", 61, (), ("y",)), Change("a", 9, ("x",), ())], 1, 1),
        ([], 0, 0),
    ],
)
def test_regions_are_near_or_touch(ours: list[Change], near: int, touching: int) -> None:
    reference = [Change("a", 20, ("x",), ("z",)), Change("a", 60, ("x",), ())]
    assert regions_hit(ours, reference, 10) == (near, 2)
    assert regions_hit(ours, reference, 0) == (touching, 2)


def test_the_location_score_is_the_share_of_regions_met() -> None:
    # The reference changes lines 3 and 11; the patch line 11 alone: both within ten lines, one touched.
    reference = patch("tide.py", TIDE, ("LEVEL = 3", "LEVEL = 4"), HIGH)
    run = compared(patch("tide.py", TIDE, HIGH), reference)
    assert (run["location_score"], run["fixes_same_code_region"]) == (1, 1)


def test_types_of_change() -> None:
    add, remove, modify = (
        Change("a", 1, (), ("x",)),
        Change("a", 1, ("x",), ()),
        Change("a", 1, ("x",), ("y",)),
    )
    assert [change_type([change]) for change in (add, remove, modify)] == ["add", "remove", "modify"]
    assert (change_type([add, remove]), change_type([])) == ("modify", "")


def test_names_on_changed_lines() -> None:
    run = compared(
        patch("tide.py", TIDE, ("level = self.base + 2", "level = max(self.base, 2)")),
        patch("tide.py", TIDE, ("level = self.base + 2", "level = int(self.base)")),
    )
    assert (run["modifies_same_variable"], run["modifies_same_call"]) == (1, 0)
    run = compared(
        patch("tide.py", TIDE, ("math.sin(day)", "math.sin(day + 1)")),
        patch("tide.py", TIDE, ("math.sin(day)", "2 * math.sin(day)")),
    )
    assert (run["modifies_same_variable"], run["modifies_same_call"]) == (None, 1)
