"""One-time passwords: their length, their lifetime, and how many guesses they allow."""

from datetime import timedelta

DIGITS = 6
LIFETIME = timedelta(seconds=300)
MOST_GUESSES = 5
