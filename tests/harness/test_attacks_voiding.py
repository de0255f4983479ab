"""Ways to void a run: none of them makes the infrastructure look guilty, and no wait lasts much longer than its limit.

A run whose infrastructure failed is tried again, and excluded in the end: an agent that could cause this would have its
failures not counted. So what its files and processes cause is its own outcome. Each attempt is a real run, in which the
agent first writes the correct solution: where the attempt leaves it in place, it is graded, and resolves the task. Nine
attempts with odd names are one run. `benchmarks.voiding` makes the slow attempts of the same table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace

import pytest

from harness.records import RunSummary
from tests.harness.arena import Arena
from tests.harness.voiding_attacks import ATTACKS, MAX_BEYOND_SECONDS, NAMES, Voiding, attempted

pytestmark = pytest.mark.engine

QUICK = [attack for attack in ATTACKS if not attack.slow]
Attempts = Mapping[str, "Future[RunSummary]"]


def _is_plain(attack: Voiding) -> bool:
    """Whether it is an ordinary run with one line, which is expected to be completed and resolved."""
    return "\n" not in attack.command and attack == Voiding(attack.sentence, attack.command)


# Names that are carried over. One run leaves them all: it is resolved, and leaves none out, only if each does no harm.
TOGETHER = [
    attack for attack in NAMES if attack.sentence.startswith(("a name ", "names ")) and _is_plain(attack)
]


@pytest.fixture(scope="module")
def attempts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Attempts]:
    """Runs of all quick attempts, four at a time: they mostly wait for the engine."""
    arena = Arena.make(tmp_path_factory.mktemp("voiding"))
    together = replace(TOGETHER[0], command="\n".join(f"({attack.command})" for attack in TOGETHER))
    with ThreadPoolExecutor(4) as pool:
        one = pool.submit(attempted, arena, together)
        yield {
            attack.sentence: one if attack in TOGETHER else pool.submit(attempted, arena, attack)
            for attack in QUICK
        }


def test_nine_odd_names_are_left_together() -> None:
    assert len(TOGETHER) == 9


def test_there_are_at_least_twenty_five_ways() -> None:
    assert len({attack.sentence for attack in QUICK}) == len(QUICK) >= 25


@pytest.mark.parametrize("attack", QUICK, ids=str)
def test_no_way_makes_the_infrastructure_look_guilty(attack: Voiding, attempts: Attempts) -> None:
    summary = attempts[attack.sentence].result()
    assert (summary.outcome, summary.failure) == (attack.outcome, ""), summary.detail
    assert attack.ending in (None, summary.ending), summary.detail
    assert [flag.path for flag in summary.flags if flag.kind == "left_out"] == list(attack.left_out)


@pytest.mark.parametrize("attack", QUICK, ids=str)
def test_the_run_ends_soon_after_its_limit(attack: Voiding, attempts: Attempts) -> None:
    limit = attack.limits.wall_seconds
    assert limit is not None
    assert attempts[attack.sentence].result().act_seconds <= limit + MAX_BEYOND_SECONDS
