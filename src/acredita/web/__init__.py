"""The pages that the API serves: single files, with no third party's part in them."""
