"""Builds the guide, the site of docs/: `make docs`."""
