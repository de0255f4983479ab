"""Repositories of datasets, made from the source archives of packages."""
