"""Builds the guide: python -m tools.guide FOLDER

The pages are those of docs/ and the generated ones: the API reference and the errors from
openapi.json, the changelog, and the diagrams. The build is skipped if the folder's manifest has the
digest of the same sources. A broken link, also to a heading, ends the build.
"""

import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools.guide import api_pages
from tools.guide.diagrams import render_diagrams
from tools.guide.inline_scripts import clean

PROJECT = Path(__file__).parents[2]
DOCS = PROJECT / "docs"
DESCRIPTION = PROJECT / "openapi.json"
CHANGELOG = PROJECT / "CHANGELOG.md"
HERE = Path(__file__).parent
# Pages link to files of the repository; in the site, these files are pages.
_FILES = {"CHANGELOG.md": "reference/changelog.md", "openapi.json": "reference/api/index.md"}
# A link alone in its paragraph to an example: the site shows the file itself.
_FILE_LINK = re.compile(r"^\[`(?P<file>deploy/[\w./-]+)`\]\((?:\.\./)+(?P=file)\)$", re.MULTILINE)
_REPOSITORY_LINK = re.compile(r"\]\(docs/")
_API_ENTRY = '    { "API" = [] },\n'


def build(folder: Path) -> None:
    """Build the guide. Raise SystemExit with a message if a page has a fault."""
    recipe = _recipe()
    manifest = folder / "manifest.json"
    if manifest.is_file() and json.loads(manifest.read_text())["recipe"] == recipe:
        return
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".guide-") as scratch:
        site = _generate(Path(scratch))
        (site / "manifest.json").write_text(json.dumps({"recipe": recipe}) + "\n")
        shutil.rmtree(folder, ignore_errors=True)
        site.rename(folder)


def write_pages(pages: Path) -> list[str]:
    """Write all pages as Markdown to a new folder. Return the paths of the API reference."""
    shutil.copytree(DOCS, pages)
    description = json.loads(DESCRIPTION.read_text())
    api = api_pages.render_api(description)
    generated = {**api, "reference/errors.md": api_pages.render_errors(description)}
    changelog = _REPOSITORY_LINK.sub("](../", CHANGELOG.read_text())
    generated["reference/changelog.md"] = changelog
    for name, text in generated.items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(text)
    for page in pages.rglob("*.md"):
        up = "../" * (len(page.relative_to(pages).parts) - 1)
        text = _FILE_LINK.sub(_shown, page.read_text())
        for file, address in _FILES.items():
            text = re.sub(rf"\]\((?:\.\./)+{re.escape(file)}\)", f"]({up}{address})", text)
        page.write_text(render_diagrams(text, pages / "diagrams", f"{up}diagrams"))
    return list(api)


def _shown(link: re.Match[str]) -> str:
    return f"`{link['file']}`:\n\n```ini\n{(PROJECT / link['file']).read_text()}```"


def _generate(scratch: Path) -> Path:
    api = write_pages(scratch / "pages")
    settings = (HERE / "zensical.toml").read_text()
    entries = ", ".join(json.dumps(name) for name in api)
    (scratch / "zensical.toml").write_text(
        settings.replace(_API_ENTRY, f'    {{ "API" = [{entries}] }},\n')
    )
    done = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "--strict", "--clean"],
        cwd=scratch,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        # The end of the errors is the generator's own traceback.
        raise SystemExit(f"{done.stdout}{done.stderr.partition('Traceback')[0]}")
    clean(scratch / "site")
    return scratch / "site"


def _recipe() -> str:
    digest = hashlib.sha256()
    sources = [
        DESCRIPTION,
        CHANGELOG,
        *DOCS.rglob("*"),
        *(PROJECT / "deploy").rglob("*"),
        *HERE.glob("*.py"),
        *HERE.glob("*.toml"),
    ]
    for path in sorted(path for path in sources if path.is_file()):
        content = path.read_bytes()
        digest.update(f"{path.relative_to(PROJECT)}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


if __name__ == "__main__":
    build(Path(sys.argv[1]).resolve())
