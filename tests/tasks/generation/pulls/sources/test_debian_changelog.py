"""What a Debian changelog says about the vulnerability that a patch repairs."""

from __future__ import annotations

import pytest

from tasks.generation.pulls.sources.debian_changelog import told_of

CHANGELOG = b"""\
calc (1.0-1+deb12u2) bookworm; urgency=medium

  * Fix CVE-2024-1111:
    A sum may be wrong. Then
    so is the total.
  * CVE-2024-2222 (Closes: #1099690)
  * Endless recursion in deep sums (CVE-2024-3333, CVE-2024-4444)
    (Closes: #1, #2)

 -- A <a@example.org>  Sun, 18 May 2025 00:17:01 +0200

calc (1.0-1+deb12u1) bookworm; urgency=medium

  * CVE-2024-1111: wrong.

 -- A <a@example.org>  Sun, 11 May 2025 00:17:01 +0200
"""


@pytest.mark.parametrize(
    ("names", "told"),
    [
        ("CVE-2024-1111.patch", "A sum may be wrong. Then\nso is the total."),
        ("0001-CVE-2024-2222.patch", ""),
        (
            "CVE-2024-3333 https://example.org/CVE-2024-4444",
            "Endless recursion in deep sums (CVE-2024-3333, CVE-2024-4444)",
        ),
        ("CVE-2024-111.patch", ""),
        ("fix.patch", ""),
    ],
)
def test_the_longest_item_about_a_vulnerability_is_told(names: str, told: str) -> None:
    assert told_of(CHANGELOG, names) == told


def test_a_changelog_that_is_none_tells_nothing() -> None:
    assert told_of(b"\xff\n  * ", "CVE-2024-1111") == ""
