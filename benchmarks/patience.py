"""What a provider that limits requests for a while costs the runs that use it.

    python -m benchmarks.patience [--seconds 600] [--runs 8] [--workers 2]

Real workers with real containers, and a scripted model. When half of the calls have been answered, the model refuses
every request for `--seconds`, in the words of ten providers, with and without hints, some of them of a moment.
Promised: every run is resolved by its first try, no step is made twice, no call is paid twice, and the budget's ledger
is the server's own count of calls. Baseline: the number of refused requests that as many workers would send without
holding one another back, one every ten seconds each. Exits with 1 when the promise is broken.
"""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from benchmarks.command_line import benchmark_parser, conclude
from benchmarks.processes import wait
from benchmarks.worker_site import worker_site
from harness.llm.scripted_server import ModelServer, Request
from tests.harness.worlds import SOLUTION

USAGE = {"prompt": 1000, "completion": 100}
DOLLARS = (1000 * 2 + 100 * 10) / 1e6  # of one call
RETRY_DELAY = 10.0  # of the default settings
READY_SECONDS = 600.0
LIMITS: tuple[Mapping[str, Any], ...] = (
    {"status": 429, "headers": {"retry-after-ms": "250"}, "message": "Rate limit reached for requests"},
    {"status": 429, "headers": {"Retry-After": "1"}, "message": "This request would exceed your rate limit."},
    {"status": 429, "message": "Rate limit reached on tokens per min (TPM). Please try again in 1.2s."},
    {"status": 429, "message": "You exceeded your current quota per minute. Please retry in 2.5s."},
    {"status": 529, "message": "Overloaded"},
    {"status": 503, "message": "The engine is currently overloaded, please try again later"},
    {"status": 400, "message": "ThrottlingException: Too many requests, please wait."},
    {"status": 429, "headers": {"Retry-After": "0"}, "message": "Too Many Requests"},
    {"status": 429, "message": "Requests rate limit exceeded, code 1302"},
    {"status": 403, "message": "You have exceeded a secondary rate limit."},
)


class LimitedModel:
    """Solves the task in six calls; refuses for a while once `after` calls have been served."""

    def __init__(self, after: int, seconds: float) -> None:
        self.after = after
        self.seconds = seconds
        self.served: Counter[tuple[int, int]] = Counter()  # by seed, which is the attempt, and turn
        self.refused = 0
        self.refuses_until: float | None = None
        self._lock = threading.Lock()
        writes = [_call("write_file", path=path, content=text) for path, text in SOLUTION.items()]
        look = {"calls": [_call("list_dir", path=".")]}
        self._turns: list[dict[str, Any]] = [
            look,
            look,
            {"calls": writes[:1]},
            {"calls": writes[1:]},
            look,
            {"text": "Finished."},
        ]

    @property
    def calls(self) -> int:
        """How many calls one run needs."""
        return len(self._turns)

    def respond(self, request: Request) -> Mapping[str, Any]:
        """The next turn of the run, or a refusal."""
        with self._lock:
            if self.refuses_until is None and self.served.total() >= self.after:
                self.refuses_until = time.monotonic() + self.seconds
            if self.refuses_until is not None and time.monotonic() < self.refuses_until:
                self.refused += 1
                return {"before": [LIMITS[self.refused % len(LIMITS)]] * 10_000}
            self.served[request.body["seed"], request.turn] += 1
        return {**self._turns[request.turn], "usage": USAGE}


def _call(name: str, **arguments: Any) -> dict[str, Any]:
    return {"name": name, "arguments": {"explanation": "As the script says.", **arguments}}


def main() -> int:
    """Prints the figures; 1 when the promise is broken."""
    parser = benchmark_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    model = LimitedModel(0, options.seconds)
    model.after = options.runs * model.calls // 2
    with ExitStack() as stack:
        site = stack.enter_context(worker_site())
        server = stack.enter_context(ModelServer(model.respond))
        evaluation = _start(site, server.url, options.runs)
        for _ in range(options.workers):
            stack.enter_context(site.worker())
        began = time.monotonic()
        wait("the end of the runs", lambda: _is_finished(evaluation), options.seconds + READY_SECONDS)
        seconds = time.monotonic() - began
        problems = _problems(evaluation, model)
    waiting = min(options.workers, options.runs)
    print(
        f"{options.runs} runs, {options.workers} workers, {options.seconds:.0f} s of limits: {seconds:.0f} s in all"
    )
    print(f"  calls served    {model.served.total():6}   of {options.runs * model.calls} that the runs need")
    print(
        f"  calls refused   {model.refused:6}   {waiting * options.seconds / RETRY_DELAY:.0f} without a shared brake"
    )
    return conclude(not problems, "; ".join(problems))


def _start(site: Any, url: str, runs: int) -> Any:
    from runs.models import Agent, LanguageModel  # noqa: PLC0415 - needs Django

    model = LanguageModel.objects.create(
        slug="limited",
        name="Limited",
        provider="own",
        litellm_id="openai/limited",
        api_base=url,
        input_price=2.0,
        output_price=10.0,
    )
    agent = Agent.objects.create(
        slug="limited", name="Limited", kind="ide", model=model, settings={"seed": 1}
    )
    return site.evaluate("Limits", [agent], runs)


def _is_finished(evaluation: Any) -> bool:
    evaluation.refresh_from_db()
    return bool(evaluation.state == evaluation.State.FINISHED)


def _problems(evaluation: Any, model: LimitedModel) -> list[str]:
    from django.db.models import Sum  # noqa: PLC0415 - needs Django

    from runs.models import Try  # noqa: PLC0415

    runs = list(evaluation.runs.order_by("pk"))
    lost = [run for run in runs if run.outcome != "resolved" or run.tries != 1]
    twice = [key for key, count in model.served.items() if count > 1]
    spent = Try.objects.aggregate(sum=Sum("spent_usd"))["sum"] or 0.0
    due = model.served.total() * DOLLARS
    found = [f"{run.key}: {run.outcome or run.state}, {run.tries} tries: {run.detail}" for run in lost]
    if twice:
        found.append(f"{len(twice)} steps were asked for twice")
    if abs(spent - due) > 1e-9:
        found.append(f"the ledger says ${spent:.6f}, the server's calls cost ${due:.6f}")
    return found


if __name__ == "__main__":
    sys.exit(main())
