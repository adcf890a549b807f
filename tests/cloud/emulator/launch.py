"""Start ministack with what it leaves out closed; run by its own environment's Python, in a namespace of the check's.

Variables: CLOUD_CHECK_SCRATCH (a folder of the run's own), CLOUD_CHECK_RUNTIME (the packages of Lambda's runtime),
CLOUD_CHECK_PYTHON (the prefix of a Python 3.13), CLOUD_CHECK_MODEL (where Bedrock's runtime is played), and those of
ministack itself: GATEWAY_PORT, BIND_HOST, AUTH and so on.
"""

import replacing

replacing.check_version()

import formation  # noqa: E402
import machines  # noqa: E402
import ministack.app  # noqa: E402
import rights  # noqa: E402
import workers  # noqa: E402

if __name__ == "__main__":
    for part in (rights, formation, machines, workers):
        part.install()
    ministack.app.main()
