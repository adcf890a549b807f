"""The HTTP API against ``gleaner serve``, and a batch of pages without a browser: rates, latencies, memory.

python benchmarks/api.py [--requests 2000] [--clients 8] [--pages 1000 10000]
"""

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Politeness, parse_list
from gleaner.local.runner import LocalRunner
from gleaner.service.gateway import Gateway
from gleaner.testing.loopback import LoopbackHandler, LoopbackServer
from gleaner.wiring import WiredServices

PAGE = "<title>Lamp</title><h1>Lamp</h1>" + "<p>A lamp that gives a warm light in the evening.</p>" * 40
HOSTS = 8


class Pages(LoopbackHandler):
    def do_GET(self) -> None:
        found = self.path != "/robots.txt"
        body = PAGE.encode() if found else b""
        self.answer(200 if found else 404, "text/html", body)


@contextmanager
def sites(count: int) -> Iterator[list[str]]:
    """Serve so many web sites from a process of their own, so that only Gleaner is measured."""
    command = [sys.executable, __file__, "--sites", str(count)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        yield process.stdout.readline().split()
    finally:
        process.terminate()
        process.wait(30)


def serve_sites(count: int) -> None:
    servers = [LoopbackServer(Pages) for _ in range(count)]
    print(*(server.host for server in servers), flush=True)
    threading.Event().wait()


@contextmanager
def serve(home: Path, host: str, port: int) -> Iterator[str]:
    command = [sys.executable, "-c", "from gleaner.cli import main; main()", "serve", "--port", str(port)]
    process = subprocess.Popen([*command, "--home", str(home), "--allow-host", host], stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            try:
                httpx.get(f"{url}/health")
                break
            except httpx.TransportError:
                time.sleep(0.1)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def measure(name: str, count: int, clients: int, call: Callable[[httpx.Client], httpx.Response], url: str) -> str:
    def client(number: int) -> list[float]:
        times: list[float] = []
        with httpx.Client(base_url=url, timeout=30) as http:
            call(http)
            for _ in range(number):
                start = time.perf_counter()
                call(http).raise_for_status()
                times.append((time.perf_counter() - start) * 1000)
        return times

    start = time.perf_counter()
    with ThreadPoolExecutor(clients) as pool:
        times = sorted(one for times in pool.map(client, [count // clients] * clients) for one in times)
    rate = len(times) / (time.perf_counter() - start)
    p95 = times[int(len(times) * 0.95)]
    return f"| {name} | {clients} | {rate:.0f} | {statistics.median(times):.1f} | {p95:.1f} |"


def run_batch(home: Path, hosts: list[str], count: int) -> str:
    services = WiredServices(load_settings({}, home=home, allow_hosts=hosts))
    runner = LocalRunner(services)
    gateway = Gateway(services, runner)
    urls = "\n".join(f"http://{hosts[number % len(hosts)]}/{number}" for number in range(count))
    start = time.perf_counter()
    parsed = parse_list(urls.encode(), defaults={"enable_javascript": False})
    batch_id = str(gateway.start_batch(parsed, Politeness(concurrency=16))["batch_id"])
    while gateway.batches.record(batch_id)["status"] == "running":
        time.sleep(0.2)
    rate = count / (time.perf_counter() - start)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    counts: Any = gateway.batches.view(batch_id)["counts"]
    runner.close()
    services.close()
    return f"| {count} | {counts.get('complete', 0)} | {rate:.1f} | {memory:.0f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=2000)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--pages", type=int, nargs="*", default=[1000])
    parser.add_argument("--port", type=int, default=18_080)
    parser.add_argument("--sites", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.sites:
        serve_sites(arguments.sites)
        return
    with tempfile.TemporaryDirectory() as folder, sites(HOSTS) as hosts:
        with serve(Path(folder) / "serve", hosts[0], arguments.port) as url:
            body = {"url": f"http://{hosts[0]}/", "enable_javascript": False}
            job_id = httpx.post(f"{url}/v1/scrape", json=body, timeout=60).json()["job_id"]
            print("| request | clients | requests/s | p50 ms | p95 ms |\n|---|---|---|---|---|")
            for clients in (1, arguments.clients):
                several = (arguments.requests, clients)
                print(
                    measure(
                        "POST /v1/content", *several, lambda http: http.post("/v1/content", json={"html": PAGE}), url
                    )
                )
                print(measure("GET /v1/jobs/{id}", *several, lambda http: http.get(f"/v1/jobs/{job_id}"), url))
        print("\n| pages of a batch | complete | pages/s | peak memory MB |\n|---|---|---|---|")
        for count in arguments.pages:
            print(run_batch(Path(folder) / f"batch-{count}", hosts, count))


if __name__ == "__main__":
    main()
