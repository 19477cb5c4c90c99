"""`acredita check-config` and the start of a process find the same faults, all at once."""

import os
import stat

import certifi
import pytest
from typer.testing import CliRunner

from acredita.cli import app
from acredita.settings import Settings
from acredita.settings_check.env_file import new_installation
from tests.factories.pages import block

KEYS = {
    "ACREDITA_SECRET_KEY": "a-secret-of-our-own-that-nobody-else-knows",
    "ACREDITA_ENCRYPTION_KEYS": "k1:" + "Bw8XHycvNz9HT1dfZ293f4ePl5+nr7e/x8/X3+fv9wU=",
}
# The variables that docker-compose.yml demands or sets.
SOUND = KEYS | {
    "ACREDITA_ENV": "production",
    "ACREDITA_BASE_URL": "https://id.example",
    "ACREDITA_DATABASE_URL": "postgresql://acredita:password@postgres/acredita",
    "ACREDITA_REDIS_URL": "redis://:password@redis:6379/0",
    "ACREDITA_SMTP_URL": "none",
    "ACREDITA_SMS_PROVIDERS": "none",
    "ACREDITA_GOVERNMENT_PROVIDER": "none",
    "ACREDITA_CREDIT_PROVIDER": "none",
    "ACREDITA_ESIGNATURE_CERTIFICATE": "none",
    "ACREDITA_ESIGNATURE_TSA_URL": "none",
    "ACREDITA_GEOLOCATION_PROVIDER": "none",
}
MISTAKES = {
    "ACREDITA_STORAGE_URI": "s3://bucket",  # misspelt
    "ACREDITA_PORT": "eighty",
    "ACREDITA_REGISTRATION": "sometimes",
    "ACREDITA_SECRET_KEY": "short",
    "ACREDITA_ENCRYPTION_KEYS": "k1:c2hvcnQ=",
    "ACREDITA_DATABASE_URL": "mysql://acredita:hunter2@db/acredita",
    "ACREDITA_REDIS_URL": "http://redis",
    "ACREDITA_SMTP_URL": "mail.example",
    "ACREDITA_SMTP_CA_FILE": "/nowhere/ca.pem",
    "ACREDITA_MAIL_FROM": "nobody",
    "ACREDITA_ESIGNATURE_CERTIFICATE": "/nowhere/signing.p12",
    "ACREDITA_ENGINE_DEVICE": "cuda",
    "ACREDITA_GOVERNMENT_PROVIDER": "bridge",  # without address and token
}
NAMED = (MISTAKES.keys() - {"ACREDITA_GOVERNMENT_PROVIDER", "ACREDITA_ESIGNATURE_TSA_URL"}) | {
    "ACREDITA_GOVERNMENT_BRIDGE_URL",
    "ACREDITA_GOVERNMENT_BRIDGE_TOKEN",
    # The certificate is set, so the timestamps may not be turned off.
    "ACREDITA_ESIGNATURE_TSA_URL",
}


@pytest.fixture
def run(monkeypatch, tmp_path):
    """Runs `acredita` in an empty folder with these settings and no others."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("ACREDITA_")]:
        monkeypatch.delenv(name)

    def invoke(*arguments, **environment):
        return CliRunner().invoke(app, arguments, env=environment)

    return invoke


def named(result):
    """The variables that a command names, with its words."""
    lines = [line.split(": ", 2) for line in result.stderr.splitlines()]
    return {line[1]: line[2] for line in lines if len(line) == 3 and line[0] == "acredita"}


def test_ten_mistakes_are_found_at_once_with_what_to_do(run):
    done = run("check-config", **SOUND | MISTAKES)
    assert done.exit_code == 1
    assert named(done).keys() == NAMED
    for message in named(done).values():
        assert "Traceback" not in message
        assert message.rstrip().endswith((".", ")", "?"))
    assert "hunter2" not in done.output + done.stderr


def test_the_faults_on_the_page_are_those_of_these_settings(run):
    given = {"ACREDITA_STORAGE_URI": "s3://bucket", "ACREDITA_GOVERNMENT_PROVIDER": "bridge"}
    bridge = {"ACREDITA_GOVERNMENT_BRIDGE_URL": "https://bridge.example"}
    said = run("check-config", **SOUND | given | bridge).stderr.splitlines()
    shown = block("docs/operators/deployment.md", "faults").splitlines()
    assert len(said) == len(shown)
    for line, beginning in zip(said, shown, strict=True):
        assert line.startswith(beginning.removesuffix("…"))


@pytest.mark.parametrize("command", ["migrate", "api", "worker", "doctor"])
def test_every_process_refuses_to_start_with_the_same_words(run, command):
    checked, started = (run(name, **SOUND | MISTAKES) for name in ("check-config", command))
    assert started.exit_code == 2
    assert isinstance(started.exception, SystemExit)
    assert named(started) == named(checked)


@pytest.mark.parametrize("command", ["api", "worker"])
def test_a_process_without_its_servers_says_what_to_set(run, command):
    """In another folder than that of `.env`, these are the settings of development."""
    alone = run(command)
    assert alone.exit_code == 2
    assert "ACREDITA_DATABASE_URL is missing" in alone.stderr
    database = {"ACREDITA_DATABASE_URL": "postgresql://acredita:password@localhost/acredita"}
    half = run(command, **KEYS | database)
    assert half.exit_code == 2
    assert "ACREDITA_REDIS_URL is missing" in half.stderr


def test_an_unknown_variable_stops_a_command_that_needs_no_settings(run):
    done = run("keys", "new", ACREDITA_STORAGE_URI="s3://bucket")
    assert done.exit_code == 2
    assert "Did you mean ACREDITA_STORAGE_URL?" in done.stderr


def test_an_unknown_variable_in_the_env_file_is_found(run, tmp_path):
    (tmp_path / ".env").write_text("POSTGRES_PASSWORD=x\nACREDITA_STORAGE_URI=s3://bucket\n")
    assert named(run("check-config")).keys() == {"ACREDITA_STORAGE_URI"}


def test_a_file_of_settings_that_cannot_be_read_is_a_fault_in_words(run, tmp_path):
    file = tmp_path / ".env"
    file.write_bytes("ACREDITA_MAIL_FROM=Ñandú <id@id.example>\n".encode("latin-1"))
    for command in ("check-config", "api"):
        done = run(command, **SOUND)
        assert isinstance(done.exception, SystemExit)
        assert named(done) == {".env": "is not in UTF-8. Save it in that encoding."}
    file.write_text("ACREDITA_PORT: 9000\n")
    assert named(run("check-config", **SOUND)).keys() == {".env"}


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        ("DATABASE_URL", "postgresql://acredita:p@ss/hunter2@postgres/acredita"),
        ("REDIS_URL", "redis://:hunter2#ss@redis:6379/0"),
        ("REDIS_URL", "redis://:12#hunter2@redis:6379/0"),
        ("SMTP_URL", "smtp://user:12#hunter2@mail.example:587"),
    ],
)
def test_a_password_that_is_not_encoded_is_no_part_of_the_message(run, setting, url):
    done = run("check-config", **SOUND | {f"ACREDITA_{setting}": url})
    [message] = named(done).values()
    assert "must have the form" in message
    assert "hunter2" not in done.output + done.stderr


def test_an_invalid_environment_hides_no_fault_of_production(run):
    done = run("check-config", **SOUND | {"ACREDITA_ENV": "prod", "ACREDITA_SMTP_URL": ""})
    assert named(done).keys() == {"ACREDITA_ENV", "ACREDITA_SMTP_URL"}


def test_an_installation_with_every_provider_turned_off_is_sound(run, tmp_path):
    done = run("check-config", **SOUND)
    assert (done.exit_code, done.stderr) == (0, "")
    # In a wrong folder, the settings of development are sound.
    assert f"for production, from the environment; no {tmp_path / '.env'}." in done.stdout
    (tmp_path / ".env").touch()
    assert f"from {tmp_path / '.env'} and" in run("check-config", **SOUND).stdout


@pytest.mark.parametrize(
    ("change", "variable"),
    [
        ({"ACREDITA_SMTP_URL": ""}, "SMTP_URL"),
        ({"ACREDITA_SMS_PROVIDERS": "sandbox"}, "SMS_PROVIDERS"),
        ({"ACREDITA_GOVERNMENT_PROVIDER": ""}, "GOVERNMENT_PROVIDER"),
        ({"ACREDITA_CREDIT_PROVIDER": ""}, "CREDIT_PROVIDER"),
        ({"ACREDITA_GEOLOCATION_PROVIDER": ""}, "GEOLOCATION_PROVIDER"),
        ({"ACREDITA_ESIGNATURE_TSA_URL": "https://tsa.example"}, "ESIGNATURE_CERTIFICATE"),
        ({"ACREDITA_DATABASE_URL": ""}, "DATABASE_URL"),
        ({"ACREDITA_REDIS_URL": ""}, "REDIS_URL"),
        ({"ACREDITA_SMS_PROVIDERS": "gateway"}, "SMS_GATEWAY_URL"),
        ({"ACREDITA_BASE_URL": "id.example"}, "BASE_URL"),
        ({"ACREDITA_BASE_URL": "http://[id.example"}, "BASE_URL"),
        ({"ACREDITA_METRICS_PORT": "8000"}, "METRICS_PORT"),
        ({"ACREDITA_HOST": "localhost:8000"}, "HOST"),
        ({"ACREDITA_REDIS_URL": "redis://redis:6379/first"}, "REDIS_URL"),
        (
            {"ACREDITA_SMTP_URL": "smtp://mail.example", "ACREDITA_MAIL_FROM": "nobody"},
            "MAIL_FROM",
        ),
        (
            {
                "ACREDITA_STORAGE_URL": "s3://files?region=mx-central-1",
                "ACREDITA_STORAGE_ACCESS_KEY_ID": "AKIAEXAMPLE",
            },
            "STORAGE_SECRET_ACCESS_KEY",
        ),
        ({"ACREDITA_CALIBRATION": "/nowhere.json"}, "CALIBRATION"),
        ({"ACREDITA_AML_CA_FILE": __file__}, "AML_CA_FILE"),
        # A file, but no description beside it.
        ({"ACREDITA_FACE_EMBEDDING": __file__}, "FACE_EMBEDDING"),
    ],
)
def test_production_names_what_is_missing_or_a_sandbox(run, change, variable):
    assert named(run("check-config", **SOUND | change)).keys() == {f"ACREDITA_{variable}"}


def test_production_runs_on_sandboxes_if_it_is_allowed(run):
    allowed = SOUND | dict.fromkeys(SOUND.keys() & {"ACREDITA_SMTP_URL"}, "")
    done = run("check-config", **allowed, ACREDITA_ALLOW_SANDBOX_PROVIDERS="true")
    assert done.exit_code == 0, done.stderr


# Of each option and of each setting that another one needs.
WITHOUT_EFFECT = {
    "ACREDITA_GOVERNMENT_BRIDGE_URL": "https://bridge.example",
    "ACREDITA_CIRCULO_URL": "https://other.example",
    "ACREDITA_TWILIO_KEY_ID": "SK1",
    "ACREDITA_SMS_GATEWAY_BODY": "{text}",
    "ACREDITA_CONSERVATION_USERNAME": "acredita",
    "ACREDITA_GEOLOCATION_CITY_FILE": __file__,
    "ACREDITA_STORAGE_CA_FILE": certifi.where(),
    "ACREDITA_DATABASE_READ_LAG": "1",
    "ACREDITA_SMTP_CA_FILE": certifi.where(),
    "ACREDITA_ESIGNATURE_KEY": __file__,
    "ACREDITA_ESIGNATURE_TSA_PASSWORD": "hunter2",
    "ACREDITA_AML_REFRESH_LIMIT": "1",
    "ACREDITA_INSPECTION_HOST": "::",
    "ACREDITA_METRICS_HOST": "::",
    "ACREDITA_OTEL_TRACES_RATIO": "0.5",
}


def test_each_setting_without_effect_is_mentioned(run):
    done = run("check-config", **SOUND | WITHOUT_EFFECT)
    assert done.exit_code == 0
    lines = [line.split(": ", 3) for line in done.stderr.splitlines()]
    assert {(start, kind) for start, kind, *_ in lines} == {("acredita", "note")}
    assert {name for _, _, name, _ in lines} == WITHOUT_EFFECT.keys()
    assert all(said.startswith("has no effect: ACREDITA_") for *_, said in lines)
    assert "hunter2" not in done.stderr
    # OpenTelemetry's own variables name the collector, too.
    collector = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}
    traced = {"ACREDITA_OTEL_TRACES_RATIO": "0.5"}
    assert run("check-config", **SOUND | collector | traced).stderr == ""


@pytest.mark.parametrize(
    ("given", "variable"),
    [
        ({"ACREDITA_BASE_URL": "http://id.example"}, "BASE_URL"),
        ({"ACREDITA_SECRET_KEY": "x" * 40}, "SECRET_KEY"),
        ({"ACREDITA_ENCRYPTION_KEYS": f"k1:{'A' * 43}="}, "ENCRYPTION_KEYS"),
        ({"ACREDITA_VERIFICATION_TTL": "24"}, "VERIFICATION_TTL"),
        (
            {
                "ACREDITA_GEOLOCATION_PROVIDER": "maxmind",
                "ACREDITA_GEOLOCATION_CITY_FILE": "/nowhere.mmdb",
            },
            "GEOLOCATION_CITY_FILE",
        ),
    ],
)
def test_what_is_probably_a_mistake_is_mentioned(run, given, variable):
    done = run("check-config", **SOUND | given)
    assert done.exit_code == 0
    [line] = done.stderr.splitlines()
    assert line.startswith(f"acredita: note: ACREDITA_{variable}: ")


def test_a_setting_of_the_env_file_without_the_prefix_is_mentioned(run, tmp_path):
    (tmp_path / ".env").write_text("POSTGRES_PASSWORD=x\nSTORAGE_URL=s3://bucket\n")
    done = run("check-config", **SOUND)
    assert done.exit_code == 0
    expected = "note: STORAGE_URL: has no effect here. Did you mean ACREDITA_STORAGE_URL?"
    assert done.stderr == f"acredita: {expected}\n"


def test_init_writes_a_private_file_with_every_setting_and_never_overwrites(run, tmp_path):
    assert run("init", "https://id.example").exit_code == 0
    file = tmp_path / ".env"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    written = file.read_text()
    for name in Settings.model_fields:
        assert f"ACREDITA_{name.upper()}=" in written
    again = run("init", "https://id.example")
    assert again.exit_code == 1
    assert "exists" in again.stderr
    assert file.read_text() == written


def test_what_init_writes_lacks_only_what_compose_sets(run, tmp_path):
    (tmp_path / ".env").write_text(new_installation("https://id.example"))
    servers = {"ACREDITA_DATABASE_URL", "ACREDITA_REDIS_URL"}
    assert named(run("check-config")).keys() == servers
    assert run("check-config", **{name: SOUND[name] for name in servers}).exit_code == 0


def test_the_version_is_that_of_the_package_with_the_commit(run):
    done = run("--version")
    assert done.exit_code == 0
    assert done.stdout.startswith("acredita ")


@pytest.mark.parametrize(
    "address",
    [
        "id.example",
        "https://",
        "ftp://id.example",
        "https://[id.example",
        "https://id.example/?a=b",
        "https://id.example\nACREDITA_PORT=1",
    ],
)
def test_init_refuses_an_address_that_customers_cannot_reach_and_writes_nothing(
    run, tmp_path, address
):
    done = run("init", address)
    assert done.exit_code == 1
    assert "must have the form https://host" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_init_writes_to_the_standard_output_too(run, tmp_path):
    done = run("init", "https://id.example", "--file", "-")
    assert done.exit_code == 0
    assert "\nACREDITA_BASE_URL=https://id.example\n" in done.stdout
    assert list(tmp_path.iterdir()) == []
