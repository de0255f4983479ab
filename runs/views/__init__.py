"""The pages. A view fetches data, decides and renders. Queries are in `data.queries`, numbers in `analysis`."""
