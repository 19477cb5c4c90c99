"""Digests of code and models are those of `sha256sum`, so that an auditor can compute them."""

import subprocess
from hashlib import sha256
from pathlib import Path

import pytest

import acredita
from acredita.engines import digests
from acredita.engines.text import model_files
from tests.factories.pages import block


@pytest.mark.parametrize("page", ["docs/compliance/evidence.md", "docs/es/evidencia.md"])
def test_the_digest_of_the_code_is_that_of_the_documented_command(page):
    package = Path(acredita.__file__).parent
    command = block(page, "the digest of the code")
    done = subprocess.run(["sh", "-c", command], cwd=package, capture_output=True, check=True)
    assert digests.code() == done.stdout.split()[0].decode()


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
    assert digests.models(folder, own) == sha256(listed.encode()).hexdigest()
    seen = {digests.models(folder, own)}
    for path, content in ((own, b"two"), (described, b'{"threshold": 0.1}')):
        digests.models.cache_clear()
        path.write_bytes(content)
        seen.add(digests.models(folder, own))
    assert len(seen) == 3
