"""How similar two bodies of a function are, as code."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher


def code_similarity(original: Sequence[str], other: Sequence[str]) -> float | None:
    """How much of a function's body a model wrote from memory, without the repository.

    The model gets the name of the package, the path, the signature and the docstring of a function that a task removed
    or corrupted, and writes the function. Its body is compared with the original one: the tokens of both, without
    signature, comments, docstrings and layout (`harness.functions.body_tokens`). The mean of the functions counts for
    a task with several. Equal code has 1. A high number does not prove recall: a body that the docstring determines,
    or of a few tokens, is similar by itself. So compare models at the same function, and note the number of tokens. A
    low number does not prove that the model never saw the code.

    Formula: 2M ÷ T, where T is the number of tokens of both bodies, and M that of the tokens in matching blocks: the
    longest run of equal tokens, and so on to its left and to its right (Ratcliff and Obershelp; `difflib` without its
    heuristic for frequent tokens). The original comes first, because the order can change M.

    Source: J. W. Ratcliff and D. E. Metzener, "Pattern Matching: The Gestalt Approach", Dr. Dobb's Journal, July 1988.
    The probe is ours; Breakpoint states no such number.

    Units: a share from 0 to 1.

    Small n: None if both bodies are empty.
    """
    if not original and not other:
        return None
    return SequenceMatcher(None, original, other, autojunk=False).ratio()
