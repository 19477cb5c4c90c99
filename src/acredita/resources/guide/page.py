"""Serves the guide under /guide, where it was built."""

from functools import cache
from importlib.resources import files
from mimetypes import guess_type
from pathlib import Path

from starlette.responses import FileResponse, RedirectResponse, Response

from acredita.api.permissions import public
from acredita.api.rate_limits import unlimited
from acredita.api.routing import make_router
from acredita.domain.errors import NotFound

router = make_router("", tag="System")

FOLDER = Path(str(files("acredita.web"))) / "guide"
# The style that the generator's script (Zensical 0.0.73) puts into its search dialog.
SEARCH_STYLE = "'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"
# No script in a page, no other style, and nothing from another host.
POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' {SEARCH_STYLE}; img-src 'self' data:;"
    " connect-src 'self'; worker-src 'self'; form-action 'none'; base-uri 'none';"
    " frame-ancestors 'none'"
)
# The generator puts a digest of the content into the names of these files.
LASTING = ("assets/javascripts/", "assets/stylesheets/")


@cache
def guide_files() -> dict[str, Path]:
    """Return the guide's files by their address below /guide/. Empty if the guide is not built."""
    return {
        path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*") if path.is_file()
    }


@router.get(
    "/guide",
    summary="The guide for people",
    response_class=RedirectResponse,
    include_in_schema=False,
)
@public
async def open_guide() -> RedirectResponse:
    return RedirectResponse("guide/index.html")


@router.get(
    "/guide/{name:path}",
    summary="A file of the guide",
    response_class=Response,
    include_in_schema=False,
)
@public
@unlimited
async def get_guide_file(name: str) -> Response:
    # Only names that are in the folder: no path of a request reaches the file system.
    file = guide_files().get(name or "index.html")
    if file is None:
        raise NotFound
    lasting = name.startswith(LASTING)
    return FileResponse(
        file,
        media_type=guess_type(file.name)[0],
        headers={
            "Content-Security-Policy": POLICY,
            "Cache-Control": f"public, max-age={86_400 if lasting else 600}",
        },
    )
