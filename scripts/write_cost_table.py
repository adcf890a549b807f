"""Write the table of docs/costs.md from what a page uses and list prices; with --check only compare.

python scripts/write_cost_table.py [--check]
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/costs.md"
BEGIN, END = "<!-- costs: begin -->\n", "<!-- costs: end -->"
MONTHS = (0, 1_000, 100_000, 10_000_000)
SHARE_ASKED = 0.05
"""Of the pages, how many a model is asked about: the rest is answered by the page's own data or a learned recipe."""

# What one page uses. Times are of the billed milliseconds, sizes of the functions' memory in the template.
GB_SECONDS = {
    "plan_scrape": 1.0 * 0.15,
    "probe_media": 1.0 * 0.6,
    "render_page": 2.0 * 4.0,
    "chunk_page": 2.0 * 0.6,
    "aggregate_results": 2.0 * 0.6,
    "http_api and authorize": 1.0 * 0.3 + 0.5 * 0.05,
}
INVOCATIONS = 7
TRANSITIONS = 11
TABLE_WRITES, TABLE_READS = 8, 14
PUTS, GETS = 8, 14
STORED_GB = 0.0006
LOG_GB = 0.000008
ASKED_GB_SECONDS, ASKED_INVOCATIONS, ASKED_TRANSITIONS = 1.0 * 6.0, 1, 3
INPUT_TOKENS, OUTPUT_TOKENS = 9_000, 2_500
DASHBOARDS, ALARMS = 1, 4


def monthly(pages: int, prices: dict[str, float], model: dict[str, float]) -> dict[str, float]:
    """Give US dollars a month by what they are paid for."""
    asked = pages * SHARE_ASKED
    seconds = pages * sum(GB_SECONDS.values()) + asked * ASKED_GB_SECONDS
    calls = pages * INVOCATIONS + asked * ASKED_INVOCATIONS
    tokens = INPUT_TOKENS * model["input"] + OUTPUT_TOKENS * model["output"]
    return {
        "Lambda": seconds * prices["lambda_gb_second"] + calls * prices["lambda_request"],
        "Step Functions": (pages * TRANSITIONS + asked * ASKED_TRANSITIONS) * prices["state_transition"],
        "DynamoDB": pages * (TABLE_WRITES * prices["table_write_unit"] + TABLE_READS * prices["table_read_unit"]),
        "S3": pages
        * (PUTS * prices["bucket_put"] + GETS * prices["bucket_get"] + STORED_GB * prices["bucket_gb_month"]),
        "API Gateway": pages * prices["api_request"],
        "CloudWatch": pages * LOG_GB * prices["log_gb"]
        + DASHBOARDS * prices["dashboard_month"]
        + ALARMS * prices["alarm_month"],
        "the model": asked * tokens / 1_000_000,
    }


def table() -> str:
    """Give the table in Markdown."""
    data = json.loads((ROOT / "scripts/list_prices.json").read_text("utf-8"))
    columns = [monthly(pages, data["prices"], data["model_usd_per_million_tokens"]) for pages in MONTHS]
    lines = ["| pages a month | " + " | ".join(f"{pages:,}" for pages in MONTHS) + " |"]
    lines.append("| --- |" + " ---: |" * len(MONTHS))
    lines += [f"| {name} | " + " | ".join(f"{column[name]:,.2f}" for column in columns) + " |" for name in columns[0]]
    sums = [sum(column.values()) for column in columns]
    lines.append("| **all, USD** | " + " | ".join(f"**{total:,.2f}**" for total in sums) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: list[str]) -> int:
    """Write or check the table; 1 when it is not the one that the figures give."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    written = before + BEGIN + table() + END + rest.partition(END)[2]
    if "--check" in arguments:
        return int(written != text)
    PAGE.write_text(written, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
