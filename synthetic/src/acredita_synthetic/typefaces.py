"""Typefaces from packages, so that text looks the same on every machine."""

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from PIL import ImageFont

FAMILIES = ("arimo", "opensans")
ORNATE_FAMILIES = ("barlow", "roboto")
_FILES = {
    ("arimo", False): ("fontpkg_arimo", "files/Arimo[wght].ttf"),
    ("arimo", True): ("fontpkg_arimo", "files/Arimo[wght].ttf"),
    ("opensans", False): ("ttf_opensans", "ttf/OpenSans-Regular.ttf"),
    ("opensans", True): ("ttf_opensans", "ttf/OpenSans-Bold.ttf"),
    ("barlow", False): ("fontpkg_barlow", "files/Barlow-Medium.ttf"),
    ("barlow", True): ("fontpkg_barlow", "files/Barlow-Bold.ttf"),
    ("roboto", False): ("fontpkg_roboto", "files/Roboto[wdth,wght].ttf"),
    ("roboto", True): ("fontpkg_roboto", "files/Roboto[wdth,wght].ttf"),
}
_VARIABLE_WEIGHTS = {False: 450, True: 700}


@lru_cache(maxsize=128)
def typeface(family: str, size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """Load a typeface of `FAMILIES` or `ORNATE_FAMILIES` at `size` pixels."""
    file = file_of(family, bold=bold)
    # Basic layout: Raqm is a system library, and where it is found spacing would differ.
    face = ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)
    if "wght]" in file.name:
        # The weight is the first axis; the others keep their defaults.
        others = [axis["default"] or 0 for axis in face.get_variation_axes()[1:]]
        face.set_variation_by_axes([_VARIABLE_WEIGHTS[bold], *others])
    return face


def file_of(family: str, *, bold: bool = False) -> Path:
    """Return the file of a typeface. A variable font serves both weights."""
    package, file = _FILES[family, bold]
    spec = find_spec(package)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"the typeface package {package} is not installed")
    return Path(spec.origin).parent / file
