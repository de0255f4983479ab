"""The check for empty parts, without a site."""

from __future__ import annotations

import subprocess
import sys

from tests.browser.site import ROOT, free_port


def test_without_a_server_it_says_so_in_one_sentence() -> None:
    port = free_port()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.empty_parts", "--port", str(port)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"No server listens on port {port} of this machine.\n"
