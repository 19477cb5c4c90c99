"""Many processes on one PostgreSQL."""
