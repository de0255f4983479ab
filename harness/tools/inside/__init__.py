"""The tool server that runs inside an agent's container: standard library only, Python 3.8 or newer.

Started as `python3 -I /opt/benchbench/inside --workdir /app`; docs/architecture.md has the protocol.
"""
