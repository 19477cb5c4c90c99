"""One-time passwords: their length, their lifetime, and how many guesses they allow."""

from datetime import timedelta

DIGITS = 6
LIFETIME = timedelta(seconds=300)
MOST_GUESSES = 5
# The pages offer another code after this time.
RESEND_AFTER = timedelta(seconds=30)
