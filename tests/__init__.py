"""The tests mirror the tree: tests/harness for harness/, tests/runs for runs/, and so on."""
