"""Where ONNX Runtime runs the models."""

import onnxruntime
import pytest

from acredita.engines import device
from acredita.engines.device import Device, DeviceMissing


@pytest.fixture(autouse=True)
def _restore(monkeypatch):
    monkeypatch.setattr(device._Chosen, "device", Device.CPU)


def test_models_run_on_the_cpu_unless_another_device_is_chosen(monkeypatch):
    device.choose(Device.CPU)
    assert device.providers() == ["CPUExecutionProvider"]
    monkeypatch.setattr(onnxruntime, "get_available_providers", device.PROVIDERS.values)
    device.choose(Device.CUDA)
    assert device.providers() == ["CUDAExecutionProvider", "CPUExecutionProvider"]


def test_a_device_that_the_package_lacks_is_refused_with_what_to_install():
    with pytest.raises(DeviceMissing, match="install onnxruntime-gpu"):
        device.choose(Device.CUDA)
    assert device.providers() == ["CPUExecutionProvider"]
