"""Digests of code, models and libraries are those of `sha256sum`, so that an auditor can compute
them."""

import re
import subprocess
import sys
from hashlib import sha256
from importlib import metadata
from pathlib import Path

import pytest

import acredita
from acredita.engines import digests, model_digest
from acredita.engines.text import model_files
from tests.factories.pages import block


@pytest.mark.parametrize("page", ["docs/compliance/evidence.md", "docs/es/evidencia.md"])
def test_the_digest_of_the_code_is_that_of_the_documented_command(page):
    package = Path(acredita.__file__).parent
    command = block(page, "the digest of the code")
    done = subprocess.run(["sh", "-c", command], cwd=package, capture_output=True, check=True)
    assert digests.code() == done.stdout.split()[0].decode()


def test_a_part_of_the_code_is_of_a_release_only_if_each_of_its_files_is(tmp_path, monkeypatch):
    own = digests.list_code()
    monkeypatch.setattr(digests, "WHOLE", tmp_path / "code.sha256")
    more = own + b"0" * 64 + b"  another.py\n"
    changed = own.replace(own[:64], b"0" * 64)
    for whole, expected in ((more, more), (changed, own)):
        digests.WHOLE.write_bytes(whole)
        assert digests.list_code() == expected


def test_the_digest_of_models_changes_with_each_of_them(tmp_path):
    own = tmp_path / "own.onnx"
    own.write_bytes(b"one")
    # Its description has the limit of a judgement.
    described = tmp_path / "own.json"
    described.write_text('{"threshold": 0.5}')
    folder = tmp_path / "faces"
    folder.mkdir()
    (folder / "sface.onnx").write_bytes(b"network")
    (folder / "blazeface.onnx").write_bytes(b"detector")
    text = sorted(model_files.paths()[0].parent.glob("PP-OCRv6_*_small.onnx"))
    listed = "".join(
        f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n"
        for path in (*text, folder / "blazeface.onnx", folder / "sface.onnx", own, described)
    )
    assert model_digest.models(folder, own) == sha256(listed.encode()).hexdigest()
    seen = {model_digest.models(folder, own)}
    for path, content in ((own, b"two"), (described, b'{"threshold": 0.1}')):
        model_digest.models.cache_clear()
        path.write_bytes(content)
        seen.add(model_digest.models(folder, own))
    assert len(seen) == 3


# What these folders import and what judges nothing: formats, signatures, connections, logs.
OTHERS = {
    *("aiohttp", "aiosmtplib", "asn1crypto", "cryptography", "disposable_email_domains", "dns"),
    *("markdown_it", "nh3", "orjson"),
    *("pydantic", "pyhanko", "pyhanko_certvalidator", "reportlab", "structlog", "_typeshed"),
}
DISTRIBUTIONS = {
    "PIL": "pillow",
    "cel_expr_python": "cel-expr-python",
    "cv2": "opencv-python-headless",
    "re2": "google-re2",
    "zxingcpp": "zxing-cpp",
}
# What the libraries require and what computes nothing: formats, connections, progress, logs.
WITHOUT_PART = {
    *("colorlog", "flatbuffers", "omegaconf", "packaging", "protobuf", "pyyaml", "requests"),
    *("six", "tqdm"),
}


def test_the_libraries_are_those_that_judging_imports_and_what_computes_for_them():
    pattern = re.compile(r"^\s*(?:from (\w+)[\w.]* import |import (\w+))", re.MULTILINE)
    package = Path(acredita.__file__).parent
    imported = {
        first or second
        for folder in ("domain", "engines", "providers")
        for path in (package / folder).rglob("*.py")
        for first, second in pattern.findall(path.read_text())
    }
    imported -= {*sys.stdlib_module_names, "acredita", *OTHERS}
    named = {DISTRIBUTIONS.get(name, name) for name in imported}
    required = {
        found[0].lower()
        for name in named
        for line in metadata.requires(name) or []
        if "extra" not in line and (found := re.match(r"[\w-]+", line))
    }
    assert set(digests.LIBRARIES) == named | required - WITHOUT_PART
    assert set(digests.libraries()) == {*digests.LIBRARIES, "python"}
