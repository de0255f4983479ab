"""The topics of the analysis: a module for each, which makes tables and charts for pages, CSV, JSON and reports.

`registry.TOPICS` lists them. A topic arranges results of `runs.analysis`: it computes no number, and knows neither
requests nor the database.
"""
