"""The pages. A view fetches data, decides and renders. Queries are in `runs.queries`, numbers in `runs.analysis`."""
