"""Attacks on a whole running service, and honest people beside them: `make attack`."""
