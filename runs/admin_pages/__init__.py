"""The admin's pages, in which nobody sees more than on the site's other pages."""
