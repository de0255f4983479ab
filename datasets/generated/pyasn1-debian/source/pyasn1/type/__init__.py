# This file is necessary to make this directory a package.
