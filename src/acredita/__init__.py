import os

# Since release 1.29, ONNX Runtime reports every process, session and model to its publisher, under
# an id that it keeps in the user's folder. It reads this once, before it is first imported.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"

# NumPy's OpenBLAS starts a thread for each core, which waits busily after each product of matrices:
# a seventh of the CPU time of a page, on top of the threads that ACREDITA_ENGINE_THREADS allows.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
