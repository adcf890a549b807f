"""What the check needs of a machine: ``python -m tests.cloud.needs`` names all that is missing, and ends with 1."""

import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PROGRAMS = ("setpriv", "unshare", "mount", "chroot", "ip", "make", "node", "npm", "strip")
FREE_BYTES = 4_000_000_000
IN_A_NAMESPACE = """
set -e
ip link set lo up && ip address add 11.22.33.44/32 dev lo
mount -t tmpfs tmpfs "$0" && mkdir "$0/a" "$0/b" "$0/c"
mount -t overlay overlay -o ro,lowerdir="$0/a:$0/b" "$0/c"
"""
NAMESPACE = (
    "unshare",
    "--mount",
    "--net",
    "--pid",
    "--fork",
    "--kill-child",
    "--mount-proc",
    "--propagation",
    "private",
)


def python313() -> Path | None:
    """Give a Python 3.13 that starts: that of PATH, else pyenv's."""
    named = [shutil.which("python3.13")]
    kept = sorted(Path.home().glob(".pyenv/versions/3.13*/bin/python3.13"))
    for path in filter(None, [*named, *map(str, reversed(kept))]):
        done = subprocess.run(
            [path, "-c", "import pip, sys; print(sys.executable)"], capture_output=True, text=True, check=False
        )
        if done.returncode == 0:
            return Path(done.stdout.strip())
    return None


def missing() -> Iterator[str]:
    """Give a line for each thing that is not here, and what to do about it."""
    if (platform.system(), platform.machine()) != ("Linux", "x86_64"):
        yield f"Linux on x86-64, for which the layers are built; this is {platform.system()} on {platform.machine()}"
        return
    absent = [name for name in PROGRAMS if not shutil.which(name)]
    if absent:
        yield f"{', '.join(absent)}: install util-linux, iproute2, make, node 20 with npm, and binutils"
    else:
        yield from _missing_versions()
    if python313() is None:
        yield "python3.13 with pip, which functions run under on AWS: on PATH, or below ~/.pyenv/versions"
    for folder in (Path.cwd(), Path("/tmp")):
        free = shutil.disk_usage(folder).free
        if free < FREE_BYTES:
            yield f"{FREE_BYTES // 10**9} GB of free disk at {folder}; there are {free / 10**9:.1f}"
    if os.geteuid() != 0:
        yield "root, for namespaces of the run's own: run it in a container as root"
    elif not absent and not _has_namespaces():
        yield "namespaces of network, mounts and processes, with overlay: for example docker run --privileged"


def _missing_versions() -> Iterator[str]:
    node = re.match(r"v(\d+)", _said("node", "--version"))
    if not node or int(node[1]) < 20:
        yield f"node 20 or newer; found {_said('node', '--version') or 'none that starts'}"
    if "GNU" not in _said("strip", "--version"):
        yield "GNU strip, of binutils: without it the browser's layers do not fit into a function"


def _said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def _has_namespaces() -> bool:
    command = [*NAMESPACE, "/bin/sh", "-c", IN_A_NAMESPACE, "/mnt"]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


if __name__ == "__main__":
    lines = list(missing())
    for line in lines:
        print(f"cloud-check needs {line}", file=sys.stderr)
    if not lines and "--python" in sys.argv:
        print(python313())
    sys.exit(bool(lines))
