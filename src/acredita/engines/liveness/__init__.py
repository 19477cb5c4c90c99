"""Measures the frames of a liveness challenge; `domain.liveness` judges the measurements."""
