"""The tables of the exports: runs, and what happened in them."""
