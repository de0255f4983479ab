"""Runs in and out of the site: run directories, archives, tables and ATIF. Everything is streamed."""
