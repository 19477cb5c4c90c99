"""Attacks on a running service, and verifications of honest people: `make attack`."""
