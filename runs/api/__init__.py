"""The site's data for programs: read-only JSON under /api/v1/, of open datasets alone, described by OpenAPI 3.1.

`door` is what every request passes (methods, other origins, the rate limit, ETags); `site` is the API of django-ninja
with its operations in `operations/`; `shapes/` are the objects that they answer with.
"""
