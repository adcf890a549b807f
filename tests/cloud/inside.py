"""The check itself, inside its namespaces: python -m tests.cloud.inside SCRATCH PYTHON [--shell] [--only ROOM].

With ``--only``, just the tokens are made and the plays of one module of ``plays`` run, and no record is written.
"""

import json
import os
import shutil
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.cloud.far_side import far_side
from tests.cloud.plays import PLAYS
from tests.cloud.record import note, what_is_checked
from tests.cloud.stack import CACHE, PORT, Cloud, deploy, emulator


def main(scratch: Path, python: Path, wants_shell: bool, only: str) -> int:
    """Deploy, play, compare; give 0 when all is as it should be."""
    plays = [play for play in PLAYS if not only or play.__module__.endswith(f".{only}") or play is PLAYS[0]]
    started, checked = time.monotonic(), what_is_checked()
    with far_side(scratch) as far, emulator(scratch, python, far):
        cloud = Cloud(scratch, far)
        deploy(scratch)
        cloud.look_up()
        deployed_s = time.monotonic() - started
        print(f"deployed {len(cloud.functions)} functions in {deployed_s:.0f} s", flush=True)
        if wants_shell:
            return shell(cloud)
        failed = play_all(cloud, plays)
        worked = processor_s()
    denied = cloud.denied()
    for one in denied:
        print(f"DENIED {json.dumps(one)}")
    took = time.monotonic() - started
    print(f"{len(plays) - failed} of {len(plays)} plays, {len(denied)} calls denied")
    print(f"{took:.0f} s, and {worked:.0f} s of one core")
    if failed or denied:
        kept = CACHE / "cloud-check.log"
        shutil.copy(scratch / "emulator.log", kept)
        print(f"what the emulator and the functions said is in {kept}")
        return 1
    if not only:
        note(checked, len(PLAYS), round(deployed_s), round(took), round(worked))
    return 0


def play_all(cloud: Cloud, plays: list[Callable[[Cloud], str]]) -> int:
    """Play each, whatever became of the others; give how many failed."""
    failed = 0
    for play in plays:
        begun = time.monotonic()
        try:
            said = play(cloud)
        except Exception:  # noqa: BLE001 - the next play tells more
            failed += 1
            said = f"FAILED\n{traceback.format_exc()}"
        print(f"{time.monotonic() - begun:6.1f} s  {play.__name__}: {said}", flush=True)
    return failed


def processor_s() -> float:
    """Give the seconds of a core that all processes of this namespace have taken, and those of theirs that ended."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has ended meanwhile
            ticks += sum(map(int, path.read_text().rpartition(")")[2].split()[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def shell(cloud: Cloud) -> int:
    """Let a person work with the stack."""
    host = cloud.outputs["ApiUrl"].removeprefix("https://").partition(".")[0]
    with (cloud.scratch / "hosts").open("a", encoding="utf-8") as hosts:
        hosts.write(f"127.0.0.1 {host}.execute-api.127.0.0.1\n")
    more = {
        "API_URL": f"http://{host}.execute-api.127.0.0.1:{PORT}",
        "DEAD_LETTERS_URL": cloud.outputs["DeadLettersUrl"],
        "TABLE": cloud.outputs["TableName"],
        "BUCKET": cloud.outputs["BucketName"],
        "SCHEDULES": cloud.outputs["ScheduleGroup"],
        "MACHINE": cloud.outputs["StateMachine"],
        **{f"{name.upper()}_FUNCTION": physical for name, physical in cloud.functions.items()},
    }
    return subprocess.run(["/bin/bash", "--norc"], env={**cloud.environment, **more}, check=False).returncode


if __name__ == "__main__":
    told = sys.argv[3:]
    wanted = told[told.index("--only") + 1] if "--only" in told else ""
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]), "--shell" in told, wanted))
