"""The changes in the workspace that a reply reports."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from tests.harness.tools.tool_server import ToolServer


class TestEdits:
    def edit(self, **fields: Any) -> dict[str, Any]:
        return {"added": 0, "removed": 0, "binary": False, "syntax_ok": None, "diff": "", **fields}

    def test_a_tool_reports_what_it_changed(self, server: ToolServer) -> None:
        added = server.call("write_file", path="d/a.py", content="x = 1\ny = (\n").edits
        assert added == [
            self.edit(
                path="d/a.py",
                change="added",
                added=2,
                syntax_ok=False,
                diff="--- /dev/null\n+++ b/d/a.py\n@@ -0,0 +1,2 @@\n+x = 1\n+y = (\n",
            )
        ]
        changed = server.call("search_replace", path="d/a.py", old="y = (\n", new="y = 2").edits
        assert changed == [
            self.edit(
                path="d/a.py",
                change="modified",
                added=1,
                removed=1,
                syntax_ok=True,
                diff=(
                    "--- a/d/a.py\n+++ b/d/a.py\n@@ -1,2 +1,2 @@\n x = 1\n-y = (\n+y = 2\n"
                    "\\ No newline at end of file\n"
                ),
            )
        ]
        deleted = server.call("delete_file", path="d/a.py").edits
        assert [(one["change"], one["added"], one["removed"]) for one in deleted] == [("deleted", 0, 2)]

    def test_a_shell_edits_too(self, server: ToolServer) -> None:
        (edit,) = server.run("seq 100 > n; sed -i 50d n").edits
        assert (edit["path"], edit["change"], edit["added"]) == ("n", "added", 99)
        (edit,) = server.run("sed -i -e 3d -e 's/^80$/eighty/' n").edits
        assert (edit["added"], edit["removed"]) == (1, 2)
        assert edit["diff"] == (
            "--- a/n\n+++ b/n\n"
            "@@ -1,6 +1,5 @@\n 1\n 2\n-3\n 4\n 5\n 6\n"
            "@@ -76,7 +75,7 @@\n 77\n 78\n 79\n-80\n+eighty\n 81\n 82\n 83\n"
        )

    def test_a_call_without_changes_reports_no_edits(self, server: ToolServer) -> None:
        server.run("echo x > a")
        assert server.run("touch a; cp a b; mv b a; mkdir d").edits == []
        assert server.call("create_directory", path="e").edits == []

    def test_a_change_of_equal_size_and_time_is_noticed(self, server: ToolServer) -> None:
        server.run("echo x > a; touch -d 2020-01-01 a")
        (edit,) = server.run("echo y > a; touch -d 2020-01-01 a").edits
        assert (edit["added"], edit["removed"]) == (1, 1)

    def test_modes_links_and_binaries(self, server: ToolServer) -> None:
        server.run("echo x > a; chmod 644 a")
        assert server.run("chmod +x a; ln -s a l; printf '\\0' > b").edits == [
            self.edit(path="a", change="modified", diff="old mode 100644\nnew mode 100755\n"),
            self.edit(path="b", change="added", binary=True, diff="--- /dev/null\n+++ b/b\n[binary]\n"),
            self.edit(
                path="l",
                change="added",
                added=1,
                diff="--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n",
            ),
        ]

    def test_git_and_caches_are_left_out(self, server: ToolServer) -> None:
        command = (
            "for d in .git __pycache__ .pytest_cache node_modules; do mkdir -p s/$d; echo > s/$d/x; done"
        )
        assert server.run(command).edits == []

    def test_changes_in_the_background_are_reported_by_the_next_call_even_one_that_reads(
        self, server: ToolServer
    ) -> None:
        server.run("while [ ! -e go ]; do sleep 0.02; done; echo late > late", background=True)
        (server.workdir / "go").touch()
        deadline = time.monotonic() + 5
        while not (server.workdir / "late").exists() and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(0.1)
        assert [edit["path"] for edit in server.call("list_dir").edits] == ["go", "late"]
        assert server.call("list_dir").edits == []

    def test_files_that_exist_at_the_start_are_no_edits(self, tmp_path: Path) -> None:
        (tmp_path / "a").write_text("1\n2\n")
        with ToolServer(tmp_path) as server:
            (edit,) = server.run("echo 3 >> a").edits
        assert edit["diff"] == "--- a/a\n+++ b/a\n@@ -1,2 +1,3 @@\n 1\n 2\n+3\n"

    def test_large_files_and_large_diffs_are_bounded(self, server: ToolServer) -> None:
        (edit,) = server.run("head -c 2000000 /dev/zero | tr '\\0' x > big").edits
        assert edit["diff"].endswith("[not compared: too large, or not readable]\n")
        (edit,) = server.run("seq 100000 > many").edits
        assert edit["added"] == 100_000
        assert len(edit["diff"]) < 64 * 1024 + 100
        assert "[the diff is cut here: " in edit["diff"]

    def test_texts_without_equal_lines_are_compared_quickly(self, server: ToolServer) -> None:
        server.run("seq 1 60000 > a")
        started = time.monotonic()
        (edit,) = server.run("seq 60001 120000 > a").edits
        assert (edit["added"], edit["removed"]) == (60_000, 60_000)
        assert time.monotonic() - started < 3
