"""Whether a patch changes the same places, kinds and names as the reference patch, not whether it is correct."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from harness.patches import Change
from runs.analysis.features.base import Category, Evidence, flag
from runs.analysis.features.names import names_of
from runs.analysis.features.scopes import Structure, defined, structure

NEAR = 10
Place = tuple[str, str]
Span = tuple[int, int]
Sources = tuple[tuple[str, str], ...]


class PatchNames(NamedTuple):
    """Variables that a patch assigns and functions that it calls, with their files."""

    assigned: set[Place]
    called: set[Place]


def scopes_of(
    changes: Iterable[Change], sources: Mapping[str, str], kind: Literal["function", "class"]
) -> set[Place]:
    """The functions or classes, with their files, that contain the changes or are defined by them."""
    scopes: set[Place] = set()
    for change in changes:
        known = structure(change.file, sources.get(change.file, ""))
        if known is not None:
            scopes.update((change.file, name) for name in _touched(change, known, kind))
    return scopes


def _touched(change: Change, known: Structure, kind: Literal["function", "class"]) -> Iterable[str]:
    lines = range(change.old_start, change.old_start + len(change.removed))
    within = {known.at(line) for line in lines}
    text = [line for line in change.added if line.strip()]
    if not change.removed and text:
        within = {known.inserted(change.old_start, text[0])}
    for scope in within:
        if scope is not None and (nearest := scope.nearest(kind)) is not None:
            yield nearest.name
    for line in text:
        new = defined(line, known.python)
        if new is not None and new[1] == kind:
            around = known.inserted(change.old_start, line)
            yield f"{around.name}.{new[0]}" if around is not None else new[0]


def spans_of(changes: Iterable[Change]) -> dict[str, list[Span]]:
    """File → regions, as first and last line before the patch. An insertion is the two lines around it."""
    spans: dict[str, list[Span]] = defaultdict(list)
    for change in changes:
        last = change.old_start + len(change.removed) - 1
        spans[change.file].append((min(change.old_start, last), max(change.old_start, last)))
    return spans


def _merged(spans: Sequence[Span], margin: int) -> list[Span]:
    """The spans extended by `margin` lines, merged if they overlap, in order."""
    merged: list[Span] = []
    for first, last in sorted((first - margin, last + margin) for first, last in spans):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def regions_hit(ours: Iterable[Change], theirs: Iterable[Change], margin: int) -> tuple[int, int]:
    """The number of regions of `theirs` with one of `ours` within `margin` lines, and the number of all `theirs`."""
    mine = {file: _merged(spans, margin) for file, spans in spans_of(ours).items()}
    hits = total = 0
    for file, spans in spans_of(theirs).items():
        apart = mine.get(file, [])
        starts = [first for first, _ in apart]
        for first, last in spans:
            total += 1
            place = bisect_right(starts, last) - 1
            hits += place >= 0 and apart[place][1] >= first
    return hits, total


def _same_file(run: Evidence) -> float | None:
    if run.patch_files is None or run.reference_files is None:
        return None
    return flag(not run.patch_files.isdisjoint(run.reference_files))


def _same_scope(run: Evidence, kind: Literal["function", "class"]) -> float | None:
    sources = run.exercise.sources
    if run.comparable is None or sources is None:
        return None
    ours, theirs = run.comparable
    wanted = _known_scopes(theirs, _relevant(theirs, sources), kind)
    return flag(not wanted.isdisjoint(scopes_of(ours, sources, kind))) if wanted else None


def _location_score(run: Evidence) -> float | None:
    if run.comparable is None:
        return None
    hits, total = regions_hit(*run.comparable, NEAR)
    return hits / total if total else None


def _same_region(run: Evidence) -> float | None:
    if run.comparable is None:
        return None
    hits, total = regions_hit(*run.comparable, 0)
    return flag(hits > 0) if total else None


def change_type(changes: Iterable[Change]) -> str:
    """`add`: lines are only added; `remove`: only removed; `modify`: both; '' for no line at all."""
    added = removed = False
    for change in changes:
        added |= bool(change.added)
        removed |= bool(change.removed)
    return "modify" if added and removed else "add" if added else "remove" if removed else ""


def _same_type(run: Evidence) -> float | None:
    if run.comparable is None:
        return None
    ours, theirs = map(change_type, run.comparable)
    return flag(ours == theirs) if theirs else None


def _names(run: Evidence) -> tuple[PatchNames, PatchNames] | None:
    """The names in both patches; None if they are not comparable."""
    if run.comparable is None:
        return None
    ours, theirs = run.comparable
    sources = run.exercise.sources or {}
    return names_in(ours, sources), _known_names(theirs, _relevant(theirs, sources))


def names_in(changes: Iterable[Change], sources: Mapping[str, str]) -> PatchNames:
    """The variables that changes assign and the functions that they call, with their files."""
    by_file: dict[str, list[Change]] = defaultdict(list)
    for change in changes:
        by_file[change.file].append(change)
    used = PatchNames(set(), set())
    for file, theirs in by_file.items():
        # A new file has one change and no source before it.
        source = sources.get(file, "" if len(theirs) == 1 and not theirs[0].removed else None)
        names = names_of(file, theirs, source)
        used.assigned.update((file, name) for name in names.assigned)
        used.called.update((file, name) for name in names.called)
    return used


# Cached for reference patches, which many runs share.


def _relevant(changes: Iterable[Change], sources: Mapping[str, str]) -> Sources:
    files = dict.fromkeys(change.file for change in changes)
    return tuple((file, sources[file]) for file in files if file in sources)


@lru_cache(maxsize=32)
def _known_scopes(
    changes: tuple[Change, ...], sources: Sources, kind: Literal["function", "class"]
) -> set[Place]:
    return scopes_of(changes, dict(sources), kind)


@lru_cache(maxsize=16)
def _known_names(changes: tuple[Change, ...], sources: Sources) -> PatchNames:
    return names_in(changes, dict(sources))


def _same_variable(run: Evidence) -> float | None:
    both = run.once(_names)
    if both is None or not both[1].assigned:
        return None
    return flag(not both[0].assigned.isdisjoint(both[1].assigned))


def _same_call(run: Evidence) -> float | None:
    both = run.once(_names)
    if both is None or not both[1].called:
        return None
    return flag(not both[0].called.isdisjoint(both[1].called))


_CATEGORY = Category("semantic")
_UNKNOWN = "Undefined without a reference patch, or if a patch is unreadable."
_SCOPES = (
    "Python files are parsed, other languages are read by indentation and patterns of definitions. Added "
    "definitions are compared by name. Undefined without the sources, and if the reference changes none."
)
_NAMES = (
    "In the same file, on lines that the patches add or remove; Python files are parsed, other languages "
    "are read by patterns of lines. Undefined if the reference has none. Defined here."
)

FEATURES = (
    _CATEGORY.reference(
        "fixes_same_file", f"Whether the patches have a file in common. {_UNKNOWN}", _same_file
    ),
    _CATEGORY.reference(
        "fixes_same_function",
        f"Whether both patches change the same innermost function (appendix A.6). {_SCOPES} {_UNKNOWN}",
        lambda run: _same_scope(run, "function"),
    ),
    _CATEGORY.reference(
        "fixes_same_class",
        f"Whether both patches change the same innermost class. {_SCOPES} {_UNKNOWN}",
        lambda run: _same_scope(run, "class"),
    ),
    _CATEGORY.reference(
        "fixes_same_code_region",
        "Whether a region of the patch shares a line with a region of the reference; the paper's code "
        "requires a location score above 0.3. A region is a block of changed lines, numbered as before the "
        f"patch; an insertion is the two lines around it. {_UNKNOWN} Defined here.",
        _same_region,
    ),
    _CATEGORY.reference(
        "location_score",
        "Share of the reference's regions with a region of the patch within 10 lines, 0 to 1 (equation 17; "
        f"only the paper's code has a distance, and it counts a nearby region as half). {_UNKNOWN}",
        _location_score,
    ),
    _CATEGORY.reference(
        "change_type_match",
        "Whether both patches only add lines, both only remove lines, or both do both (appendix A.6; the "
        f"paper's code has eight types). An empty patch matches no type. {_UNKNOWN}",
        _same_type,
    ),
    _CATEGORY.reference(
        "modifies_same_variable",
        f"Whether both patches assign the same variable or attribute. {_NAMES} {_UNKNOWN}",
        _same_variable,
    ),
    _CATEGORY.reference(
        "modifies_same_call",
        f"Whether both patches call the same function or method. {_NAMES} {_UNKNOWN}",
        _same_call,
    ),
)
