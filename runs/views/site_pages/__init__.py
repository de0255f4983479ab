"""Pages about the site itself: methods, search, feed, exports, API reference."""
