"""The analysis pages: each topic is a question and a module that answers it from runs, for page, CSV and JSON alike.

`registry.TOPICS` lists them. A topic makes tables of the analysis library's figures and charts of these tables; it
computes no number of its own, knows no request and reads no database.
"""
