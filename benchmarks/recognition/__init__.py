"""Measure the accuracy and speed of the recognition of documents, faces and liveness."""
