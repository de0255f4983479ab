"""Maps of the code of repositories, and tasks generated from them. Imports neither Django nor `tasks.models`."""
