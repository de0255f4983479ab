# This file is necessary to make this directory a package.

# sentinal for missing argument
_MISSING = object()
