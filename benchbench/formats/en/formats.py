"""As on the pages of the site: `22 Nov 2026, 19:45 UTC`."""

DATE_FORMAT = "j M Y"
TIME_FORMAT = "H:i e"
DATETIME_FORMAT = "j M Y, H:i e"
