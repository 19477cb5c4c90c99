"""What builds the environment; no part of the service."""
