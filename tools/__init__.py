"""Programs that build the environment and generated files. They are not part of the service."""
