"""Makes the face engine's models from the packages that publish them."""
