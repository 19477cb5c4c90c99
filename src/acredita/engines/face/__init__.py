"""Finds faces, locates 468 landmarks on them, and measures how similar two of them are.

BlazeFace finds the faces, MediaPipe's face mesh adds the landmarks and rejects false detections,
and SFace, or a network of the operator's, computes an embedding. Only engine processes import this:
see `process`. `description` is also imported by the service, which checks settings at its start.
"""
