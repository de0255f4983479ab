"""Generating tasks on the site: jobs that operators start, stop, continue and publish."""
