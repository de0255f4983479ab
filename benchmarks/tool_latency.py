"""The time of a tool call over the stream, compared with a plain `docker exec`; the calls alternate.

    python -m benchmarks.tool_latency [--calls 100]

If mini-swe-agent is installed (`pip install mini-swe-agent`), the time of its Docker environment for the same command
is measured in the same way, in a container of the same image.

Promised (medians): a file tool in at most 3 ms; a terminal command in at most 6 ms above the command itself.
Exits with 1 when a promise is broken.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from uuid import uuid4

from benchmarks.command_line import benchmark_parser, conclude
from harness.sandbox.base import ContainerUse, Owner, ToolReply
from harness.sandbox.docker import DockerEngine
from tests.harness.worlds import tiny_dataset

FILE_LIMIT_MS = 3.0
COMMAND_LIMIT_MS = 6.0
TURN = 10
PAUSE_SECONDS = 0.1


# A program for the container: it prints the milliseconds that `bash -c true` takes there.
ITSELF = """python3 -I -c '
import statistics, subprocess, time
times = []
for _ in range(40):
    began = time.perf_counter()
    subprocess.run(["bash", "-c", "true"])
    times.append(1000 * (time.perf_counter() - began))
print(statistics.median(times))'"""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; times in milliseconds."""

    name: str
    stream: list[float]
    exec: list[float]

    def __str__(self) -> str:
        ratio = median(self.exec) / median(self.stream)
        return f"{self.name:<30}{_cells(self.stream)}   {_cells(self.exec)}   {ratio:>6.0f} ×"


@dataclass(frozen=True, slots=True)
class Rig:
    """The same calls over the stream and with `docker exec`."""

    read_stream: Callable[[], object]
    read_exec: Callable[[], object]
    true_stream: Callable[[], object]
    true_exec: Callable[[], object]
    itself: Callable[[], object]
    true_other: Callable[[], object] | None


@contextmanager
def other_harness(image: str) -> Iterator[Callable[[], object] | None]:
    """`true` through mini-swe-agent's own Docker environment; None where it is not installed."""
    try:
        from minisweagent.environments.docker import DockerEnvironment  # noqa: PLC0415 - not one of our packages
    except ImportError:
        yield None
        return
    environment = DockerEnvironment(
        image=image,
        cwd="/app",
        run_args=["--rm", "--init", "--network=none", "--entrypoint="],
        logger=logging.getLogger("mini-swe-agent"),
    )

    def call() -> object:
        output = environment.execute({"command": "true"})
        assert output["returncode"] == 0, output
        return output

    try:
        yield call
    finally:
        environment.cleanup()


@contextmanager
def rig() -> Iterator[Rig]:
    """The calls in a workspace with its tool server."""
    engine = DockerEngine()
    owner = Owner(f"benchmark-{uuid4().hex[:8]}", "tool-latency")
    with tempfile.TemporaryDirectory() as directory:
        repository = tiny_dataset(Path(directory)).repository("calc")
        with (
            engine.workspace(repository, ContainerUse(owner)) as workspace,
            other_harness(engine.image(repository)) as other,
        ):
            listing = ("docker", "ps", "-q", "--filter", f"label=benchbench.instance={owner.instance}")
            container = subprocess.run(listing, check=True, capture_output=True, text=True).stdout.strip()

            def stream(tool: str, **arguments: object) -> Callable[[], object]:
                def call() -> object:
                    reply = workspace.call(tool, {"explanation": "benchmark", **arguments}, timeout=30)
                    assert reply.ok, reply.content
                    return reply

                return call

            def plain(*command: str) -> Callable[[], object]:
                line = ["docker", "exec", container, *command]
                return lambda: subprocess.run(line, check=True, capture_output=True)

            yield Rig(
                read_stream=stream("read_file", path="calc/digits.py"),
                read_exec=plain("cat", "calc/digits.py"),
                true_stream=stream("run_terminal_cmd", command="true", background=False),
                true_exec=plain("bash", "-c", "true"),
                itself=stream("run_terminal_cmd", command=ITSELF, background=False),
                true_other=other,
            )
    engine.close()


def in_turns(calls: int, *works: Callable[[], object]) -> list[list[float]]:
    """Milliseconds of each call. The functions take turns of ten calls, so that a busy machine slows all of them.

    A turn begins with a pause and an unmeasured call, because the engine still cleans up after an exec.
    """
    times: list[list[float]] = [[] for _ in works]
    for start in range(0, calls, TURN):
        for work, measured in zip(works, times, strict=True):
            time.sleep(PAUSE_SECONDS)
            work()
            for _ in range(min(TURN, calls - start)):
                began = time.perf_counter()
                work()
                measured.append(1000 * (time.perf_counter() - began))
    return times


def main() -> int:
    """Prints the table; 1 when a promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--calls", type=int, default=100, help="how often each is measured (default 100)")
    calls = max(2, parser.parse_args().calls)
    with rig() as both:
        read = Row("read_file", *in_turns(calls, both.read_stream, both.read_exec))
        before = command_itself(both)
        others = [] if both.true_other is None else [both.true_other]
        stream, plain, *other = in_turns(calls, both.true_stream, both.true_exec, *others)
        true = Row("run_terminal_cmd 'true'", stream, plain)
        itself = (before + command_itself(both)) / 2
    print(f"{calls} calls each; milliseconds, median (p95)\n")
    print(f"{'':<30}{'tool stream':>16}   {'docker exec':>16}   {'ratio':>8}")
    print(read, true, sep="\n")
    for times in other:
        ratio = median(times) / median(true.stream)
        print(f"{'  mini-swe-agent, Docker':<30}{'':>16}   {_cells(times)}   {ratio:>6.0f} ×")
    above = median(true.stream) - itself
    print(f"\n'true' itself, in the container: {itself:.2f}; the tool adds {above:.2f}")
    return conclude(median(read.stream) <= FILE_LIMIT_MS and above <= COMMAND_LIMIT_MS)


def command_itself(both: Rig) -> float:
    """Milliseconds of the command alone."""
    reply = both.itself()
    assert isinstance(reply, ToolReply)
    return float(reply.content.split()[-1])


def _cells(times: list[float]) -> str:
    return f"{median(times):>7.2f} ({quantiles(times, n=20)[-1]:>6.2f})"


if __name__ == "__main__":
    sys.exit(main())
