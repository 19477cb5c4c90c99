from acredita.settings import Settings
from acredita.settings_check.env_file import SECTIONS, example, new_installation
from acredita.settings_check.env_lines import skipped
from acredita.settings_check.misspelt_names import unknown
from tools.settings import FILE


def messages(*given):
    return {fault.variable: fault.message for fault in unknown(given)}


def test_a_misspelt_variable_is_named_with_the_nearest_setting():
    found = messages("ACREDITA_STORAGE_URI", "ACREDITA_PORT", "acredita_secretkey", "PATH")
    assert found.keys() == {"ACREDITA_STORAGE_URI", "ACREDITA_SECRETKEY"}
    assert "Did you mean ACREDITA_STORAGE_URL?" in found["ACREDITA_STORAGE_URI"]
    assert "Did you mean ACREDITA_SECRET_KEY?" in found["ACREDITA_SECRETKEY"]


def test_a_misspelt_prefix_is_named_but_not_the_variables_of_others():
    found = messages("ACREDITTA_STORAGE_URL", "ACCREDITA_PORT", "ACCREDITED_PORT", "AWS_PORT")
    assert found.keys() == {"ACREDITTA_STORAGE_URL", "ACCREDITA_PORT"}
    assert "Did you mean ACREDITA_STORAGE_URL?" in found["ACREDITTA_STORAGE_URL"]


def test_a_variable_that_resembles_nothing_is_to_be_removed():
    assert "Remove it." in messages("ACREDITA_QQQQ")["ACREDITA_QQQQ"]


def test_a_setting_about_something_else_is_not_suggested():
    for name in ("ACREDITA_RETENTION_DAYS", "ACREDITA_GEO_DATABASE", "ACREDITA_API_PROCESSES"):
        assert "Did you mean" not in messages(name)[name]
    found = messages("ACREDITA_PUBLIC_URL", "ACREDITA_RATE_LIMIT")
    assert "Did you mean ACREDITA_BASE_URL?" in found["ACREDITA_PUBLIC_URL"]
    assert "Did you mean ACREDITA_IP_RATE_LIMIT?" in found["ACREDITA_RATE_LIMIT"]


def test_the_settings_of_the_same_group_are_named_if_none_is_similar():
    """Another group may have a more similar name, such as OTEL_EXPORTER_OTLP_ENDPOINT."""
    message = messages("ACREDITA_STORAGE_ENDPOINT")["ACREDITA_STORAGE_ENDPOINT"]
    assert "Settings that begin like it: ACREDITA_STORAGE_ACCESS_KEY_ID, " in message
    assert message.endswith(" ACREDITA_STORAGE_URL.")
    assert "Did you mean ACREDITA_SMTP_URL?" in messages("ACREDITA_SMTP_URI")["ACREDITA_SMTP_URI"]


def test_a_line_of_the_env_file_that_sets_nothing_is_named_without_its_value():
    lines = [
        "# a comment",
        "",
        "ACREDITA_HOST = 127.0.0.1  # a comment",
        "export ACREDITA_LOG_LEVEL='INFO'",
        "COMPOSE_PROFILES",
        'ACREDITA_BASE_URL="https://hunter2.example',
        "ACREDITA_STORAGE_URL: s3://hunter2",
        "ACREDITA_PORT",
        "ACREDITA-ENV=hunter2",
        "\ufeffACREDITA_ENV=hunter2",
        "hunter2 hunter2",
    ]
    found = [str(fault) for fault in skipped("\n".join(lines))]
    assert [said.partition(" sets nothing. ")[0] for said in found] == [
        ".env: line 6 (ACREDITA_BASE_URL)",
        ".env: line 7 (ACREDITA_STORAGE_URL)",
        ".env: line 8 (ACREDITA_PORT)",
        ".env: line 9",
        ".env: line 10",
        ".env: line 11",
    ]
    assert "hunter2" not in "".join(found)


def test_variables_of_compose_and_of_the_tests_are_known():
    assert messages("ACREDITA_IMAGE", "ACREDITA_PUBLISHED_PORT", "ACREDITA_TEST_DATA") == {}


def test_every_setting_is_in_exactly_one_section():
    for name in Settings.model_fields:
        assert [title for title, names in SECTIONS.items() if name.startswith(names)] != []
        assert sum(name.startswith(names) for names in SECTIONS.values()) == 1, name


def test_each_prefix_of_a_section_is_of_a_setting():
    for prefixes in SECTIONS.values():
        for prefix in prefixes:
            assert any(name.startswith(prefix) for name in Settings.model_fields), prefix


def test_each_new_installation_has_secrets_of_its_own():
    first, second = (new_installation("https://id.example").splitlines() for _ in range(2))
    changed = {
        line.partition("=")[0] for line, other in zip(first, second, strict=True) if line != other
    }
    assert changed == {
        "POSTGRES_PASSWORD",
        "REDIS_PASSWORD",
        "ACREDITA_SECRET_KEY",
        "ACREDITA_ENCRYPTION_KEYS",
        "ACREDITA_METRICS_TOKEN",
    }


def test_the_example_has_every_setting_with_its_default_and_changes_nothing(tmp_path):
    file = tmp_path / ".env"
    file.write_text(example())
    plain = Settings(_env_file=None)
    assert Settings(_env_file=file) == plain
    file.write_text(example().replace("\n#ACREDITA_", "\nACREDITA_"))
    assert Settings(_env_file=file) == plain
    for name in Settings.model_fields:
        assert f"\n#ACREDITA_{name.upper()}=" in example()


def test_the_file_of_the_example_is_up_to_date():
    assert FILE.read_text() == example(), "run `make settings`"
