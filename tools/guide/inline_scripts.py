"""Makes the generator's pages fit a policy without inline scripts.

The pages of the generator contain small scripts. Each moves to a separate file, so that the
policy is `script-src 'self'`.
"""

import hashlib
import os
import re
from pathlib import Path

_SCRIPT = re.compile(r"<script>(?P<code>.*?)</script>", re.DOTALL)
# This tag names the host of a published site. The guide works on any host, so it is removed.
_CANONICAL = re.compile(r'\s*<link rel="canonical"[^>]*>')
_FOREIGN = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=\"(?:https?:)?//[^\"]*\"")


def clean(site: Path) -> None:
    """Change all pages in the folder. Raise ValueError if one loads a file from another host."""
    folder = site / "assets" / "javascripts"
    for page in site.rglob("*.html"):
        address = os.path.relpath(folder, page.parent)

        def move(script: re.Match[str], address: str = address) -> str:
            name = f"inline.{hashlib.sha256(script['code'].encode()).hexdigest()[:8]}.js"
            (folder / name).write_text(script["code"])
            return f'<script src="{address}/{name}"></script>'

        text = _CANONICAL.sub("", _SCRIPT.sub(move, page.read_text()))
        if page.relative_to(site).parts[0] == "es":
            text = text.replace('<html lang="en"', '<html lang="es"', 1)
        if foreign := _FOREIGN.search(text):
            raise ValueError(f"{page.relative_to(site)} loads a file from elsewhere: {foreign[0]}")
        page.write_text(text)
