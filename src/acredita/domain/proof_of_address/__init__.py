"""Proofs of address: bills and bank statements that name a person and where the person lives."""
