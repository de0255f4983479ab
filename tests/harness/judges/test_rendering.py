"""The text that judges see of a run."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from harness.judges.rendering import Rendered, call_text, patch_text, render, render_steps
from harness.records import RunRecord, RunRecorder, Step, ToolCall, ToolResult
from tests.harness.judges.payloads import PAYLOADS
from tests.harness.records.made import IDENTITY

PATCH = b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n"
FENCE = re.compile(r"===== transcript ([0-9a-f]{16}) (begins|ends) =====")
HEADER = re.compile(r"\[\d+\] (user|agent|system|other|final changes)")
TITLE = re.compile(
    r"message|reasoning|call \d+|result \d+( \(the call failed\))?( \(without \d+ pictures?\))?|file \d+"
    r"|\[the agent's configuration is not shown\]|\[no file was changed\]"
)


def step(number: int, source: str = "agent", message: str = "", **more: object) -> Step:
    return Step(number, "2026-01-01T00:00:00.000Z", source, message, **more)  # type: ignore[arg-type]


def called(
    arguments: dict[str, object], content: str, *, name: str = "run", ok: bool = True
) -> dict[str, Any]:
    return {
        "calls": (ToolCall("c", name, arguments),),
        "results": (ToolResult("c", content, ok, 0.1),),
    }


STEPS = [
    step(1, "system", "You are the agent Sesame."),
    step(2, "user", "Fix it.\nPlease."),
    step(
        3,
        message="I look.",
        reasoning="Hm.",
        **called({"path": "a.py", "lines": [1, 2]}, "one\r\ntwo", ok=False),
    ),
    step(4, message="Done."),
]


def rendered(steps: list[Step] = STEPS, patch: bytes = PATCH, most: int = 100_000) -> Rendered:
    return render_steps(steps, patch, most_characters=most)


def lines(found: Rendered) -> list[str]:
    """The lines between the fences, which are checked."""
    first, *between, last = found.text.splitlines()
    begins, ends = FENCE.fullmatch(first), FENCE.fullmatch(last)
    assert begins
    assert ends
    assert (begins[1], begins[2], ends[2]) == (ends[1], "begins", "ends")
    return between


def test_steps_are_numbered_and_every_line_of_content_has_a_prefix() -> None:
    assert lines(rendered()) == [
        "[1] system",
        "[the agent's configuration is not shown]",
        "[2] user",
        "message",
        "| Fix it.",
        "| Please.",
        "[3] agent",
        "reasoning",
        "| Hm.",
        "message",
        "| I look.",
        "call 1",
        "| tool: run",
        "| path: a.py",
        "| lines: [1, 2]",
        "result 1 (the call failed)",
        "| one",
        "| two",
        "[4] agent",
        "message",
        "| Done.",
        "[5] final changes",
        "file 1",
        "| diff --git a/a.py b/a.py",
        "| --- a/a.py",
        "| +++ b/a.py",
        "| @@ -1 +1 @@",
        "| -one",
        "| +two",
    ]


def test_a_whole_trajectory_has_no_cuts() -> None:
    found = rendered()
    assert (found.shown_share, found.cuts, found.last_step) == (1.0, (), 5)


def test_the_digest_depends_on_the_text_alone() -> None:
    later = [
        Step(each.step_id, "2027-01-01", each.source, each.message, each.reasoning, each.calls, each.results)
        for each in STEPS
    ]
    assert rendered(later).digest == rendered().digest
    assert rendered(patch=b"").digest != rendered().digest
    assert rendered().digest == hashlib.sha256(rendered().text.encode()).hexdigest()


def test_an_unchanged_workspace_and_pictures_are_stated() -> None:
    result = ToolResult("c", "seen", True, 0.1, ("step-1-1.png", "step-1-2.png"))
    found = rendered([step(1, calls=(ToolCall("c", "look", {}),), results=(result,))], b"")
    assert lines(found)[-4:] == [
        "result 1 (without 2 pictures)",
        "| seen",
        "[2] final changes",
        "[no file was changed]",
    ]


def test_a_run_without_steps_is_rendered() -> None:
    assert lines(rendered([], b"")) == ["[1] final changes", "[no file was changed]"]


def test_texts_in_a_call_are_shown_as_they_are() -> None:
    call = ToolCall("c", "write", {"content": 'a\n"b"', "mode": None, "é": {"x": "é"}})
    assert call_text(call) == 'tool: write\ncontent: a\n"b"\nmode: null\né: {"x": "é"}'


def test_a_source_that_no_agent_has_is_other() -> None:
    assert lines(rendered([step(1, "agent\n[9] user", "x")], b""))[0] == "[1] other"


def test_a_run_directory_is_read(tmp_path: Path) -> None:
    recorder = RunRecorder(tmp_path / "run", IDENTITY)
    recorder.step("user", "Fix it.")
    recorder.patch(PATCH)
    found = render(RunRecord(tmp_path / "run"), most_characters=30_000)
    assert lines(found)[:3] == ["[1] user", "message", "| Fix it."]
    assert patch_text(PATCH) in "\n".join(line.removeprefix("| ") for line in lines(found)) + "\n"


Place = Callable[[str], tuple[list[Step], bytes]]
PLACES: dict[str, Place] = {
    "user's turn": lambda text: ([step(1, "user", text), step(2, message="ok")], PATCH),
    "message": lambda text: ([step(1, "user", "Fix it."), step(2, message=text)], PATCH),
    "reasoning": lambda text: ([step(1, "user", "x"), step(2, message="ok", reasoning=text)], PATCH),
    "tool name": lambda text: (
        [step(1, message="ok", **called({}, "x", name=text)), step(2, "user", "y")],
        PATCH,
    ),
    "argument": lambda text: (
        [step(1, message="ok", **called({text: text}, "x")), step(2, "user", "y")],
        PATCH,
    ),
    "argument in a list": lambda text: (
        [step(1, message="ok", **called({"a": [text]}, "x")), step(2, "user", "y")],
        PATCH,
    ),
    "result": lambda text: ([step(1, message="ok", **called({}, text)), step(2, "user", "y")], PATCH),
    "file": lambda text: (
        [step(1, "user", "x"), step(2, message="ok")],
        PATCH + b"+" + text.encode("utf-8", "surrogatepass") + b"\n",
    ),
    "path": lambda text: (
        [step(1, "user", "x"), step(2, message="ok")],
        PATCH.replace(b"a.py", text.encode("utf-8", "surrogatepass")),
    ),
}


def test_there_are_at_least_40_payloads() -> None:
    assert len(set(PAYLOADS)) >= 40


@pytest.mark.parametrize("place", PLACES)
def test_no_content_imitates_a_header_a_notice_or_the_fence(place: str) -> None:
    for payload in PAYLOADS:
        steps, patch = PLACES[place](payload)
        found = rendered(steps, patch)
        between = lines(found)
        others = [line for line in between if not line.startswith("| ")]
        assert all(HEADER.fullmatch(line) or TITLE.fullmatch(line) for line in others), (payload, others)
        headers = [line for line in others if HEADER.fullmatch(line)]
        assert headers == [*(f"[{each.step_id}] {each.source}" for each in steps), "[3] final changes"], (
            payload
        )
        code = FENCE.match(found.text)
        assert code
        assert found.text.count(code[1]) == 2, payload
        assert not re.search(
            "[\x00-\x08\x0b-\x1e\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]", found.text
        )
        found.text.encode()


def test_a_copied_file_of_the_patch_is_no_new_file() -> None:
    """Only a line that git begins a file with begins one; inside a hunk, lines have a mark."""
    patch = PATCH + b"+diff --git a/b b/b\n"
    assert lines(rendered(patch=patch)).count("file 2") == 0


class TestReduction:
    def test_a_cut_is_stated_and_counted(self) -> None:
        content = "\n".join(f"line {number}" for number in range(20_000))
        found = rendered(
            [step(1, "user", "Fix it."), step(2, message="ok", **called({}, content))], most=30_000
        )
        assert 25_000 < len(found.text) <= 30_000
        (cut,) = found.cuts
        assert (cut.step, cut.part) == (2, "result:1")
        assert f"\n[... {cut.characters:,} characters of this result are left out]\n" in found.text
        total = len(content) + len("Fix it.") + len("ok") + len("tool: run") + len(PATCH)
        assert found.shown_share == pytest.approx((total - cut.characters) / total)
        assert "| line 0\n" in found.text
        assert "| line 19999\n" in found.text

    def test_results_are_cut_first_and_messages_last(self) -> None:
        long = "word " * 10_000
        steps = [step(1, "user", long), step(2, message=long, reasoning=long, **called({"a": long}, long))]
        kinds = []
        for most in (210_000, 170_000, 120_000, 80_000):
            found = rendered(steps, most=most)
            assert len(found.text) <= most
            kinds.append({cut.part for cut in found.cuts})
        assert kinds == [
            {"result:1"},
            {"result:1", "call:1"},
            {"result:1", "call:1", "reasoning"},
            {"result:1", "call:1", "reasoning", "message"},
        ]

    def test_whole_steps_are_left_out_in_the_middle_and_the_users_last(self) -> None:
        steps = [
            step(number, "user" if number % 50 == 1 else "agent", f"m{number} " * 300)
            for number in range(1, 401)
        ]
        found = rendered(steps, most=60_000)
        assert len(found.text) <= 60_000
        headers = [line for line in lines(found) if HEADER.fullmatch(line)]
        assert {f"[{number}] user" for number in range(1, 401, 50)} < set(headers)
        assert headers[:2] == ["[1] user", "[2] agent"]
        assert headers[-2:] == ["[400] agent", "[401] final changes"]
        gaps = re.findall(r"\[\.\.\. steps (\d+) to (\d+) are left out, ([\d,]+) characters\]", found.text)
        assert gaps
        assert all(int(last) - int(first) < 50 for first, last, _ in gaps)

    def test_the_final_changes_have_limits_of_their_own(self) -> None:
        files = [
            b"diff --git a/%d b/%d\n" % (number, number) + b"+added line\n" * 8_000 for number in range(4)
        ]
        found = rendered(patch=b"".join(files), most=10**6)
        shown = [len(fragment.text) for fragment in found.fragments if fragment.part == "patch"]
        assert shown == [60_000, 60_000, 30_000]
        assert "characters of this file are left out]" in found.text
        assert "[... 1 more files are left out, " in found.text

    def test_a_binary_file_is_shown_by_its_beginning(self) -> None:
        patch = b"diff --git a/x b/x\nGIT binary patch\nliteral 9\n" + b"zcmZ\n" * 2_000
        found = rendered(patch=patch)
        assert [len(fragment.text) for fragment in found.fragments if fragment.part == "patch"] == [400]

    @pytest.mark.parametrize("most", [20_000, 40_000, 400_000])
    @pytest.mark.parametrize("line", ["x", "x\n", "\u2028", "\x1b", "\U000e0041", "é\r\n", "long line " * 20])
    def test_the_limit_holds_for_every_content(self, most: int, line: str) -> None:
        text = line * (30_000 // len(line))
        steps = [step(number, message=text, **called({"a": text}, text)) for number in range(1, 41)]
        found = rendered(steps, text.encode(), most=most)
        assert len(found.text) <= most
        assert len(found.text) > most / 4
        assert 0 < found.shown_share < 1

    def test_the_limit_holds_for_many_small_files(self) -> None:
        patch = b"".join(b"diff --git a/%d b/%d\n+x\n" % (number, number) for number in range(5_000))
        found = rendered(patch=patch, most=20_000)
        assert 10_000 < len(found.text) <= 20_000
        assert re.search(r"\[\.\.\. [\d,]+ more files are left out, [\d,]+ characters\]", found.text)

    def test_a_limit_that_is_too_small_for_anything_is_refused(self) -> None:
        with pytest.raises(ValueError, match="most_characters: 100 are too few for this transcript"):
            rendered(most=100)
