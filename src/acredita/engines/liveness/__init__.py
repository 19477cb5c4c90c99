"""What is seen on the frames of a liveness challenge; `domain.liveness` judges it."""
