"""Cold start of the render function, step by step: python benchmarks/cold_start.py --python /path/to/python3.13
[--rounds 5] [--cpus 1] [--tmp-mb 512].

As root on Linux, after `make sam-build`, with a python3.13 that has boto3, as the Lambda runtime does. Each round is
a new process in a jail that is as near to Lambda as can be made here: another user, a root that can't be written, the
built layers under /opt, of the system's libraries only those that Amazon Linux 2023 brings, no /dev/shm, and a /tmp of
its own in memory. The layers' files are put out of the page cache before each round, so they are read from the disk.
"""

import argparse
import http.server
import json
import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Awaitable
from pathlib import Path

BUILT = Path(__file__).parents[1] / ".aws-sam/build"
LAYERS = ("CoreLayer", "ChromiumLayer", "PlaywrightLayer")
LIBRARIES = ("ld-linux-x86-64", "libc", "libm", "libdl", "libpthread", "librt", "libutil", "libresolv", "libnss_dns",
             "libnss_files", "libgcc_s", "libstdc++", "libz", "libcrypto", "libssl", "libffi", "liblzma", "libbz2",
             "libsqlite3", "libuuid", "libcrypt")  # fmt: skip
"""What the base image of python3.13 on Amazon Linux 2023 has, as far as anything here uses it."""

USER = 993
ROWS = "".join(f"<tr><td>Item {n}</td><td>{n * 3}.99 EUR</td></tr>" for n in range(300))
PAGE = f"<!doctype html><title>List</title><h1>List</h1><table>{ROWS}</table><script>document.title += '!'</script>"
JAIL = """set -eu
mount -t tmpfs -o mode=755 tmpfs "$R"
cd "$R"
mkdir -p lib lib64 opt proc tmp dev etc var/task var/lang var/runtime usr
ln -s ../lib usr/lib; ln -s ../lib64 usr/lib64
for name in $LIBRARIES; do cp -L /lib/x86_64-linux-gnu/$name.so* lib64/ 2>/dev/null || true; done
cp -a lib64/. lib/
cp /etc/hosts etc/; echo "hosts: files dns" > etc/nsswitch.conf; echo "sbx:x:$USER_ID:$USER_ID::/:/" > etc/passwd
mount -t overlay overlay -o "ro,lowerdir=$LAYERS" opt
mount --bind -o ro "$TASK" var/task
mount --bind -o ro "$PYTHON_HOME" var/lang
mount --bind -o ro "$RUNTIME" var/runtime
touch var/bench.py && mount --bind -o ro "$BENCH" var/bench.py
for name in null zero full random urandom; do touch dev/$name; mount --bind /dev/$name dev/$name; done
ln -s /proc/self/fd dev/fd
mount -t proc proc proc
mount -t tmpfs -o size="$TMP_MB"m,mode=1777 tmpfs tmp
mount -o remount,ro "$R"
exec chroot --userspec="$USER_ID:$USER_ID" "$R" /var/lang/bin/python3 /var/bench.py --inside "$URL"
"""


def steps_inside(url: str) -> dict[str, float]:  # noqa: PLR0915
    """Do what the function does from its start to its first page, and a second time; milliseconds by step."""
    import asyncio

    taken = {"interpreter": (time.time() - float(os.environ["STARTED"])) * 1000}
    mark = time.perf_counter()

    def note(step: str) -> None:
        nonlocal mark
        taken[step] = (time.perf_counter() - mark) * 1000
        mark = time.perf_counter()

    import handler  # noqa: F401 # pyright: ignore[reportMissingImports]

    note("import of the handler")
    from gleaner.adapters.browser.page import PageVisit, context_options
    from gleaner.adapters.browser.pool import BrowserPool
    from gleaner.adapters.http.address_proxy import AddressProxy
    from gleaner.contracts.ports import RenderOrder
    from gleaner.contracts.settings import load_settings

    settings = load_settings().model_copy(update={"allow_hosts": [url.split("/")[2]]})
    note("import of the browser's adapters, settings")

    async def clocked(step: str, work: Awaitable[object]) -> None:
        start = time.perf_counter()
        await work
        taken[f"of it {step}"] = (time.perf_counter() - start) * 1000

    async def show(pool: BrowserPool, proxy: AddressProxy) -> None:
        async with pool.worker() as worker:
            note("launch of the browser")
            context = await worker.browser.new_context(**context_options(settings, None))
            order = RenderOrder(url, screenshots=("full",))
            page = await PageVisit(context, order, settings, proxy.error_for).run()
            assert page.html.count("<tr>") == 300
            assert page.screenshots["full"]
            note("page")
            timings = page.timings
            taken.pop("page")
            taken["context, first page, navigation"] = timings["open"] + timings["navigate"]
            taken.update({"smart wait": timings["wait"], "snapshot": timings["snapshot"]})
            taken["full-page screenshot"] = timings["screenshot"]
            taken["memory, MB"] = memory_mb()
            await context.close()

    async def work() -> None:
        with AddressProxy.from_settings(settings) as proxy:
            pool = BrowserPool(settings, proxy.url)
            note("filtering proxy")
            await asyncio.gather(
                clocked("unpacking of Chromium (zstd) to /tmp", asyncio.to_thread(pool.build)),
                clocked("start of the driver (node)", pool.playwright()),
            )
            note("unpacking of Chromium, start of the driver at once")
            await show(pool, proxy)
            cold = dict(taken)
            start = time.perf_counter()
            await show(pool, proxy)
            taken.update(cold)
            taken["next page in the same environment"] = (time.perf_counter() - start) * 1000
            await pool.close()

    asyncio.run(work())
    usage = shutil.disk_usage("/tmp")
    taken["used of /tmp, MB"] = usage.used / 1e6
    return taken


def memory_mb() -> float:
    """Give the proportional set size of all processes in the jail."""
    sizes = 0
    for entry in Path("/proc").glob("[0-9]*/smaps_rollup"):
        try:
            sizes += int(entry.read_text().partition("\nPss:")[2].split()[0])
        except (OSError, IndexError, ValueError):
            continue
    return sizes / 1024


class Handler(http.server.BaseHTTPRequestHandler):
    """Serves the page."""

    def do_GET(self) -> None:
        """Answer."""
        body = PAGE.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def forget_pages(folders: list[Path]) -> None:
    """Put the folders' files out of the page cache."""
    for folder in folders:
        for path in folder.rglob("*"):
            if path.is_file():
                descriptor = os.open(path, os.O_RDONLY)
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(descriptor)


def run_round(python: tuple[Path, Path], url: str, options: argparse.Namespace, scratch: str) -> dict[str, float]:
    """Start the jail once, and give what it measured."""
    layers = [options.built / name for name in LAYERS]
    forget_pages(layers)
    jail = {
        "PATH": os.environ["PATH"], "R": scratch, "LAYERS": ":".join(map(str, layers)), "URL": url,
        "TASK": str(options.built / "RenderPageFunction"), "PYTHON_HOME": str(python[0]), "RUNTIME": str(python[1]),
        "BENCH": __file__, "LIBRARIES": " ".join(LIBRARIES), "USER_ID": str(USER), "TMP_MB": str(options.tmp_mb),
    }  # fmt: skip
    function = {
        "HOME": "/tmp", "PYTHONPATH": "/var/task:/opt/python:/var/runtime",
        "LD_LIBRARY_PATH": "/var/lang/lib:/lib64:/opt/lib",
        "AWS_LAMBDA_FUNCTION_NAME": "render", "POWERTOOLS_TRACE_DISABLED": "true", "PYTHONHOME": "/var/lang",
        "PYTHONDONTWRITEBYTECODE": "1", "GLEANER_CLOUD": "true", "GLEANER_TABLE_NAME": "t",
        "GLEANER_BUCKET_NAME": "b", "GLEANER_HOME": "/tmp/gleaner",
    }  # fmt: skip
    exports = "".join(f"export {name}='{value}'\n" for name, value in function.items())
    script = JAIL.replace("exec chroot", f"{exports}export STARTED=$(date +%s.%N)\nexec chroot")
    command = ["taskset", "--cpu-list", f"0-{options.cpus - 1}", "unshare", "--mount", "--pid", "--fork"]
    command += ["--propagation", "private", "sh", "-c", script]
    done = subprocess.run(command, env=jail, capture_output=True, text=True, timeout=180, check=False)
    if done.returncode:
        raise SystemExit(f"the jail ended with {done.returncode}:\n{done.stderr[-3000:]}{done.stdout[-1000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def python_of(program: str) -> tuple[Path, Path]:
    """Ask a Python where it is installed, and where boto3 is."""
    question = "import sys, boto3; print(sys.base_prefix); print(boto3.__path__[0])"
    answer = subprocess.run([program, "-c", question], capture_output=True, text=True, check=False)
    if answer.returncode:
        raise SystemExit(f"{program} is no Python with boto3: {answer.stderr.strip().splitlines()[-1]}")
    home, boto3 = answer.stdout.splitlines()
    return Path(home), Path(boto3).parent


def print_table(rounds: list[dict[str, float]]) -> None:
    """Print medians and worsts, with the sum of the cold steps."""
    apart = ("next page in the same environment", "memory, MB", "used of /tmp, MB")
    print("| step | median, ms | slowest, ms |\n|---|---|---|")
    for step in [name for name in rounds[0] if name not in apart]:
        values = [one[step] for one in rounds]
        print(f"| {step} | {statistics.median(values):.0f} | {max(values):.0f} |")
    sums = [sum(value for step, value in one.items() if step not in apart and "of it" not in step) for one in rounds]
    print(f"| **all of the cold start** | {statistics.median(sums):.0f} | {max(sums):.0f} |")
    for step in apart:
        values = [one[step] for one in rounds]
        print(f"| {step} | {statistics.median(values):.0f} | {max(values):.0f} |")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpus", type=int, default=1, help="processors that the function may use; 2048 MB give 1.2")
    parser.add_argument("--tmp-mb", type=int, default=512)
    parser.add_argument("--python", default="python3.13")
    parser.add_argument("--built", type=Path, default=BUILT, help="where sam build left the layers")
    parser.add_argument("--inside", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(steps_inside(options.inside)))
        return
    if sys.platform != "linux" or platform.machine() != "x86_64" or os.geteuid() != 0:
        raise SystemExit("the jail needs root on Linux on x86-64")
    missing = [name for name in (*LAYERS, "RenderPageFunction") if not (options.built / name).is_dir()]
    if missing:
        raise SystemExit(f"{options.built} has no {', '.join(missing)}: run `make sam-build` first")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}/"
    python = python_of(options.python)
    with tempfile.TemporaryDirectory() as scratch:
        print_table([run_round(python, url, options, scratch) for _ in range(options.rounds)])


if __name__ == "__main__":
    main()
