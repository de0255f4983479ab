"""Patches in git's format: `reading` parses them, `git` makes and applies them.

Modes are git's: a file is executable (0o755) or not (0o644).
"""

from harness.patches.git import (
    MAX_PATCH_BYTES,
    FileState,
    ReadFile,
    apply_patch,
    check_applies,
    check_link,
    file_state,
    long_texts,
    make_patch,
    tree_reader,
    write_files,
)
from harness.patches.reading import (
    Change,
    FilePatch,
    Hunk,
    LineCounts,
    PatchError,
    added_lines,
    check_path,
    count_lines,
    named_files,
    removed_lines,
    split_changes,
    split_files,
    split_hunks,
    touched_paths,
)
