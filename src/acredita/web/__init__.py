"""The pages that the API serves: single files without third-party code."""
