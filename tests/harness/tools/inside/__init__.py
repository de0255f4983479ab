"""Tests of the harness; they need no Django."""
