"""`python -m acredita.cli`: the same as `acredita`."""

from acredita.cli import app

if __name__ == "__main__":
    app()
