"""Slugs of new rows, which nobody has to invent."""

from __future__ import annotations

from django.db.models import Model
from django.utils.text import slugify

from tasks.models import MAX_SLUG_LENGTH

NUMBERS = 6  # characters for a hyphen and a number


def free_slug(model: type[Model], name: str) -> str:
    """The slug of a name, with a number behind it if another row of this model has it.

    Two requests at the same moment may get the same slug; the database refuses the second row.
    """
    slug = slugify(name)[: MAX_SLUG_LENGTH - NUMBERS].strip("-") or str(model._meta.model_name)
    taken = set(model._default_manager.filter(slug__startswith=slug).values_list("slug", flat=True))
    number = 2
    free = slug
    while free in taken:
        free = f"{slug}-{number}"
        number += 1
    return free
