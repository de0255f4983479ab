"""The admin's pages. They show no rows that the reader may not see on other pages of the site."""
