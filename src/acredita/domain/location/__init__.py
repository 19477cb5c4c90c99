"""Location checks: IP addresses, their places, and rules about them."""
