"""Benchmarks: each program checks guarantees about speed, endurance or accuracy."""
