"""The pages. A view fetches, decides and renders; what it asks for is in queries.py, what it computes in analysis/."""
