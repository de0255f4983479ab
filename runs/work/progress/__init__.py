"""The progress of evaluations: the queries behind their pages and their list."""
