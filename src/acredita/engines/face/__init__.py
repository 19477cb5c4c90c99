"""Finds faces, lays 468 points on them, and says how alike two of them are.

BlazeFace finds, MediaPipe's face mesh lays the points (and tells a face from what only looks like
one), dlib's residual network makes 128 numbers of it. Imported in engine processes alone: see
`process`.
"""
