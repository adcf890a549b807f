"""An OpenAI-compatible llama.cpp server on loopback: ``python llama_server.py MODEL.gguf CONTEXT``.

It runs in an environment of its own, which has ``xllamacpp`` and nothing of Gleaner. It prints its address once it
listens, and ends when its standard input does: with the process that started it, however that one ends.
"""

import sys

THREADS = 1


def serve(path: str, context: int) -> None:
    """Serve until the standard input ends."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.n_ctx = context
    params.n_parallel = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = THREADS
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.ui = False
    server = xllamacpp.Server(params)
    print("listening", server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
