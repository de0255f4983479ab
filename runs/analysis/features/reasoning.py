"""Cues of reasoning in the text of an agent: heuristics with English phrases, case-insensitive, whole words."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from runs.analysis.features.base import Basis, Evidence, Feature, flag, has_word, says, spoken
from runs.analysis.trajectories.keywords import keywords

DELIBERATION = (
    "i think", "i believe", "i suspect", "i expect", "i wonder", "let me think", "let's think",
    "it seems", "it looks like", "this suggests", "this means", "this indicates", "that means",
    "which means", "therefore", "because", "the reason", "in order to", "my plan", "the plan is",
    "probably", "likely", "apparently", "presumably", "on the other hand",
)  # fmt: skip
HYPOTHESIS = (
    "i think", "i believe", "i suspect", "my guess", "my hypothesis", "hypothesis", "probably",
    "likely", "presumably", "might be", "may be caused", "could be caused", "seems to be",
    "appears to be", "the issue is", "the problem is", "the bug is", "the fault is", "the cause is",
    "root cause", "the culprit", "is caused by", "the reason is", "this suggests",
)  # fmt: skip
EXPLANATION = (
    "because", "so that", "in order to", "therefore", "the reason", "instead of", "rather than",
    "otherwise", "this fixes", "this ensures", "this makes", "this avoids", "this prevents",
    "this allows", "this way", "to avoid", "to fix", "to ensure", "to handle", "to support", "the fix",
    "i changed", "i replaced", "i added", "i removed", "i fixed",
)  # fmt: skip
VERIFICATION = (
    "verify", "verifies", "verified", "verifying", "verification", "let me test", "let's test",
    "test suite", "run the test", "run the tests", "run tests", "running the tests", "running tests",
    "ran the tests", "tests pass", "test passes", "tests passed", "tests still pass", "confirm",
    "confirms", "confirmed", "make sure", "double check", "sanity check", "check that", "check whether",
    "check if", "still works", "works as expected",
)  # fmt: skip
KEYWORDS = 20
KEYWORD_SHARE = 0.2
SHORTEST = 4
LONGEST = 100_000


def _cues(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(spoken, phrases))


_DELIBERATION, _HYPOTHESIS = _cues(DELIBERATION), _cues(HYPOTHESIS)
_EXPLANATION, _VERIFICATION = _cues(EXPLANATION), _cues(VERIFICATION)


@lru_cache(maxsize=64)
def topics(description: str) -> tuple[str, ...]:
    """The 20 most frequent keywords (`keywords`) of a description with four letters or more.

    Of equally frequent ones the first. An identifier is one word: tide_table.
    """
    words = (word for word in spoken(description[:LONGEST]).split() if len(word) >= SHORTEST)
    counted = Counter(word for word in words if keywords(word))
    return tuple(word for word, _ in counted.most_common(KEYWORDS))


def _explicit(run: Evidence) -> bool:
    thought = any(has_word(each.reasoning) for each in run.trace.iterations)
    return thought or any(says(words, _DELIBERATION) for words in run.words)


def _hypothesizes(run: Evidence) -> bool:
    first = run.first_edit()
    before = run.words if first is None else run.words[: first + 1]
    return any(says(words, _HYPOTHESIS) for words in before)


def _explains(run: Evidence) -> bool:
    first = run.first_edit()
    return first is not None and any(says(words, _EXPLANATION) for words in run.words[first:])


def _verifies(run: Evidence) -> bool:
    first = run.first_change()
    return first is not None and any(says(words, _VERIFICATION) for words in run.words[first:])


def _has_explicit_reasoning(run: Evidence) -> float | None:
    return None if run.silent else flag(_explicit(run))


def _hypothesizes_before_acting(run: Evidence) -> float | None:
    return None if run.silent else flag(_hypothesizes(run))


def _explains_changes(run: Evidence) -> float | None:
    return None if run.silent else flag(_explains(run))


def _verifies_after_change(run: Evidence) -> float | None:
    return None if run.silent else flag(_verifies(run))


def _reasoning_quality_score(run: Evidence) -> float | None:
    if run.silent:
        return None
    return (_explicit(run) + _hypothesizes(run) + _explains(run) + _verifies(run)) / 4


def _mentions_issue_keywords(run: Evidence) -> float | None:
    wanted = topics(run.exercise.description)
    if run.silent or not wanted:
        return None
    met = sum(any(f" {word} " in words for words in run.words) for word in wanted)
    return flag(met >= KEYWORD_SHARE * len(wanted))


def _mentions_relevant_files(run: Evidence) -> float | None:
    if run.silent or run.reference_files is None:
        return None
    names = tuple(name for path in sorted(run.reference_files) if (name := spoken(path.rpartition("/")[2])))
    return flag(any(says(words, names) for words in run.words))


_CATEGORY = "reasoning"
_SILENT = "Undefined if the record has no text of the agent: many models hide their reasoning."

FEATURES = (
    Feature(
        "reasoning_quality_score",
        _CATEGORY,
        Basis.PROCESS,
        "Share of four flags that hold: has_explicit_reasoning, hypothesizes_before_acting, "
        "explains_changes, verifies_after_change (equation 3). The paper's code weighs six flags instead, "
        f"the mention of keywords and of relevant files among them; the text is taken. {_SILENT}",
        _reasoning_quality_score,
    ),
    Feature(
        "has_explicit_reasoning",
        _CATEGORY,
        Basis.PROCESS,
        "Whether a step comes with a word of reasoning, or a message deliberates (cues such as 'this "
        f"suggests', 'therefore'). {_SILENT}",
        _has_explicit_reasoning,
    ),
    Feature(
        "mentions_issue_keywords",
        _CATEGORY,
        Basis.PROCESS,
        "Whether the agent's words hold at least 0.2 (the threshold of Table 7) of the task's 20 most "
        "frequent words of four letters or more that are not everyday English. An identifier is one word, "
        f"on either side: tide_table mentions no table. Undefined without such words. {_SILENT}",
        _mentions_issue_keywords,
    ),
    Feature(
        "mentions_relevant_files",
        _CATEGORY,
        Basis.LOCATION,
        "Whether the agent names a file of the reference patch, by its last part. Undefined without one. "
        f"{_SILENT}",
        _mentions_relevant_files,
    ),
    Feature(
        "hypothesizes_before_acting",
        _CATEGORY,
        Basis.PROCESS,
        "Whether a step up to the first one that attempts an edit, that one included, supposes a cause "
        "(cues such as 'I suspect', 'the bug is'); any step, when none edits. The paper's code "
        f"ignores the time. {_SILENT}",
        _hypothesizes_before_acting,
    ),
    Feature(
        "explains_changes",
        _CATEGORY,
        Basis.PROCESS,
        "Whether a step from the first attempt to edit on gives reasons (cues such as 'because', 'so that'). "
        f"0 without an edit. {_SILENT}",
        _explains_changes,
    ),
    Feature(
        "verifies_after_change",
        _CATEGORY,
        Basis.PROCESS,
        "Whether a step from the first change of the workspace on speaks of checking it (cues such as "
        f"'verify', 'run the tests'). 0 without a change. {_SILENT}",
        _verifies_after_change,
    ),
)
