"""The files of the text engine's models, which the package of RapidOCR has."""

from importlib.util import find_spec
from pathlib import Path


def paths() -> tuple[Path, Path]:
    """Return the files of the detector of lines and of the recognition network.

    It does not import their package, which takes a second. Raise FileNotFoundError without it.
    """
    found = find_spec("rapidocr")
    if found is None or found.origin is None:
        raise FileNotFoundError("rapidocr is not installed")
    folder = Path(found.origin).parent / "models"
    return folder / "PP-OCRv6_det_small.onnx", folder / "PP-OCRv6_rec_small.onnx"
