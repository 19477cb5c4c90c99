"""Makes the face engine's models from the packages that publish them."""

import os

os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # for why, see acredita/__init__.py
