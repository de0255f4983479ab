"""Where the code of a repository comes from, and under which licence: as its dataset on disk says it."""

from __future__ import annotations

import re
import tomllib
from typing import NamedTuple

from django.conf import settings

from tasks.models import Repository

MAX_BYTES = 256 * 1024
MAX_TEXT = 200  # characters
_NAME, _VERSION = r"[a-z0-9][a-z0-9._-]{0,99}", r"[A-Za-z0-9][A-Za-z0-9.+~:_-]{0,99}"
# Packages whose origin has a page for each version.
_PAGES = (
    (re.compile(rf"pkg:pypi/({_NAME})@({_VERSION})"), "https://pypi.org/project/{}/{}/"),
    (
        re.compile(rf"pkg:deb/debian/({_NAME})@({_VERSION})(?:\?arch=source)?"),
        "https://snapshot.debian.org/package/{}/{}/",
    ),
)


class CodeOrigin(NamedTuple):
    """`licence` is an SPDX expression, `package` a package URL, `page` where people find it; '' if unknown."""

    licence: str = ""
    package: str = ""
    page: str = ""

    @property
    def name(self) -> str:
        """The package without its scheme: `pypi/humanize@4.17.0`."""
        return self.package.removeprefix("pkg:").partition("?")[0]


def code_origin(repository: Repository) -> CodeOrigin:
    """What `repository.toml` says; empty without such a file, for reported datasets, and if it is unreadable."""
    if not repository.dataset.directory:
        return CodeOrigin()
    path = settings.BASE_DIR / repository.dataset.directory / repository.slug / "repository.toml"
    try:
        with path.open("rb") as file:
            table = tomllib.loads(file.read(MAX_BYTES).decode())
    except (OSError, ValueError):
        return CodeOrigin()
    licence, package = (str(table.get(name, ""))[:MAX_TEXT] for name in ("licence", "origin"))
    return CodeOrigin(licence, package, _page(package))


def _page(package: str) -> str:
    for pattern, address in _PAGES:
        if found := pattern.fullmatch(package):
            return address.format(*found.groups())
    return ""
