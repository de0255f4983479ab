"""The text of a run that judges see: numbered steps, then the final changes.

Judges see what the user and the agent wrote, the calls and their results, and the difference that the agent left. They
do not see the settings and the instructions of the agent (steps with source "system"), times, tokens, costs, pictures,
nor anything of the run's identity, outcome, tests or grading: none of these is read here. Where an agent names itself
or its model in its own words, that is part of the transcript and stays.

Each line of content begins with `| `, headers and notices never do. So no content can imitate a header, a notice or the
end of the transcript. Lines are split wherever Unicode allows a line break. Control characters, changes of direction
and tags are shown as escapes (`lookup.visible`).

A transcript that is longer than the limit is reduced in this order; each time the longest parts of a kind are
cut in their middle to one common length, as little as is needed, and no further than its least length (`MIN_LENGTHS`):
results, arguments of calls, reasoning, final changes, messages. If that is not enough, whole steps are left out, those
in the middle first, and the user's last. Each cut is stated where it was made. The final changes have limits of their
own in any case: 60,000 characters a file, 150,000 or half of the limit together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from harness.judges.lookup import PREFIX, Fragment, QuoteIndex, plain_of, visible
from harness.judges.reduction import Part, Piece, limits_for, steps_left_out
from harness.llm.replies import well_formed
from harness.records import RunRecord, Step, ToolCall

RENDERING_VERSION = 1
SOURCES = ("user", "agent", "system")
MAX_OF_A_FILE, MAX_OF_THE_PATCH = 60_000, 150_000
MAX_OF_A_BINARY_FILE = 400
SLOWEST_SHRINK = 0.97
_TRIES = 60


@dataclass(frozen=True, slots=True)
class Cut:
    """What was left out of a part, in characters. `step` 0 and `part` '' for whole steps and whole files."""

    step: int
    part: str
    characters: int


@dataclass(frozen=True, slots=True)
class Rendered:
    """The text of one run for judges.

    `digest`: SHA-256 of the text, 64 hexadecimal digits. `shown_share`: the part of the characters of messages,
    reasoning, calls, results and final changes that it holds, 0 to 1. `last_step`: the number of the final changes, one
    more than that of the last step. `index` finds quotes in it.
    """

    text: str = field(repr=False)
    digest: str
    fragments: tuple[Fragment, ...] = field(repr=False)
    cuts: tuple[Cut, ...] = field(repr=False)
    shown_share: float
    last_step: int
    index: QuoteIndex = field(repr=False, compare=False)


def render(record: RunRecord, *, most_characters: int) -> Rendered:
    """The text of a run, of at most `most_characters`. Reads the trajectory and the final patch, nothing else.

    Raises ValueError if the limit is too small for anything, and for a trajectory that cannot be read.
    """
    try:
        steps = list(record.steps())
        return render_steps(steps, record.patch(), most_characters=most_characters)
    except (LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        # The records of imported runs may hold anything.
        raise ValueError(f"{record.directory}: the trajectory cannot be read: {error!r}") from error


def render_steps(steps: Sequence[Step], patch: bytes, *, most_characters: int) -> Rendered:
    """The text of these steps and of the changes that they left. See `render`."""
    last_step = max((step.step_id for step in steps), default=0) + 1
    of_steps, changes = [_piece(step) for step in steps], patch_text(patch)
    # The costs of prefixes and notices are estimates, so a text may turn out too long.
    allowed = float(most_characters)
    for _ in range(_TRIES):
        pieces = [*of_steps, _final_changes(changes, last_step, min(MAX_OF_THE_PATCH, int(allowed / 2)))]
        limits = limits_for(pieces, int(allowed))
        left_out = steps_left_out(pieces, limits, int(allowed))
        made = _Writer(limits, left_out)
        text = made.write(pieces)
        if len(text) <= most_characters:
            break
        allowed *= min(SLOWEST_SHRINK, most_characters / len(text))
    else:
        raise ValueError(f"most_characters: {most_characters:,} are too few for this transcript")
    total = sum(part.length for piece in pieces for part in piece.parts)
    shown = sum(len(fragment.text) for fragment in made.fragments)
    return Rendered(
        text,
        made.digest,
        tuple(made.fragments),
        tuple(made.cuts),
        shown / total if total else 1.0,
        last_step,
        QuoteIndex(made.fragments, made.plain_texts),
    )


def call_text(call: ToolCall) -> str:
    """A call as judges see it: a line with the tool, then each argument; texts as they are, other values as JSON."""
    lines = [f"tool: {call.name}"]
    for name, value in call.arguments.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        lines.append(f"{name}: {shown}")
    return "\n".join(lines)


def patch_text(patch: bytes) -> str:
    """The final patch as text; spans of quotes in part `patch` count its characters."""
    return patch.decode("utf-8", "replace")


def _piece(step: Step) -> Piece:
    """The parts of a step. Those of an agent's configuration are not shown and not counted."""
    number, source = step.step_id, step.source if step.source in SOURCES else "other"
    if source == "system":
        return Piece(number, source, (), ("[the agent's configuration is not shown]",))
    parts = [Part("message", "message", "message", well_formed(step.message))]
    if step.reasoning:
        parts.insert(0, Part("reasoning", "reasoning", "reasoning", well_formed(step.reasoning)))
    for count, call in enumerate(step.calls, start=1):
        parts.append(Part("call", f"call:{count}", f"call {count}", well_formed(call_text(call))))
    numbers = {call.id: count for count, call in enumerate(step.calls, start=1)}
    for count, result in enumerate(step.results, start=1):
        number_of_call = numbers.get(result.call_id, count)
        title = f"result {number_of_call}" + (" (the call failed)" if result.ok is False else "")
        if pictures := len(result.artifacts):
            title += f" (without {pictures} picture{'s' if pictures > 1 else ''})"
        parts.append(Part("result", f"result:{number_of_call}", title, well_formed(result.content)))
    return Piece(number, source, tuple(part for part in parts if part.text))


def _final_changes(whole: str, number: int, left: int) -> Piece:
    """The files of the patch, each a part with its limit; together they have at most `left` characters."""
    if not whole:
        return Piece(number, "final changes", (), ("[no file was changed]",))
    starts = [0, *(at + 1 for at in _all_places(whole, "\ndiff --git ")), len(whole)]
    parts: list[Part] = []
    for count, (start, end) in enumerate(pairwise(starts), start=1):
        text = whole[start:end]
        binary = "\nGIT binary patch\n" in text[:MAX_OF_A_FILE]
        most = min(MAX_OF_A_BINARY_FILE if binary else MAX_OF_A_FILE, left)
        parts.append(Part("file", "patch", f"file {count}", text, start, most))
        left -= min(most, len(text))
    return Piece(number, "final changes", tuple(parts))


def _all_places(text: str, what: str) -> Iterator[int]:
    place = text.find(what)
    while place >= 0:
        yield place
        place = text.find(what, place + 1)


class _Writer:
    """Writes the text, and remembers what it shows and what it leaves out."""

    def __init__(self, limits: dict[str, int], left_out: frozenset[int]) -> None:
        self.limits = limits
        self.left_out = left_out  # indexes of pieces
        self.fragments: list[Fragment] = []
        self.plain_texts: list[str] = []  # of the fragments, as quotes are compared
        self.cuts: list[Cut] = []
        self.digest = ""
        self._lines: list[str] = []

    def write(self, pieces: Sequence[Piece]) -> str:
        """The whole text. Its fence has a code that depends on all content, so content cannot contain it."""
        gap: list[Piece] = []
        for number, piece in enumerate(pieces):
            if number in self.left_out:
                gap.append(piece)
                continue
            self._write_gap(gap)
            gap = []
            self._lines += [f"[{piece.number}] {piece.source}", *piece.notes]
            self._write_parts(piece)
        body = "\n".join(self._lines)
        encoded = body.encode()
        code = hashlib.sha256(encoded).hexdigest()[:16]
        first, last = f"===== transcript {code} begins =====\n", f"\n===== transcript {code} ends ====="
        digest = hashlib.sha256(first.encode())
        digest.update(encoded)
        digest.update(last.encode())
        self.digest = digest.hexdigest()
        return f"{first}{body}{last}"

    def _write_gap(self, gap: Sequence[Piece]) -> None:
        if not gap:
            return
        characters = sum(part.length for piece in gap for part in piece.parts)
        first, last = gap[0].number, gap[-1].number
        which = f"step {first} is" if len(gap) == 1 else f"steps {first} to {last} are"
        self._lines.append(f"[... {which} left out, {characters:,} characters]")
        self.cuts.append(Cut(0, "", characters))

    def _write_parts(self, piece: Piece) -> None:
        unseen: list[Part] = []
        for part in piece.parts:
            limit = min(self.limits[part.kind], part.most)
            if not limit:
                unseen.append(part)
                continue
            self._lines.append(part.title)
            if part.length <= limit:
                self._show(piece, part, 0, part.length)
                continue
            head = limit if part.kind == "file" else limit * 2 // 3
            tail = part.length - (limit - head)
            self._show(piece, part, 0, head)
            self._lines.append(f"[... {tail - head:,} characters of this {part.kind} are left out]")
            self.cuts.append(Cut(piece.number, part.name, tail - head))
            self._show(piece, part, tail, part.length)
        if unseen:
            characters = sum(part.length for part in unseen)
            self._lines.append(f"[... {len(unseen):,} more files are left out, {characters:,} characters]")
            self.cuts.append(Cut(0, "", characters))

    def _show(self, piece: Piece, part: Part, first: int, last: int) -> None:
        if first >= last:
            return
        text = part.text[first:last]
        self.fragments.append(Fragment(piece.number, part.name, part.start + first, text))
        shown = visible(text)
        self.plain_texts.append(plain_of(shown))
        lines = shown.splitlines() or [""]
        self._lines.append(PREFIX + f"\n{PREFIX}".join(lines))
