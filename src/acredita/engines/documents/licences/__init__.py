"""Driver's licences: their templates, and reading a card by one of them."""
