"""Names as watchlists and questions write them, in all scripts, and how they are normalized."""
