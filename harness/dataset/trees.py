"""Trees of files on this host: what is in them, and a digest that tells two apart."""

from __future__ import annotations

import hashlib
from pathlib import Path


def files_below(directory: Path) -> list[Path]:
    """Every file and symbolic link below `directory`, sorted by relative path; Python's caches are left out."""
    return sorted(
        path
        for path in directory.rglob("*")
        if (path.is_symlink() or path.is_file()) and "__pycache__" not in path.parts
    )


def digest_of(*roots: Path) -> str:
    """SHA-256 over names, executable bits and contents of these files and trees: equal trees, equal digests."""
    total = hashlib.sha256()
    for root in roots:
        for path in [root] if root.is_file() else files_below(root):
            name = path.name if path == root else f"{root.name}/{path.relative_to(root).as_posix()}"
            if path.is_symlink():
                mode, content = "l", str(path.readlink()).encode()
            else:
                mode = "x" if path.stat().st_mode & 0o100 else "-"
                content = path.read_bytes()
            total.update(f"{mode} {len(content)} {name}\n".encode())
            total.update(content)
    return total.hexdigest()
