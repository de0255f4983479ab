"""How fast a long run is rendered for judges, and how fast the quotes of a review are looked up.

    python -m benchmarks.judges [--rounds 9]

A run of 1,000 steps and 8 MB is written as a run directory. It is rendered whole, and with the usual limit of 400,000
characters. In the whole text, the six quotes of a review are looked up: three true ones, one from another step, two
that are nowhere. Baseline of the same run: reading its steps from disk, and a plain search for the six quotes.

Promised (medians of CPU time): rendering takes at most 1 s, with reading the run; all quotes of a review take at most
100 ms; the true quotes are found where they stand, the others are not. Exits with 1 when a promise is broken.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.command_line import benchmark_parser, conclude, mark
from harness.judges.evidence import place_of
from harness.judges.rendering import Rendered, render
from harness.records import Identity, RunRecord, RunRecorder, ToolCall, ToolResult

STEPS, BYTES = 1_000, 8_000_000
RENDERED, LOOKED_UP = 1.0, 0.1  # seconds
USUAL, WHOLE = 400_000, 100_000_000
WORDS = (
    "value",
    "return",
    "naïve",
    "import",
    "class",
    "self.total",
    "x = 1",
    "(a, b)",
    "日本語",
    "“done”",
    "test_parse",
)
IDENTITY = Identity("r", "e", "d", "1", "r", "t", "0" * 64, "a", "A", "ide", 1)

# (step that is claimed, quote, status and step that must come out)
QUOTES = (
    (500, "unique sentence number 500 of the result", ("verified", 500)),
    (2, "unique sentence number 2 of the result", ("verified", 2)),
    (1_000, "unique\nsentence  number 1000\u00a0of the result", ("verified", 1_000)),
    (3, "unique sentence number 900 of the result", ("relocated", 900)),
    (500, "unique sentence number 5000 of the result", ("unverified", None)),
    (700, "nothing of this kind stands anywhere", ("unverified", None)),
)


def write_run(directory: Path) -> None:
    """A run directory with so many steps and bytes."""
    chance = random.Random(1)
    recorder = RunRecorder(directory, IDENTITY)
    recorder.step("user", "Please fix the parser.")
    for number in range(2, STEPS + 1):
        lines = [f"unique sentence number {number} of the result"]
        size = 0
        while size < BYTES // STEPS:
            lines.append(" ".join(chance.choices(WORDS, k=10)))
            size += len(lines[-1].encode()) + 1
        call = ToolCall("c", "run_terminal_cmd", {"command": f"cat file{number}.py"})
        recorder.step(
            "agent", "I read on.", calls=[call], results=[ToolResult("c", "\n".join(lines), True, 0.1)]
        )
    recorder.patch(b"diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-one\n+two\n")


def seconds(action: Callable[[], object], rounds: int) -> float:
    """The median CPU time of one call: it uses one thread and waits for nothing."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        action()
        times.append(time.process_time() - began)
    return median(times)


def found(rendered: Rendered) -> list[tuple[str, int | None]]:
    """The status and the step of each quote."""
    places = [place_of(rendered, quote, step) for step, quote, _ in QUOTES]
    return [(place.status, place.found_step) for place in places]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the figures. Returns the exit code."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args(arguments).rounds
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "run"
        write_run(path)
        record = RunRecord(path)
        size = (path / "trajectory.jsonl").stat().st_size
        print(f"{STEPS:,} steps, {size / 1e6:.1f} MB, medians of {rounds} in CPU time")
        reading = seconds(lambda: list(record.steps()), rounds)
        print(f"  {'baseline: reading the steps':<44}{reading * 1000:8.0f} ms")
        met = True
        for most in (WHOLE, USUAL):
            rendered = render(record, most_characters=most)
            took = seconds(lambda most=most: render(record, most_characters=most), rounds)  # type: ignore[misc]
            fits = took <= RENDERED
            met = met and fits
            what = f"rendered to {len(rendered.text):,} characters ({rendered.shown_share:.0%})"
            print(f"  {what:<44}{took * 1000:8.0f} ms{mark(fits)}")
        rendered = render(record, most_characters=WHOLE)
        plain = seconds(lambda: [quote in rendered.text for _, quote, _ in QUOTES], rounds)
        print(f"  {'baseline: a plain search for six quotes':<44}{plain * 1000:8.1f} ms")
        took = seconds(lambda: found(rendered), rounds)
        fits = took <= LOOKED_UP and found(rendered) == [expected for _, _, expected in QUOTES]
        print(f"  {'six quotes looked up':<44}{took * 1000:8.1f} ms{mark(fits)}")
    return conclude(met and fits)


if __name__ == "__main__":
    sys.exit(main())
