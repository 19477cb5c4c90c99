"""Finds faces, locates 468 landmarks on them, and measures how similar two of them are.

BlazeFace finds the faces, MediaPipe's face mesh adds the landmarks and rejects false detections,
and dlib's residual network computes an embedding of 128 numbers. Only engine processes import this:
see `process`.
"""
