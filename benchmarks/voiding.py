"""Ways to void a run: none may make the infrastructure look guilty, and no run may go on long after its limit.

Makes a real run of every attempt in `tests/harness/voiding_attacks.py`, also of the slow ones. Baseline: a run of the
same solution without an attempt. Texts as arguments choose the attempts whose sentences contain one of them.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from harness.limits import Limits
from harness.records import Outcome
from tests.harness.arena import Arena
from tests.harness.voiding_attacks import ATTACKS, MAX_BEYOND_SECONDS, Voiding, attempted

BASELINE = Voiding("no attempt", "true")


def main() -> int:
    """Prints a line for each attempt. Returns 1 if one of them was excluded or went on for too long."""
    chosen = [
        attack
        for attack in ATTACKS
        if not sys.argv[1:] or any(text in attack.sentence for text in sys.argv[1:])
    ]
    excluded = late = 0
    with tempfile.TemporaryDirectory(prefix="benchbench-voiding-") as root:
        arena = Arena.make(Path(root))
        arena.run("null", limits=Limits())  # builds the images
        for attack in (BASELINE, *chosen):
            began = time.monotonic()
            summary = attempted(arena, attack)
            beyond = summary.act_seconds - (attack.limits.wall_seconds or 0.0)
            excluded += summary.outcome is Outcome.INFRASTRUCTURE_FAILED
            late += beyond > MAX_BEYOND_SECONDS
            print(
                f"{attack.sentence:60} {summary.outcome:22} {summary.ending:14} act {summary.act_seconds:6.1f} s,"
                f" beyond its limit {max(0.0, beyond):5.1f} s, whole run {time.monotonic() - began:6.1f} s"
                f"  {summary.detail[:80]}",
                flush=True,
            )
    print(f"{len(chosen)} attempts: {excluded} excluded, {late} more than {MAX_BEYOND_SECONDS:.0f} s late")
    return 1 if excluded or late else 0


if __name__ == "__main__":
    sys.exit(main())
