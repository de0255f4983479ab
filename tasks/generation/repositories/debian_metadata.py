"""What a Debian source package says of its Python package: the metadata, where upstream's archive has none."""

from __future__ import annotations

import re

from debian.deb822 import Deb822
from debian.debian_support import Version

from tasks.generation.pulls.sources.debian_package import DebianPackage

# Licences that SPDX names otherwise. https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
_LICENCES = {"expat": "MIT", "apache-2": "Apache-2.0", "psf-2": "PSF-2.0"}
_FOR_PYTHON = re.compile(r"\s*\((?:[^()]{0,30}\s)?Python 3[^()]{0,30}\)$")


def debian_metadata(package: DebianPackage) -> bytes:
    """In the form of PKG-INFO, from `debian/copyright` and `debian/control`; what they do not say is left out."""
    named = (one["Upstream-Name"] for one in _paragraphs(package, "copyright") if "Upstream-Name" in one)
    name = next(named, "")
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]*", name):
        name = package.name.removeprefix("python-")
    control = _paragraphs(package, "control")
    summaries = (one["Description"].split("\n")[0] for one in control if "Description" in one)
    fields = {
        "Metadata-Version": "2.1",
        "Name": name,
        "Version": Version(package.version).upstream_version or "",
        "Summary": _FOR_PYTHON.sub("", next(summaries, "")).strip(),
        "License-Expression": debian_licence(package),
    }
    return "".join(f"{field}: {value}\n" for field, value in fields.items() if value).encode()


def debian_licence(package: DebianPackage) -> str:
    """The licence of `Files: *` in `debian/copyright`, with SPDX's name if it has another one; '' if there is none."""
    paragraphs = _paragraphs(package, "copyright")
    stated = (one.get("License", "") for one in paragraphs if one.get("Files", "").split() == ["*"])
    licence = str(next(stated, "")).split("\n")[0].strip()
    return _LICENCES.get(licence.lower(), licence)


def _paragraphs(package: DebianPackage, name: str) -> list[Deb822]:
    file = package.debian.get(name)
    return list(Deb822.iter_paragraphs((file.content if file else None) or b"", encoding="utf-8"))
