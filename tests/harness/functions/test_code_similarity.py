"""The similarity of two bodies, worked out by hand."""

from __future__ import annotations

import pytest

from harness.functions import body_tokens, find
from harness.functions.code_similarity import code_similarity

PYTHON = '''\
def f(a: int) -> str:
    """Doc."""
    def g():
        """Inner doc."""
    b = (a + 1)  # one more

    return {body}
'''


def tokens(path: str, text: str, name: str = "f") -> tuple[str, ...]:
    return body_tokens(path, text, find(path, text, name))


@pytest.mark.parametrize(
    ("original", "other", "expected"),
    [
        ("a b c d", "a b c d", 1.0),
        ("a b c d", "", 0.0),
        ("", "", None),
        ("a b c d", "a x c d", 2 * 3 / 8),
        ("a b", "a b c d e f", 2 * 2 / 8),
        ("a b c d", "c d a b", 2 * 2 / 8),
    ],
)
def test_it_is_the_share_of_tokens_in_matching_blocks(
    original: str, other: str, expected: float | None
) -> None:
    assert code_similarity(original.split(), other.split()) == expected


def test_frequent_tokens_count_like_others() -> None:
    many = ["x"] * 300 + ["y"]
    assert code_similarity(many, many) == 1.0


def test_the_tokens_of_a_body_have_no_signature_comment_docstring_and_layout() -> None:
    expected = ("def", "g", "(", ")", ":", "b", "=", "a", "+", "1", "return", "'x'")
    assert tokens("a.py", PYTHON.format(body='"x"')) == expected
    assert tokens("a.py", "async def f(): 'Doc.'\n") == ()
    assert tokens("a.py", "class f:\n  x = 1\n") == ("x", "=", "1")
    assert tokens("a.c", "int f(int a) { /* one */ return a; }") == ("return", "a", ";")
    assert tokens("a.ts", "const f = (a: number) => a + 1;") == ("a", "+", "1")
