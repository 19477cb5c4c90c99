"""How well and how fast documents, faces and living people are recognized."""
