"""The names of tasks, repositories, agents and evaluations of reported results in addresses."""

from __future__ import annotations

import hashlib

from django.utils.text import slugify


def slug_of(name: str, longest: int) -> str:
    """A slug of at most `longest` characters; the end of a longer one is a digest of the name."""
    slug = slugify(name.replace("/", "-").replace(".", "-")) or "x"
    if len(slug) <= longest:
        return slug
    return f"{slug[: longest - 9]}-{_digest(name)}"


def slug_with_digest(name: str, longest: int) -> str:
    """A slug that tells names apart which differ in case, in punctuation, or in letters that no slug has."""
    return slug_of(f"{name}-{_digest(name)}", longest)


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:8]
