"""The guide for people: the site that `make docs` builds from docs/."""
