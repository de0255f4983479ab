"""Flows, top talkers and port scans from network captures."""

__version__ = "0.4.0"
