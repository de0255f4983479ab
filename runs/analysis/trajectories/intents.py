"""The stated intent of tool calls: the targets and the expectation in `explanation`, compared with what happened."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from harness.records import FileEdit
from runs.analysis.trajectories.exits import exit_code
from runs.analysis.trajectories.trace import Iteration, Trace, TracedCall

EXPLANATION = "explanation"
MAX_LENGTH = 2_000  # characters that are read of one explanation
EXPECTING = frozenset({"expect", "expecting", "should", "will"})
EXPECTING_FAILURE = (
    "should fail", "should still fail", "should error", "to fail", "to still fail", "will fail", "will still fail",
    "expect failure", "expect a failure", "expect failures", "expect an error", "expect errors",
)  # fmt: skip
SUFFIXES = frozenset({
    "c", "cc", "cfg", "cjs", "cpp", "cs", "css", "go", "gradle", "h", "hpp", "html", "ini", "java", "js", "json", "jsx",
    "kt", "lock", "md", "mjs", "php", "properties", "py", "rb", "rs", "scss", "sh", "sql", "swift", "toml", "ts", "tsx",
    "txt", "vue", "xml", "yaml", "yml",
})  # fmt: skip
MIN_SYMBOL_LENGTH = 3
MAX_DEPTH = 30  # directories of a path that are compared

_TOKEN = re.compile(r"[\w./-]+(?:\(\))?")
_QUOTED = re.compile(r"`([^`\s]{1,200})`")
_IDENTIFIER = re.compile(r"\w+")
_CAMEL = re.compile(r"[a-z0-9][A-Z]")


@dataclass(frozen=True, slots=True)
class Intents:
    """The counts of one run.

    `explained`: calls with an explanation. `targets`: files and symbols that the explanations of edits name, each once
    a call; `hit`: those of them that the edit changed. `expectations`: calls with a result whose explanation expects
    success or failure; `met`: those that ended so.
    """

    explained: int = 0
    targets: int = 0
    hit: int = 0
    expectations: int = 0
    met: int = 0


@dataclass(frozen=True, slots=True)
class Targets:
    """The files and symbols that a text names, each once."""

    files: frozenset[str]
    symbols: frozenset[str]

    def __len__(self) -> int:
        return len(self.files) + len(self.symbols)


def intents(trace: Trace) -> Intents:
    """Counts the stated targets and expectations of a run. The time is linear in the length of its texts."""
    explained = targets = hit = expectations = met = 0
    for iteration in trace.iterations:
        for call in iteration.calls:
            text = explanation_of(call)
            if not text:
                continue
            explained += 1
            if call.attempts_edit:
                named = targets_in(text, call.paths)
                targets += len(named)
                hit += _hits(named, _changed_by(call, iteration)) if named else 0
            expected = expects_success(text)
            if call.returned and expected is not None:
                expectations += 1
                met += expected is succeeded(call)
    return Intents(explained, targets, hit, expectations, met)


def explanation_of(call: TracedCall) -> str:
    """The beginning of the explanation of a call; '' without one."""
    text = call.arguments.get(EXPLANATION)
    return text[:MAX_LENGTH].strip() if isinstance(text, str) else ""


def targets_in(text: str, paths: Sequence[str] = ()) -> Targets:
    """The files and symbols that an explanation names.

    A file has a suffix of SUFFIXES, or the name of one of `paths`. A symbol is an identifier that is written as code:
    in backquotes, with () after it, with an underscore inside, or in camel case. Of a dotted name the last part counts.
    """
    quoted = set(_QUOTED.findall(text))
    bases = {PurePosixPath(path).name for path in paths}
    files, symbols = set(), set()
    for token in (*_TOKEN.findall(text), *quoted):
        word = token.removesuffix("()").strip(".-/")
        name = word.rpartition("/")[2]
        if (name.rpartition(".")[2].lower() in SUFFIXES and "." in name) or name in bases:
            files.add(word.removeprefix("./"))
            continue
        symbol = name.rpartition(".")[2]
        as_code = token in quoted or token.endswith("()") or "_" in symbol.strip("_") or _CAMEL.search(symbol)
        if as_code and len(symbol) >= MIN_SYMBOL_LENGTH and symbol.isidentifier():
            symbols.add(symbol)
    return Targets(frozenset(files), frozenset(symbols))


def expects_success(text: str) -> bool | None:
    """Whether an explanation expects that the call succeeds, or that it fails; None: it states no expectation."""
    words = _IDENTIFIER.findall(text.lower())
    plain = f" {' '.join(words)} "
    if any(f" {cue} " in plain for cue in EXPECTING_FAILURE):
        return False
    return True if not EXPECTING.isdisjoint(words) else None


def succeeded(call: TracedCall) -> bool:
    """Whether a call succeeded: its tool reports no error, and its command, if any, ended with 0."""
    return call.ok and not exit_code(call)


def _changed_by(call: TracedCall, iteration: Iteration) -> list[FileEdit]:
    """What a call changed: of the files of its step those that it names, or all if it names none."""
    return [file for file in iteration.changes if not call.paths or file.path in call.paths]


def _hits(named: Targets, changed: Sequence[FileEdit]) -> int:
    paths = {file.path for file in changed}
    ends = {end for path in paths for end in _ends(path)}
    # A name may be shorter than the path (tide.py), or longer (/app/src/tide.py).
    files = sum(name in ends or not paths.isdisjoint(_ends(name)) for name in named.files)
    if not named.symbols:
        return files
    return files + len(named.symbols & {word for file in changed for word in _IDENTIFIER.findall(file.diff)})


def _ends(path: str) -> Iterator[str]:
    """The path, and what remains of it without its first directories; of very deep paths, the shortest ones."""
    parts = path.split("/")
    return ("/".join(parts[place:]) for place in range(max(0, len(parts) - MAX_DEPTH), len(parts)))
