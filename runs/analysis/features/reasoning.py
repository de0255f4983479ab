"""Cues of reasoning in the text of an agent: heuristics with English phrases, case-insensitive, whole words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import lru_cache

from runs.analysis.features.base import Category, Evidence, Measure, flag, has_cue, has_word, normalised
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
MIN_LENGTH = 4
MAX_LENGTH = 100_000


def _cues(phrases: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(map(normalised, phrases))


_DELIBERATION, _HYPOTHESIS = _cues(DELIBERATION), _cues(HYPOTHESIS)
_EXPLANATION, _VERIFICATION = _cues(EXPLANATION), _cues(VERIFICATION)


@lru_cache(maxsize=64)
def topics(description: str) -> tuple[str, ...]:
    """The 20 most frequent keywords (`keywords`) of four letters or more in a description.

    Of equally frequent ones the first are used. An identifier such as tide_table is one word.
    """
    words = (word for word in normalised(description[:MAX_LENGTH]).split() if len(word) >= MIN_LENGTH)
    counted = Counter(word for word in words if keywords(word))
    return tuple(word for word, _ in counted.most_common(KEYWORDS))


def _explicit(run: Evidence) -> bool:
    thought = any(has_word(each.reasoning) for each in run.trace.iterations)
    return thought or any(has_cue(words, _DELIBERATION) for words in run.words)


def _hypothesizes(run: Evidence) -> bool:
    first = run.first_edit()
    before = run.words if first is None else run.words[: first + 1]
    return any(has_cue(words, _HYPOTHESIS) for words in before)


def _explains(run: Evidence) -> bool:
    first = run.first_edit()
    return first is not None and any(has_cue(words, _EXPLANATION) for words in run.words[first:])


def _verifies(run: Evidence) -> bool:
    first = run.first_change()
    return first is not None and any(has_cue(words, _VERIFICATION) for words in run.words[first:])


def _unless_silent(holds: Callable[[Evidence], bool]) -> Measure:
    return lambda run: None if run.silent else flag(run.once(holds))


def _reasoning_quality_score(run: Evidence) -> float | None:
    if run.silent:
        return None
    return sum(map(run.once, (_explicit, _hypothesizes, _explains, _verifies))) / 4


def _mentions_issue_keywords(run: Evidence) -> float | None:
    wanted = topics(run.exercise.description)
    if run.silent or not wanted:
        return None
    met = sum(any(f" {word} " in words for words in run.words) for word in wanted)
    return flag(met >= KEYWORD_SHARE * len(wanted))


def _mentions_relevant_files(run: Evidence) -> float | None:
    if run.silent or run.reference_files is None:
        return None
    names = tuple(
        name for path in sorted(run.reference_files) if (name := normalised(path.rpartition("/")[2]))
    )
    return flag(any(has_cue(words, names) for words in run.words))


_CATEGORY = Category("reasoning")
_SILENT = "Undefined if the record has no text of the agent: many models hide their reasoning."

FEATURES = (
    _CATEGORY.process(
        "reasoning_quality_score",
        "Share of four flags that hold: has_explicit_reasoning, hypothesizes_before_acting, "
        "explains_changes, verifies_after_change (equation 3). The paper's code has weights for six flags "
        f"instead, including mentions of keywords and of relevant files; here its text is used. {_SILENT}",
        _reasoning_quality_score,
    ),
    _CATEGORY.process(
        "has_explicit_reasoning",
        "Whether a step has reasoning, or a message deliberates (cues such as 'this suggests', "
        f"'therefore'). {_SILENT}",
        _unless_silent(_explicit),
    ),
    _CATEGORY.process(
        "mentions_issue_keywords",
        "Whether the agent's texts contain at least 0.2 (the threshold of Table 7) of the task's 20 most "
        "frequent words of four letters or more, without stop words. An identifier is one word in both: "
        f"tide_table does not mention table. Undefined without such words. {_SILENT}",
        _mentions_issue_keywords,
    ),
    _CATEGORY.location(
        "mentions_relevant_files",
        "Whether the agent names a file of the reference patch, without its directory. Undefined without a "
        f"reference patch. {_SILENT}",
        _mentions_relevant_files,
    ),
    _CATEGORY.process(
        "hypothesizes_before_acting",
        "Whether a step up to and including the first that attempts an edit supposes a cause (cues such as "
        "'I suspect', 'the bug is'); without an edit attempt, whether any step does. The paper's code "
        f"ignores the order. {_SILENT}",
        _unless_silent(_hypothesizes),
    ),
    _CATEGORY.process(
        "explains_changes",
        "Whether the step of the first edit attempt, or a later one, gives reasons (cues such as 'because', "
        f"'so that'). 0 without an edit attempt. {_SILENT}",
        _unless_silent(_explains),
    ),
    _CATEGORY.process(
        "verifies_after_change",
        "Whether the step of the first change of the workspace, or a later one, mentions a check (cues such "
        f"as 'verify', 'run the tests'). 0 without a change. {_SILENT}",
        _unless_silent(_verifies),
    ),
)
