"""Compare with tesseract, PassportEye and face_recognition, on the same pictures.

None of them is a dependency. tesseract is the Debian package, run from the command line. The other
two are installed on first use into a separate environment, which may be deleted. The command skips
absent programs and says so. Peers are helped: tesseract reads each picture unchanged and with even
light, and a field is correct if its text is anywhere in either output.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from acredita.domain.documents import PageReading
from acredita.domain.documents.findings import printed_in_lines
from acredita.domain.identifiers import mrz
from acredita.domain.identifiers.mrz import Mrz
from acredita.engines.documents import read_pages, warm_up
from acredita_synthetic.certificates import CertificateKind
from acredita_synthetic.ground_truth import SpecimenKind
from acredita_synthetic.specimens import make_specimen
from benchmarks.recognition import certificates, face_peers, zones
from benchmarks.recognition.documents import KINDS, NAMES_ON, Counts, orders
from benchmarks.recognition.drawing import Order, difficulty_of, drawn
from benchmarks.recognition.report import Part, Scale, Stopwatch, ahead, run_program, table

PACKAGES = ("PassportEye", "dlib-bin", "setuptools<81")
# They require dlib, which would be compiled. dlib-bin is the same.
PACKAGES_ALONE = ("face_recognition", "face_recognition_models")
_WIDTH = 1400
_MOST_PEOPLE = 60
_TOO_SHORT = 2
"""Values with so few letters occur by chance in any text."""
_NAMES_ON_LICENCE = ("fullName", "surnames", "paternalSurname", "maternalSurname", "givenNames")
_ON_CERTIFICATE = (
    "rfc",
    "curp",
    "givenNames",
    "paternalSurname",
    "maternalSurname",
    "idCif",
    "postalCode",
    "street",
    "neighbourhood",
    "municipality",
    "state",
)
_ONE_THREAD = os.environ | {"OMP_THREAD_LIMIT": "1"}
_ZONE: Mapping[str, str] = {
    "number": "document_number",
    "date_of_birth": "birth",
    "expiration_date": "expiry",
    "surname": "surnames",
    "names": "given",
}
"""PassportEye's names of a zone's fields, and ours."""
_PASSPORT_EYE = (
    "import json, sys\nfrom passporteye import read_mrz\nfound = []\n"
    "for path in sys.argv[1:]:\n"
    "    zone = read_mrz(path)\n"
    "    found.append(zone.to_dict() if zone else {})\n"
    "print(json.dumps(found))"
)


@dataclass
class Score:
    """Correct values of both programs, by document, field and difficulty. One bar per field."""

    ours: Counts = field(default_factory=Counts)
    theirs: Counts = field(default_factory=Counts)
    wrong: list[str] = field(default_factory=list)

    def add(
        self, name: str, *, ours: bool, theirs: bool, document: str = "", difficulty: str = ""
    ) -> None:
        self.ours.add(name, document, difficulty, right=ours)
        self.theirs.add(name, document, difficulty, right=theirs)

    def report(self, part: Part, peer: str) -> None:
        among = [each for each in dict.fromkeys(key[2] for key in self.ours.total) if each]
        rows = [("", "", "of", *among, "acredita", peer, "")]
        for document, name in dict.fromkeys((key[1], key[0]) for key in self.ours.total):
            ours, total = self.ours.share(name, document)
            theirs, _ = self.theirs.share(name, document)
            cells = [
                f"{self.ours.right[key]} : {self.theirs.right[key]} of {self.ours.total[key]}"
                if (key := (name, document, difficulty)) in self.ours.total
                else ""
                for difficulty in among
            ]
            place = "ahead" if ours > theirs else "BEHIND" if ours < theirs else "level"
            rows.append((document, name, str(total), *cells, str(ours), str(theirs), place))
            ahead(part, f"{document} {name}, {peer}".strip(), ours, theirs)
        part.lines += table(rows)


def installed(folder: Path) -> Path:
    """Return the Python of the peers' environment. Create the environment if it does not exist."""
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
        part.lines.append("skipped: tesseract is not installed (tesseract-ocr, tesseract-ocr-spa)")
    else:
        _documents(part, scale)
        _specimens(part, python)
    face_peers.measure(part, python)
    return part


def _documents(part: Part, scale: Scale) -> None:
    """Compare every field of the drawn documents."""
    score, watch, their_watch = Score(), Stopwatch(), Stopwatch(whose=resource.RUSAGE_CHILDREN)
    people, seed = min(scale.documents, _MOST_PEOPLE), scale.seed + 30_000
    wanted_of = {SpecimenKind.DRIVER_LICENCE: _on_licence} | dict.fromkeys(KINDS, _on_document)
    for specimen in drawn([*orders(people, seed), *_others(people, seed)]):
        (page,) = watch.run(partial(read_pages, specimen.image_bytes, specimen.mime_type))
        text = their_watch.run(partial(_tesseract, specimen.image_bytes))
        document, truth = specimen.truth["kind"], specimen.truth
        difficulty = truth.get("difficulty") or truth["form"]
        for group, name, value, printed in wanted_of.get(document, _on_certificate)(truth):
            ours, theirs = _ours(page, name), any(_squeezed(each) in text for each in printed)
            score.add(
                group, ours=ours == value, theirs=theirs, document=document, difficulty=difficulty
            )
            if ours != value:
                score.wrong.append(f"{document} {difficulty} {name}: {ours} for {value}")
    part.lines.append("right by acredita : by tesseract")
    score.report(part, "tesseract")
    part.lines += [
        f"acredita, a document: {watch}",
        f"tesseract (spa), two runs of it: {their_watch}",
        "read wrong by acredita",
        *score.wrong,
    ]


def _others(people: int, seed: int) -> list[Order]:
    """Return a licence of each person, and a pictured RFC certificate of every second person."""
    licences = [
        partial(make_specimen, SpecimenKind.DRIVER_LICENCE, seed + at, difficulty_of(at))
        for at in range(people)
    ]
    papers = [
        order
        for at in range(0, people, 2)
        for order in certificates.orders(
            1, seed + at, [difficulty_of(at // 2)], [CertificateKind.RFC_PERSON]
        )
    ]
    return [*licences, *papers]


Wanted = Iterator[tuple[str, str, str, Iterable[str]]]
"""The group of a field, its name, its value, and the texts that count as this value."""


def _on_document(truth: Mapping[str, Any]) -> Wanted:
    values, names = truth["values"], NAMES_ON[SpecimenKind(truth["kind"])]
    printed = {name: each["text"] for name, each in truth["fields"].items()}
    # Too short to search for alone: the search includes the text before them.
    printed["sex"] = f"SEXO{values.get('sex')}"
    printed["emission"] = printed.get("registrationYear", "")
    zone = [value for name, value in values.items() if name.startswith("mrz")]
    if zone:
        yield "machine-readable zone", "mrz", "\n".join(zone), ["\n".join(zone)]
    for name, value in values.items():
        texts = [text for text in {printed.get(name, value), value} if len(text) > _TOO_SHORT]
        if not texts:
            continue
        if name.startswith("mrz") or (name == "sex" and "mrz1" in values):
            continue  # a passport has a caption in two languages before the letter
        yield "lines of names" if name in names else name.rstrip("123"), name, value, texts
        if name in names and "Ñ" in value:
            yield "of these, with Ñ", name, value, texts


def _on_licence(truth: Mapping[str, Any]) -> Wanted:
    """Skip the state and the validity: phrases express them, not a printed field."""
    printed = {name: each["text"] for name, each in truth["fields"].items()}
    for name, value in truth["values"].items():
        if name not in printed:
            continue
        if texts := [text for text in {printed[name], value} if len(text) > _TOO_SHORT]:
            group = "parts of names" if name in _NAMES_ON_LICENCE else name.rstrip("123")
            yield group, name, value, texts


def _on_certificate(truth: Mapping[str, Any]) -> Wanted:
    """Take the fields that are printed like their value. Dates are spelled out."""
    for name in _ON_CERTIFICATE:
        if value := truth["values"].get(name):
            yield name, name, value, [value]


def _ours(page: PageReading, name: str) -> str | None:
    if name == "mrz":
        zone = mrz.read(page.mrz[0]).value if page.mrz else None
        return "\n".join(zone.lines) if zone else None
    found = printed_in_lines(page, name)
    return found.value if found else None


def _squeezed(text: str) -> str:
    return re.sub(r"\s", "", text)


def _tesseract(picture: bytes) -> str:
    """Return tesseract's text of the picture, unchanged and with even light, without blanks."""
    grey = np.asarray(cv2.imdecode(np.frombuffer(picture, np.uint8), cv2.IMREAD_GRAYSCALE))
    scale = _WIDTH / grey.shape[1]
    evened = cv2.createCLAHE(2.0).apply(cv2.resize(grey, None, fx=scale, fy=scale))
    texts = []
    for pixels in (grey, evened):
        data = cv2.imencode(".png", pixels)[1].tobytes()
        command = ["tesseract", "-", "-", "-l", "spa", "--psm", "11"]
        # With its own threads, tesseract takes three times the CPU time.
        done = subprocess.run(command, input=data, capture_output=True, check=True, env=_ONE_THREAD)
        texts.append(_squeezed(done.stdout.decode()))
    return " ".join(texts)


def _specimens(part: Part, python: Path) -> None:
    """Compare the zones of official specimens with valid printed check digits, by field."""
    if not zones.folder().is_dir():
        part.lines.append("skipped: PassportEye needs the specimens")
        return
    chosen = [each for each in zones.specimens() if not each.wrong_digits]
    paths = [zones.folder() / each.file for each in chosen]
    watch, their_watch = Stopwatch(), Stopwatch(whose=resource.RUSAGE_CHILDREN)
    found = [
        their_watch.run(partial(run_program, python, _PASSPORT_EYE, [str(path)]))[0]
        for path in paths
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
