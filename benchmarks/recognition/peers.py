"""The same pictures before tesseract, PassportEye and face_recognition.

None of them is a dependency. tesseract is the Debian package, run from the command line; the other
two are installed, when first asked for, into an environment of their own, which may be deleted.
What is absent is left out, aloud. Peers are helped: tesseract has the picture as it is and evened
out, and a field counts as right where its text stands anywhere in what either gave.
"""

import json
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from acredita.domain.documents import PageReading
from acredita.domain.identifiers import mrz
from acredita.engines.documents import read_pages, warm_up
from acredita.engines.face import models
from acredita.engines.synthetic.specimens import Difficulty, SpecimenKind, make_specimen
from benchmarks.recognition import faces, zones
from benchmarks.recognition.documents import KINDS, NAMES_ON, truth_of
from benchmarks.recognition.report import Bar, Part, Scale, Stopwatch, of, table

FIELDS = ("curp", "clave", "name lines", "mrz")
PACKAGES = ("PassportEye", "dlib-bin", "setuptools<81")
# It asks for dlib, which would be compiled; dlib-bin is the same.
PACKAGES_ALONE = ("face_recognition", "face_recognition_models")
_WIDTH = 1400
_ZONE = {"number": "document_number", "date_of_birth": "birth", "expiration_date": "expiry"}
_ZONE |= {"surname": "surnames", "names": "given"}


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
    warm_up(1)
    _documents(part, scale)
    python = installed(folder)
    _zones(part, python)
    _faces(part, python)
    return part


def _ahead(part: Part, name: str, ours: float, theirs: float) -> None:
    part.bars.append(Bar(f"{name}: ours {ours:.3g}, theirs {theirs:.3g}", ours >= theirs))


def _documents(part: Part, scale: Scale) -> None:
    if shutil.which("tesseract") is None:
        part.lines.append("left out: tesseract is not installed (tesseract-ocr, tesseract-ocr-spa)")
        return
    ours: Counter[str] = Counter()
    theirs: Counter[str] = Counter()
    total: Counter[str] = Counter()
    watch, their_watch = Stopwatch(), Stopwatch()
    for number in range(scale.documents):
        difficulty = list(Difficulty)[number % len(Difficulty)]
        for kind in KINDS:
            specimen = make_specimen(kind, scale.seed + number, difficulty)
            (page,) = watch.run(partial(read_pages, specimen.image_bytes, specimen.mime_type))
            text = their_watch.run(partial(_tesseract, specimen.image_bytes))
            for field, name, value in _wanted(kind, specimen.truth):
                total[field] += 1
                ours[field] += _is_ours(page, name, value)
                theirs[field] += _squeezed(value) in text
    rows = [("field", "acredita", "tesseract spa")]
    rows += [(f, of(ours[f], total[f]), of(theirs[f], total[f])) for f in FIELDS]
    part.lines += table(rows)
    part.lines += [f"acredita, {watch}", f"tesseract (two runs of it), {their_watch}"]
    for field in FIELDS:
        _ahead(
            part, f"{field}, tesseract", ours[field] / total[field], theirs[field] / total[field]
        )


def _wanted(kind: SpecimenKind, truth: dict[str, Any]) -> Iterable[tuple[str, str, str]]:
    """The group of a field, its own name, and its text, of what both can be asked for."""
    for name, value in truth_of(kind, truth).items():
        if name in ("curp", "clave", "mrz"):
            yield name, name, value
        elif name in NAMES_ON[kind] and value:
            yield "name lines", name, value


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
    grey = cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE)
    scale = _WIDTH / grey.shape[1]
    evened = cv2.createCLAHE(2.0).apply(cv2.resize(grey, None, fx=scale, fy=scale))
    said = []
    for pixels in (grey, evened):
        data = cv2.imencode(".png", pixels)[1].tobytes()
        command = ["tesseract", "-", "-", "-l", "spa", "--psm", "11"]
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        said.append(_squeezed(done.stdout.decode()))
    return " ".join(said)


def _zones(part: Part, python: Path) -> None:
    if not zones.folder().is_dir() or shutil.which("tesseract") is None:
        part.lines.append("left out: PassportEye needs the specimens and tesseract")
        return
    chosen = [each for each in zones.specimens() if not each.wrong_digits]
    program = (
        "import json, sys, time\nfrom passporteye import read_mrz\nfound = []\n"
        "for path in sys.argv[1:]:\n"
        "    zone = read_mrz(path)\n"
        "    found.append(zone.to_dict() if zone else {})\n"
        "print(json.dumps(found))"
    )
    watch, their_watch = Stopwatch(), Stopwatch()
    paths = [zones.folder() / each.file for each in chosen]
    said = their_watch.run(partial(_said, python, program, [str(path) for path in paths]))
    right, theirs = 0, 0
    for printed, path, found in zip(chosen, paths, said, strict=True):
        truth = mrz.parse(printed.lines).value
        right += zones.lines_of(watch.run(partial(zones.read, path))) == printed.lines
        theirs += all(
            str(found.get(name, "")).replace("<", " ").strip() == getattr(truth, field)
            for name, field in _ZONE.items()
        )
    part.lines += [
        f"zones of official specimens: acredita {of(right, len(chosen))}, whole lines, {watch}",
        f"PassportEye {of(theirs, len(chosen))}, number, dates, names; {their_watch} for all",
    ]
    _ahead(part, "zones, PassportEye", right, theirs)


def _said(python: Path, program: str, arguments: Sequence[str]) -> list[Any]:
    command = [str(python), "-W", "ignore", "-c", program, *arguments]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    return list(json.loads(done.stdout.splitlines()[-1]))


def _faces(part: Part, python: Path) -> None:
    people = faces.labelled_faces()
    if not people:
        part.lines.append("left out: face_recognition needs the photographs")
        return
    models.warm_up()
    program = (
        "import json, sys, face_recognition as f\n"
        "told = [f.face_encodings(f.load_image_file(path)) for path in sys.argv[1:]]\n"
        "print(json.dumps([list(each[0]) if each else None for each in told]))"
    )
    with TemporaryDirectory() as folder:
        cards = [Path(folder) / f"{number}.png" for number in range(len(people))]
        for path, card in zip(people, cards, strict=True):
            cv2.imwrite(str(card), faces.as_card_portrait(faces.photograph(path)))
        theirs = [
            {
                path: None if told is None else np.array(told)
                for path, told in zip(people, _said(python, program, list(map(str, of_them))),
                                      strict=True)
            }
            for of_them in (list(people), cards)
        ]  # fmt: skip
    ours = [faces.embedded_all(people), faces.embedded_all(people, faces.as_card_portrait)]
    for name, (clean, degraded) in (("acredita", ours), ("face_recognition", theirs)):
        lost = sum(each is None for each in (*clean.values(), *degraded.values()))
        part.lines.append(
            f"{name}: no face {of(lost, 2 * len(people))}; equal error rate clean "
            f"{faces.pairs_within(people, clean).equal_error():.2%}, as a card's portrait "
            f"{faces.pairs_across(people, clean, degraded).equal_error():.2%}"
        )
        if name == "acredita":
            ours_lost = lost
    _ahead(part, "faces found, face_recognition", -ours_lost, -lost)
