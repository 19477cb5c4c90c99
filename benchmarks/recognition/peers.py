"""The same pictures before tesseract, PassportEye and face_recognition.

None of them is a dependency. tesseract is the Debian package, run from the command line; the other
two are installed, when first asked for, into an environment of their own, which may be deleted.
What is absent is left out, aloud. Peers are helped: tesseract has the picture as it is and evened
out, and a field counts as right where its text stands anywhere in what either gave.
"""

import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from acredita.domain.documents import PageReading
from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.mrz import Mrz
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.synthetic.specimens import Specimen
from acredita.engines.synthetic.truth import SpecimenKind
from benchmarks.recognition import face_peers, zones
from benchmarks.recognition.documents import NAMES_ON, orders
from benchmarks.recognition.drawing import drawn
from benchmarks.recognition.report import Part, Scale, Stopwatch, ahead, of, said, table

PACKAGES = ("PassportEye", "dlib-bin", "setuptools<81")
# It asks for dlib, which would be compiled; dlib-bin is the same.
PACKAGES_ALONE = ("face_recognition", "face_recognition_models")
_WIDTH = 1400
_TOO_SHORT = 3
"""Values of fewer letters stand somewhere in any text."""
_ZONE: Mapping[str, str] = {
    "number": "document_number",
    "date_of_birth": "birth",
    "expiration_date": "expiry",
    "surname": "surnames",
    "names": "given",
}
"""PassportEye's names of what a zone says, and ours."""
_PASSPORT_EYE = (
    "import json, sys\nfrom passporteye import read_mrz\nfound = []\n"
    "for path in sys.argv[1:]:\n"
    "    zone = read_mrz(path)\n"
    "    found.append(zone.to_dict() if zone else {})\n"
    "print(json.dumps(found))"
)


@dataclass
class Score:
    """Right and total of both, by field; the peers' time is that of their own processes."""

    ours: Counter[str] = field(default_factory=Counter)
    theirs: Counter[str] = field(default_factory=Counter)
    total: Counter[str] = field(default_factory=Counter)

    def add(self, name: str, *, ours: bool, theirs: bool) -> None:
        self.total[name] += 1
        self.ours[name] += ours
        self.theirs[name] += theirs

    def report(self, part: Part, peer: str) -> None:
        rows = [("", "acredita", peer)]
        for name, total in self.total.items():
            rows.append((name, of(self.ours[name], total), of(self.theirs[name], total)))
            ahead(part, f"{name}, {peer}", self.ours[name], self.theirs[name])
        part.lines += table(rows)


def installed(folder: Path) -> Path:
    """The Python of the peers' environment, which is made where it is not there."""
    python = folder / "bin" / "python"
    if not python.exists():
        uv = str(Path(sys.executable).with_name("uv"))
        subprocess.run([uv, "venv", "-q", str(folder)], check=True)
        install = [uv, "pip", "install", "-q", "--python", str(python)]
        subprocess.run([*install, *PACKAGES], check=True)
        subprocess.run([*install, "--no-deps", *PACKAGES_ALONE], check=True)
    return python


def measure(scale: Scale, folder: Path) -> Part:
    part = Part("peers, on the same pictures")
    warm_up(2)
    python = installed(folder)
    if shutil.which("tesseract") is None:
        part.lines.append("left out: tesseract is not installed (tesseract-ocr, tesseract-ocr-spa)")
    else:
        _documents(part, scale)
        _specimens(part, python)
    face_peers.measure(part, python)
    return part


def _documents(part: Part, scale: Scale) -> None:
    """Every field of the drawn documents; tesseract's zones are read by our own reader, too."""
    score, watch, their_watch = Score(), Stopwatch(), Stopwatch(whose=resource.RUSAGE_CHILDREN)
    for specimen in drawn(orders(scale.documents, scale.seed + 30_000)):
        (page,) = watch.run(partial(read_pages, specimen.image_bytes, specimen.mime_type))
        text = their_watch.run(partial(_tesseract, specimen.image_bytes))
        for group, name, printed, value in _wanted(specimen):
            theirs = any(_squeezed(said) in text for said in {printed, value})
            score.add(group, ours=_is_ours(page, name, value), theirs=theirs)
    score.report(part, "tesseract")
    part.lines += [
        f"acredita, a document: {watch}",
        f"tesseract (spa), two runs of it: {their_watch}",
    ]


def _wanted(specimen: Specimen) -> Iterator[tuple[str, str, str, str]]:
    """The group of a field, its own name, its text as printed, its value."""
    printed = {name: each["text"] for name, each in specimen.truth["fields"].items()}
    names = NAMES_ON[SpecimenKind(specimen.truth["kind"])]
    lines = [value for name, value in specimen.truth["values"].items() if name.startswith("mrz")]
    if lines:
        yield "machine-readable zone", "mrz", "\n".join(lines), "\n".join(lines)
    for name, value in specimen.truth["values"].items():
        if name.startswith("mrz") or len(value) < _TOO_SHORT:
            continue
        group = "lines of names" if name in names else name.rstrip("123")
        yield group, name, printed.get(name, value), value
        if name in names and "Ñ" in value:
            yield "of these, with Ñ", name, printed.get(name, value), value


def _is_ours(page: PageReading, name: str, value: str) -> bool:
    if name == "mrz":
        zone = mrz.read(page.mrz[0]).value if page.mrz else None
        return zone is not None and "\n".join(zone.lines) == value
    sighting = page.sighting(name)
    return sighting is not None and sighting.value == value


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def _tesseract(picture: bytes) -> str:
    """What it reads of the picture as it is, and of the same evened out, blanks removed."""
    grey = np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE))
    scale = _WIDTH / grey.shape[1]
    evened = cv2.createCLAHE(2.0).apply(cv2.resize(grey, None, fx=scale, fy=scale))
    said = []
    for pixels in (grey, evened):
        data = cv2.imencode(".png", pixels)[1].tobytes()
        command = ["tesseract", "-", "-", "-l", "spa", "--psm", "11"]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        said.append(_squeezed(done.stdout.decode()))
    return " ".join(said)


def _specimens(part: Part, python: Path) -> None:
    """The zones of official specimens whose check digits are printed right, field by field."""
    if not zones.folder().is_dir():
        part.lines.append("left out: PassportEye needs the specimens")
        return
    chosen = [each for each in zones.specimens() if not each.wrong_digits]
    paths = [zones.folder() / each.file for each in chosen]
    watch, their_watch = Stopwatch(), Stopwatch(whose=resource.RUSAGE_CHILDREN)
    found = [
        their_watch.run(partial(said, python, _PASSPORT_EYE, [str(path)]))[0] for path in paths
    ]
    score = Score()
    for printed, path, theirs in zip(chosen, paths, found, strict=True):
        truth = mrz.parse([line.replace("Ñ", "N") for line in printed.lines]).value
        lines = zones.lines_of(watch.run(partial(zones.read, path)))
        ours = mrz.parse(lines).value if lines else None
        for name, attribute in _ZONE.items():
            value = _attribute(truth, attribute)
            score.add(
                f"zone, {attribute.replace('_', ' ')}",
                ours=_attribute(ours, attribute) == value,
                theirs=str(theirs.get(name, "")).replace("<", " ").strip() == value,
            )
    score.report(part, "PassportEye")
    part.lines += [f"acredita, a specimen: {watch}", f"PassportEye: {their_watch}"]


def _attribute(zone: Mrz | None, name: str) -> str:
    return "" if zone is None else str(getattr(zone, name))
