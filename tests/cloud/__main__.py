"""Deploy the built stack to an emulator of AWS and play on it: ``make cloud-check`` builds first, then runs this.

    python -m tests.cloud [--shell] [--only ROOM]

All runs in network, mount and process namespaces of the run's own, which end with it. With ``--shell`` the plays give
way to a shell beside the deployed stack, with the variables of docs/operations.md set. With ``--only acting`` just the
plays of that module run.
"""

import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.cloud.needs import NAMESPACE, missing, python313

ROOT = Path(__file__).parents[2]
CACHE = ROOT / ".cache"
ENDS_WITH_ITS_PARENT = ("setpriv", "--pdeathsig", "KILL")
LONGEST_S = 1500
"""After which all processes of the run are ended, whatever they do."""
PARTS = {
    "the build": ROOT / ".aws-sam/build/template.yaml",
    "the emulator": CACHE / "emulator/.ready",
    "Lambda's runtime": CACHE / "lambda/.ready",
    "the SAM CLI": CACHE / "sam/bin/sam",
}


def main() -> int:
    """Run the check in its namespaces; give its exit code."""
    python = python313()
    absent = [
        *missing(),
        *(f"{name} ({path}): run make cloud-check" for name, path in PARTS.items() if not path.exists()),
    ]
    if absent or python is None:
        print("\n".join(f"cloud-check needs {line}" for line in absent), file=sys.stderr)
        return 2
    scratch = Path(tempfile.mkdtemp(prefix="gleaner-cloud-check-"))
    command = [
        *ENDS_WITH_ITS_PARENT,
        *NAMESPACE,
        sys.executable,
        "-m",
        "tests.cloud.inside",
        str(scratch),
        str(python),
        *sys.argv[1:],
    ]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(4))
    process = subprocess.Popen(command, cwd=ROOT)
    try:
        return process.wait(None if "--shell" in sys.argv else LONGEST_S)
    except subprocess.TimeoutExpired:
        print(f"cloud-check: ended after {LONGEST_S} s", file=sys.stderr)
        return 3
    finally:
        process.kill()  # with --kill-child: and with it all processes of its namespace
        process.wait()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
