"""The public API: read-only JSON below /api/v1/, limited to open datasets, described by an OpenAPI 3.1 document.

Every request passes `middleware.data_endpoint` (methods, CORS, the rate limit, ETags). `ninja_api` is the API object of
django-ninja. Its operations are in `endpoints`, the objects that they return in `schemas`.
"""
