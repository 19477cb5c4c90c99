"""The processor on which ONNX Runtime runs the models of this process."""

from enum import StrEnum

import onnxruntime


class Device(StrEnum):
    CPU = "cpu"
    CUDA = "cuda"


class DeviceMissing(RuntimeError):
    """The installed ONNX Runtime cannot use the device."""


PROVIDERS = {Device.CPU: "CPUExecutionProvider", Device.CUDA: "CUDAExecutionProvider"}


class _Chosen:
    device = Device.CPU


def require(device: Device) -> None:
    """Raise DeviceMissing if the installed ONNX Runtime cannot use the device."""
    if PROVIDERS[device] not in onnxruntime.get_available_providers():
        raise DeviceMissing(
            f"the installed onnxruntime has no {PROVIDERS[device]}: install onnxruntime-gpu"
        )


def choose(device: Device) -> None:
    """Load all further models of this process on `device`. Raise DeviceMissing."""
    require(device)
    _Chosen.device = device


def chosen() -> Device:
    return _Chosen.device


def providers() -> list[str]:
    """Return the execution providers for a session: operations that the device lacks run on the
    CPU."""
    return list(dict.fromkeys((PROVIDERS[_Chosen.device], PROVIDERS[Device.CPU])))
