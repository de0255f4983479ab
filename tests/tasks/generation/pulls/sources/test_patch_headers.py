from __future__ import annotations

import pytest

from tasks.generation.pulls.sources.patch_headers import PatchHeader, read_header

COMMIT = "77f43366d3a7e0e3b998e3edee6718af544b5487"
BODY = b"\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"


def header(text: str) -> PatchHeader:
    """The header of a patch that begins with this text."""
    return read_header(text.encode() + BODY)


def test_headers_of_git_are_read() -> None:
    assert header(
        f"From {COMMIT} Mon Sep 17 00:00:00 2001\n"
        "From: =?utf-8?q?Zo=C3=AB?= <zoe@example.org>\n"
        "Date: Thu, 26 Oct 2023 12:08:53 +0100\n"
        "Subject: [PATCH 1/2] Filter disallows\n keys with spaces\n\n"
        "They made invalid pages.\n\n"
        "Origin: https://example.org/commit/1\n"
        "Bug: https://example.org/issues/7.\n"
        "Bug-Debian: https://bugs.debian.org/9\n"
        "---\n src/a.py | 25 +++---\n 1 file changed, 24 insertions(+)\n"
    ) == PatchHeader(
        title="Filter disallows keys with spaces",
        text="They made invalid pages.",
        author="Zoë <zoe@example.org>",
        date="2023-10-26T11:08:53+00:00",
        commit=COMMIT,
        origin="https://example.org/commit/1",
        bugs=("https://example.org/issues/7", "https://bugs.debian.org/9"),
    )


def test_fields_of_dep3_are_read() -> None:
    assert header(
        "Description: Fix the lexer\n It dropped the last line.\n .\n Twice.\n"
        f"Origin: backport, https://example.org/commit/{COMMIT}\nAuthor: A <a@example.org>\n"
        "Last-Update: 2025-02-27\n---\nThis patch header follows DEP-3: http://dep.debian.net/deps/dep3/\n"
    ) == PatchHeader(
        title="Fix the lexer",
        text="It dropped the last line.\n\nTwice.",
        author="A <a@example.org>",
        date="2025-02-27",
        commit=COMMIT,
        origin=f"https://example.org/commit/{COMMIT}",
    )


def test_free_text_is_a_header_too() -> None:
    found = header(f"Commit {COMMIT} upstream:\n\nUse getattr\nas before\n")
    assert (found.title, found.text, found.commit) == ("Use getattr", "Use getattr\nas before", COMMIT)
    assert header("") == PatchHeader()


@pytest.mark.parametrize(
    "text",
    [
        "Date: never\nLast-Update: 2025-99-99\nSubject: =?nonsense?q?x?=\n",
        "Subject: " + "[x]" * 20_000 + "\n",
        " " * 60_000 + "\n" + "=?" * 10_000,
        "Date: Thu, 26 Oct 99999999 12:08:53 +9999\n",
    ],
)
def test_nonsense_does_no_harm(text: str) -> None:
    assert header(text).date == ""


def test_the_patch_itself_is_no_part_of_the_text() -> None:
    assert "+b" not in header("Subject: a\n\nmore\n").text
    assert read_header(b"diff --git a/x b/x\nSubject: no\n").title == ""


def test_headers_of_mail_and_all_addresses_of_bugs_are_no_text() -> None:
    found = header(
        "Subject: Fix sums\nMIME-Version: 1.0\nContent-Type: text/plain\n"
        "Bug-Debian-Security: https://example.org/CVE-1\n\nThey were wrong.\n"
    )
    assert (found.text, found.bugs) == ("They were wrong.", ("https://example.org/CVE-1",))


def test_a_title_above_an_empty_line_is_not_repeated() -> None:
    found = header("Fix sums\n\nThey were wrong.\n")
    assert (found.title, found.text) == ("Fix sums", "They were wrong.")
