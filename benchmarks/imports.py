"""What importing each function's handler costs, beside another checkout: python benchmarks/imports.py [OTHER]
[--rounds 5] [--only NAME ...].

Processor milliseconds of the import alone, with the variables of Lambda set, each in a new process, the checkouts in
turns. The least of the rounds is told: what else a machine does only adds to it. Both run with this interpreter and its
packages, so that only Gleaner's own code differs. A round that is left out of the figures writes the bytecode.
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
CLOCKED = "import time; begun = time.process_time(); import handler; print((time.process_time() - begun) * 1000)"
LAMBDA = {
    "AWS_LAMBDA_FUNCTION_NAME": "bench",
    "AWS_DEFAULT_REGION": "eu-central-1",
    "POWERTOOLS_SERVICE_NAME": "gleaner",
    "POWERTOOLS_METRICS_NAMESPACE": "Gleaner",
}


def import_ms(checkout: Path, function: str) -> float:
    """Import a checkout's handler in a new process; give the processor time of it in milliseconds."""
    places = (checkout / f"functions/{function}", checkout / "layers/core/src")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(map(str, places)), **LAMBDA}
    return float(subprocess.check_output([sys.executable, "-c", CLOCKED], env=environment, text=True))


def main() -> None:
    """Print a row for each function, and the largest ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("other", type=Path, nargs="?", help="a checkout to compare with")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="*", help="names of functions")
    args = parser.parse_args()
    checkouts = [one.resolve() for one in (args.other, ROOT) if one]
    names = args.only or sorted(path.parent.name for path in (ROOT / "functions").glob("*/handler.py"))
    names = [name for name in names if all((one / f"functions/{name}").exists() for one in checkouts)]
    ratios: list[float] = []
    for name in names:
        rounds = [[import_ms(one, name) for one in checkouts] for _ in range(args.rounds + 1)][1:]
        least = [min(column) for column in zip(*rounds, strict=True)]
        ratios.append(least[-1] / least[0])
        print(f"{name:20} {'  '.join(f'{one:7.0f} ms' for one in least)}  {ratios[-1]:.2f}", flush=True)
    print(f"of one another: {min(ratios):.2f} to {max(ratios):.2f}")


if __name__ == "__main__":
    main()
