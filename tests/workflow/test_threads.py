"""Several Gleaners at once in one process that has made none yet (LB-1)."""

import subprocess
import sys
from pathlib import Path

import pytest

ALL_AT_ONCE = """
import sys, threading
from pathlib import Path
from gleaner import Gleaner
from gleaner.testing import FunctionModel

THREADS, share = 8, sys.argv[1] == "shared"
home, ready, results = Path(sys.argv[2]), threading.Barrier(THREADS), [None] * THREADS
page = "<h1>Kettle {0}</h1><p>Holds {0} litres.</p>"
schema = {"type": "object", "properties": {"name": {"type": "string"}, "litres": {"type": "integer"}}}

def work(number):
    answer = '{"data": {"name": "Kettle %d", "litres": %d}}' % (number, number)
    ready.wait()
    with Gleaner(FunctionModel(lambda prompt: answer), home=home / ("one" if share else str(number))) as gleaner:
        result = gleaner.extract_html(page.format(number), f"https://kettles.example/{number}", output_schema=schema,
                                      config={"tiers": ["model"]})
    results[number] = (result.status, result.extraction and result.extraction.data, result.error)

threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
for number, result in enumerate(results):
    assert result == ("complete", {"name": f"Kettle {number}", "litres": number}, None), (number, result)
"""


@pytest.mark.req("LB-1")
@pytest.mark.parametrize("homes", ["shared", "own"])
def test_gleaners_made_in_threads_at_once_each_answer_their_own_page(homes: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ALL_AT_ONCE, homes, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
