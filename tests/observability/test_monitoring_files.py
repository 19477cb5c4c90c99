"""The dashboard and the alert rules ask for metrics that processes export, and for no others."""

import json
import re
from pathlib import Path

import yaml
from prometheus_client import REGISTRY

from tests.observability.conftest import numbers_of

FILES = Path(__file__).parents[2] / "deploy" / "helm" / "acredita" / "files"
NAME = re.compile(r"\bacredita_\w+")
FAMILY = re.compile("_(bucket|sum|count)$")
# These have samples only while there are jobs.
WITHOUT_SAMPLES = {"acredita_queue_jobs", "acredita_queue_oldest_due_seconds"}


def expressions():
    rules = yaml.safe_load((FILES / "alerts.yaml").read_text())
    for group in rules["groups"]:
        for rule in group["rules"]:
            yield rule["alert"], rule["expr"]
    dashboard = json.loads((FILES / "dashboard.json").read_text())
    for panel in dashboard["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]


async def test_dashboard_and_alerts_name_all_metrics_that_are_exported_and_no_others(
    services, banco
):
    exported = {sample.name for sample in (await numbers_of(services)).samples} | WITHOUT_SAMPLES
    suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_sum", "_count"]}
    for family in REGISTRY.collect():
        exported |= {family.name + suffix for suffix in suffixes.get(family.type, [""])}
    asked = {name for _, text in expressions() for name in NAME.findall(text)}
    assert asked - exported == set()
    families = {FAMILY.sub("", name) for name in exported if name.startswith("acredita_")}
    assert families - {FAMILY.sub("", name) for name in asked} == set()


def test_every_alert_says_what_is_wrong_and_is_unique():
    rules = yaml.safe_load((FILES / "alerts.yaml").read_text())["groups"][0]["rules"]
    assert len({rule["alert"] for rule in rules}) == len(rules) >= 10
    for rule in rules:
        assert rule["labels"]["severity"] in {"warning", "critical"}
        assert set(rule["annotations"]) == {"summary", "description"}
