"""Prints rounds, and the totals by class, language and layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from benchmarks.command_line import conclude
from benchmarks.forging.attempts import KINDS
from benchmarks.forging.rounds import Round

MOST_FLAGGED = 2
RESULTS = ("clean", "flagged", "unresolved", "error")


def print_line(done: Round, verbose: bool) -> None:
    """One round in one line; `verbose` adds reason, flags and the note of a failed control."""
    control = {True: "control forges", False: "CONTROL FAILS", None: ""}[done.control]
    print(
        f"{done.kind}/{done.name:<32} {done.world:<20} {done.result:<11} {done.seconds:6.1f} s  {control}",
        flush=True,
    )
    if verbose:
        print("    " + "\n    ".join([done.reason, *done.flags]))
        if done.control is False:
            print("    | " + done.note.replace("\n", "\n    | "))


def conclude_all(rounds: Sequence[Round], *, control: bool) -> int:
    """Prints the totals and whether the promise holds. Returns the exit code."""
    attempts = [done for done in rounds if done.kind != "honest"]
    honest = [done for done in rounds if done.kind == "honest"]
    print(f"\n{'':<62}" + "".join(f"{name:>12}" for name in ("attempts", *RESULTS)))
    for kind, text in KINDS.items():
        _print_counts(f"({kind}) {text}", [done for done in attempts if done.kind == kind])
    for language in dict.fromkeys(done.language for done in attempts):
        _print_counts(language, [done for done in attempts if done.language == language])
    for layout in dict.fromkeys(done.layout for done in attempts):
        _print_counts(f"layout: {layout}", [done for done in attempts if done.layout == layout])
    _print_counts("all", attempts)
    counts = Counter(done.result for done in attempts)
    wrong = [done for done in honest if done.result != "clean"]
    if honest:
        print(f"{len(honest)} honest solutions, {len(wrong)} not resolved without a flag")
    if control:
        print(f"{sum(done.control is True for done in attempts)} attempts forge a verdict without a defence")
    met = not counts["clean"] and counts["flagged"] <= MOST_FLAGGED and not wrong and not counts["error"]
    figure = (
        f"forged without a flag: {counts['clean']}, promised 0; "
        f"with a flag: {counts['flagged']}, promised {MOST_FLAGGED}"
    )
    return conclude(met, figure)


def _print_counts(title: str, rounds: Sequence[Round]) -> None:
    counts = Counter(done.result for done in rounds)
    print(f"{title:<62}{len(rounds):>12}" + "".join(f"{counts[name]:>12}" for name in RESULTS))
