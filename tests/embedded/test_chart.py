"""The Helm chart, rendered by helm; no cluster is needed.

`make deploy-check` fetches helm and the schemas of Kubernetes, and runs these tests.
"""

import base64
import os
import re
import shlex
import shutil
import subprocess

import pytest
import yaml
from pydantic import SecretStr
from typer.testing import CliRunner

from acredita.cli import app
from acredita.jobs.registry import Queue
from acredita.settings import Settings
from acredita.settings_check.env_file import new_installation
from tests.factories.image import image_environment
from tests.factories.pages import PROJECT, block

CHART = PROJECT / "deploy" / "helm" / "acredita"
PAGE = "docs/operators/deployment.md"
LEAST = (
    "existingSecret=acredita,settings.ACREDITA_BASE_URL=https://id.example"
    ",settings.ACREDITA_STORAGE_URL=s3://acredita-files"
)
# Everything that is off by default, or has several forms.
ALL = (
    f"{LEAST},api.processes=3,migrationSecret=owner,files.existingClaim=files"
    ",ingress.enabled=true,ingress.host=id.example,ingress.className=nginx,ingress.tlsSecret=tls"
    ",monitoring.podMonitor=true,monitoring.alertRules=true,monitoring.dashboard=true"
    ",workers.engines.autoscaling.enabled=true"
)
# Kinds of operators that Kubernetes has no schemas of.
FOREIGN = {"PodMonitor", "PrometheusRule", "ScaledObject"}
pytestmark = pytest.mark.skipif(shutil.which("helm") is None, reason="helm is not installed")


def helm(*arguments):
    return subprocess.run(
        ["helm", *arguments], cwd=PROJECT, capture_output=True, text=True, check=False
    )


def rendered(values):
    done = helm("template", "acredita", str(CHART), "--set", values)
    assert done.returncode == 0, done.stderr
    return done.stdout


def containers(documents):
    """(name of the object, pod, container) of all that runs the service."""
    for document in documents:
        if document["kind"] in ("Deployment", "Job"):
            pod = document["spec"]["template"]["spec"]
            for container in pod["containers"]:
                yield document["metadata"]["name"], pod, container


def values_of_page():
    command = block(PAGE, "helm").replace("\\\n", " ")
    [upgrade] = [line for line in command.splitlines() if line.startswith("helm upgrade")]
    words = shlex.split(upgrade)
    assert words[:5] == ["helm", "upgrade", "--install", "acredita", "deploy/helm/acredita"]
    return ",".join(words[words.index("--set") + 1 :: 2])


@pytest.mark.parametrize("values", [LEAST, ALL])
def test_helm_finds_nothing_to_complain_about(values):
    done = helm("lint", "--strict", str(CHART), "--set", values)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.skipif(
    shutil.which("kubernetes-validate") is None, reason="the schemas are not installed"
)
def test_oldest_and_newest_kubernetes_take_every_object(tmp_path):
    (tmp_path / "chart.yaml").write_text(rendered(ALL))
    objects = list(yaml.safe_load_all((tmp_path / "chart.yaml").read_text()))
    oldest = re.search(r">=(\d+\.\d+)", (CHART / "Chart.yaml").read_text())[1]
    for version in ([], ["--kubernetes-version", oldest]):
        command = ["kubernetes-validate", "--strict", *version, str(tmp_path / "chart.yaml")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        # Without a schema, it only warns.
        unknown = re.findall(r"Couldn't find schema for kind (\w+)", said)
        assert set(unknown) == FOREIGN
        assert said.count(" passed for resource ") == len(objects) - len(unknown)


@pytest.fixture(scope="module")
def secret(tmp_path_factory):
    """The keys of the Secret that the page makes, as pods get them."""
    folder = tmp_path_factory.mktemp("secret")
    written = new_installation("https://id.example")
    program = block(PAGE, "secret")
    fakes = folder / "bin"
    fakes.mkdir()
    (folder / "written").write_text(written)
    (fakes / "acredita").write_text(f"#!/bin/sh\ncat {folder}/written\n")
    (fakes / "acredita").chmod(0o755)
    # kubectl makes the object itself where it is installed; without a cluster, it sends it nowhere.
    kubectl = shutil.which("kubectl")
    made = f'exec {kubectl} "$@" --dry-run=client --output yaml'
    (fakes / "kubectl").write_text(f"#!/bin/sh\n{made if kubectl else 'exit 0'}\n")
    (fakes / "kubectl").chmod(0o755)
    environment = {"PATH": f"{fakes}:{os.environ['PATH']}", "HOME": str(folder)}
    done = subprocess.run(
        ["sh", "-eu", "-c", program],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = (folder / "secret.env").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines)
    if kubectl:
        data = yaml.safe_load(done.stdout)["data"]
        assert {name: base64.b64decode(value).decode() for name, value in data.items()} == given
    assert (folder / "secret.env").stat().st_mode & 0o077 == 0
    return given


@pytest.mark.parametrize("values", [None, ALL])
def test_every_process_of_the_page_has_sound_settings_and_a_command_that_exists(
    secret, values, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)
    names = set()
    # A value of the chart would hide one that the operator adds to the Secret.
    secrets = {
        f"ACREDITA_{name.upper()}"
        for name, field in Settings.model_fields.items()
        if field.annotation is SecretStr
    }
    assert "ACREDITA_SMTP_URL" in secrets
    documents = yaml.safe_load_all(rendered(values or values_of_page()))
    for name, pod, container in containers(documents):
        names.add(name)
        assert {"secretRef": {"name": "acredita"}} in container["envFrom"]
        given = {entry["name"]: entry["value"] for entry in container["env"]}
        assert not given.keys() & (secret.keys() | secrets)
        # In the order of Kubernetes: what the chart sets is above the Secret.
        found = image_environment() | secret | given
        checked = CliRunner().invoke(app, ["check-config"], env=found)
        assert (checked.exit_code, checked.stderr) == (0, ""), name
        assert container["args"][0] == "acredita"
        helped = CliRunner().invoke(app, [*container["args"][1:], "--help"])
        assert helped.exit_code == 0, helped.output
        security = container["securityContext"]
        assert (security["readOnlyRootFilesystem"], security["capabilities"]) == (
            True,
            {"drop": ["ALL"]},
        )
        assert pod["securityContext"]["runAsNonRoot"] is True
    workers = {f"acredita-worker-{one}" for one in ("engines", "registries", "deliveries", "light")}
    assert names == {"acredita-api", "acredita-migrate"} | workers


def test_every_queue_has_a_worker():
    queues = set()
    for _, _, container in containers(yaml.safe_load_all(rendered(LEAST))):
        if "--queues" in container["args"]:
            queues.update(container["args"][-1].split(","))
    assert queues == {one.value for one in Queue}


# Without a bucket or a volume, files would end with their pod.
@pytest.mark.parametrize("missing", LEAST.split(","))
def test_a_required_value_that_is_missing_is_named(missing):
    left = [value for value in LEAST.split(",") if value != missing]
    done = helm("template", "acredita", str(CHART), "--set", ",".join(left))
    assert done.returncode != 0
    assert missing.partition("=")[0] in done.stderr
