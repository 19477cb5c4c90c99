"""Credit checks: whom a bureau is asked about, and what its report comes to."""
