import os

# Since release 1.29, ONNX Runtime reports every process, session and model to its publisher, under
# an id that it keeps in the user's folder. It reads this once, before it is first imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
