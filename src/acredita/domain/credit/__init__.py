"""Credit checks: the person that a bureau is asked about, and the bureau's report."""
