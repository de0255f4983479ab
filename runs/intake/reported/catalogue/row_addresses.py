"""The names of tasks, repositories, agents and evaluations of reported results in addresses."""

from __future__ import annotations

import hashlib

from django.utils.text import slugify


def slug_of(name: str, longest: int) -> str:
    """A slug of at most `longest` characters; the end of a longer one is a digest of the name."""
    slug = slugify(name.replace("/", "-").replace(".", "-")) or "x"
    if len(slug) <= longest:
        return slug
    return f"{slug[: longest - 9]}-{digest(name)}"


def digest(name: str) -> str:
    """Eight hexadecimal digits that tell names apart whose slugs are equal."""
    return hashlib.sha256(name.encode()).hexdigest()[:8]
