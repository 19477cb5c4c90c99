"""Location checks: addresses on the network, the places they are at, and rules about both."""
