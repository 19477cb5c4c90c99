"""What a process shows of itself, read as Prometheus reads it."""

import re
from importlib import import_module

import pytest
from prometheus_client.parser import text_string_to_metric_families
from pydantic import SecretStr

from acredita.resources.metrics.service import exposition_of
from acredita.worker import JOB_MODULES

# As a worker does: a job of a kind that nobody knows is left alone.
for module in JOB_MODULES:
    import_module(module)

TOKEN = "a-token-of-the-operator"
HEADERS = {"Authorization": f"Bearer {TOKEN}"}
ID = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}", re.IGNORECASE)


class Numbers:
    """The samples of one scrape, by name and labels."""

    def __init__(self, exposed: str) -> None:
        self.samples = [
            sample
            for family in text_string_to_metric_families(exposed)
            for sample in family.samples
        ]

    def of(self, name, /, **labels) -> float:
        """The sum over the samples of that name that have these labels."""
        return sum(
            sample.value
            for sample in self.samples
            if sample.name == f"acredita_{name}" and labels.items() <= sample.labels.items()
        )

    def values_of(self, name, label) -> set[str]:
        return {
            sample.labels[label] for sample in self.samples if sample.name == f"acredita_{name}"
        }


async def numbers_of(services) -> Numbers:
    return Numbers((await exposition_of(services).render()).decode())


@pytest.fixture
def settings(settings):
    return settings.model_copy(update={"metrics_token": SecretStr(TOKEN)})
