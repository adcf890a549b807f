"""Write the table of docs/costs.md from what a page uses and list prices; with --check only compare.

python scripts/write_cost_table.py [--check]
"""

import json
from pathlib import Path

from gleaner.budget.prices import Price, price_of

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/costs.md"
BEGIN, END = "<!-- costs: begin -->\n", "<!-- costs: end -->"
SCALE_BEGIN, SCALE_END = "<!-- scale: begin -->\n", "<!-- scale: end -->"
MONTHS = (0, 1_000, 100_000, 10_000_000)
SHARE_ASKED = 0.05
"""Of the pages, how many a model is asked about: the rest is answered by the page's own data or a learned recipe."""
MODEL = "bedrock:anthropic.claude-haiku-4-5"

# What one page uses. Times are of the billed milliseconds, assumed; sizes are the functions' memory in the template.
GB_SECONDS = {
    "plan_scrape": 1.0 * 0.15,
    "probe_media": 1.0 * 0.6,
    "render_page": 2.0 * 4.0,
    "chunk_page": 2.0 * 0.6,
    "aggregate_results": 2.0 * 0.6,
    "http_api and authorize": 1.0 * 0.3 + 0.5 * 0.05,
}
INVOCATIONS, TRANSITIONS, EVENTS = 7, 12, 1
# Measured by benchmarks/page_usage.py for a page of twelve new records that its recipe answers.
TABLE_WRITES, TABLE_READS, PUTS, GETS = 37, 18, 6, 22
# Looks of a call that waits for such a page, of six seconds (gleaner.service.gateway.pauses_within).
WAIT_READS = 24
# Assumed: a snapshot and a screenshot of half a megabyte, some ten lines of logs.
STORED_GB, LOG_GB = 0.0006, 0.000008
# What a page that the model is asked about uses besides; tokens are assumed, for a page of 30 KB of text.
ASKED_GB_SECONDS, ASKED_INVOCATIONS, ASKED_TRANSITIONS = 1.0 * 6.0, 1, 2
ASKED_WRITES, ASKED_READS, ASKED_PUTS, ASKED_GETS = 7, 17, 2, 5
INPUT_TOKENS, OUTPUT_TOKENS = 9_000, 2_500
# A page of a crawl: plain HTML with one record, answered by its recipe. Counted in a crawl of 60 pages.
CRAWLED_WRITES, CRAWLED_READS, CRAWLED_PUTS, CRAWLED_GETS = 13, 24, 6, 20
CRAWLED_STORED_GB, ADMITTED_GB_SECONDS, LAYOUTS = 0.00006, 1.0 * 0.2, 1_000
# What a watch's run uses besides its page. Counted over 23 runs.
WATCH_WRITES, WATCH_READS, WATCH_PUTS, WATCH_GETS, WATCH_TRANSITIONS, RUNS_A_MONTH = 4, 8, 2, 4, 4, 30
DASHBOARDS, ALARMS, METRICS = 1, 5, 11


def monthly(pages: int, prices: dict[str, float], model: Price) -> dict[str, float]:
    """Give US dollars a month by what they are paid for."""
    asked = pages * SHARE_ASKED
    seconds = pages * sum(GB_SECONDS.values()) + asked * ASKED_GB_SECONDS
    calls = pages * INVOCATIONS + asked * ASKED_INVOCATIONS
    writes, reads = (
        pages * TABLE_WRITES + asked * ASKED_WRITES,
        pages * (TABLE_READS + WAIT_READS) + asked * ASKED_READS,
    )
    puts, gets = pages * PUTS + asked * ASKED_PUTS, pages * GETS + asked * ASKED_GETS
    stored = pages * STORED_GB * prices["bucket_gb_month"]
    watched = DASHBOARDS * prices["dashboard_month"] + ALARMS * prices["alarm_month"]
    metrics = METRICS * prices["metric_month"] if pages else 0.0
    return {
        "Lambda": seconds * prices["lambda_gb_second"] + calls * prices["lambda_request"],
        "Step Functions": (pages * TRANSITIONS + asked * ASKED_TRANSITIONS) * prices["state_transition"],
        "DynamoDB": writes * prices["table_write_unit"] + reads * prices["table_read_unit"],
        "S3": puts * prices["bucket_put"] + gets * prices["bucket_get"] + stored,
        "API Gateway and events": pages * (prices["api_request"] + EVENTS * prices["event"]),
        "CloudWatch": pages * LOG_GB * prices["log_gb"] + watched + metrics,
        "the model": asked * model.cost(INPUT_TOKENS, OUTPUT_TOKENS),
    }


def crawl(pages: int, prices: dict[str, float], model: Price) -> dict[str, float]:
    """Give US dollars for a crawl of so many pages of plain HTML, with so many layouts as LAYOUTS says."""
    seconds = sum(GB_SECONDS.values()) - GB_SECONDS["render_page"] - GB_SECONDS["http_api and authorize"]
    puts, gets = CRAWLED_PUTS * prices["bucket_put"], CRAWLED_GETS * prices["bucket_get"]
    return {
        "Lambda": pages
        * ((seconds + ADMITTED_GB_SECONDS) * prices["lambda_gb_second"] + INVOCATIONS * prices["lambda_request"]),
        "Step Functions": pages * TRANSITIONS * prices["state_transition"],
        "DynamoDB": pages * (CRAWLED_WRITES * prices["table_write_unit"] + CRAWLED_READS * prices["table_read_unit"]),
        "S3": pages * (puts + gets + CRAWLED_STORED_GB * prices["bucket_gb_month"]),
        "the model": LAYOUTS * model.cost(INPUT_TOKENS, OUTPUT_TOKENS),
    }


def watching(watches: int, prices: dict[str, float], model: Price) -> dict[str, float]:
    """Give US dollars a month for so many watches of one rendered page each, once a day."""
    runs = watches * RUNS_A_MONTH
    page = monthly(runs, prices, model)
    return {
        "Lambda": page["Lambda"],
        "Step Functions": page["Step Functions"] + runs * WATCH_TRANSITIONS * prices["state_transition"],
        "DynamoDB": page["DynamoDB"]
        + runs * (WATCH_WRITES * prices["table_write_unit"] + WATCH_READS * prices["table_read_unit"]),
        "S3": page["S3"] + runs * (WATCH_PUTS * prices["bucket_put"] + WATCH_GETS * prices["bucket_get"]),
        "the model": watches * model.cost(INPUT_TOKENS, OUTPUT_TOKENS),
    }


def scale() -> str:
    """Give the table of a large crawl and of many watches in Markdown."""
    model = price_of(MODEL)
    assert model is not None
    columns = crawl(1_000_000, list_prices(), model), watching(10_000, list_prices(), model)
    lines = ["| USD | a crawl of 1,000,000 pages | 10,000 watches, a month |", "| --- | ---: | ---: |"]
    lines += [f"| {name} | " + " | ".join(f"{column[name]:,.0f}" for column in columns) + " |" for name in columns[0]]
    return (
        "\n".join([*lines, "| **all** | " + " | ".join(f"**{sum(one.values()):,.0f}**" for one in columns) + " |"])
        + "\n"
    )


def list_prices() -> dict[str, float]:
    """Give the prices of AWS by name, in US dollars."""
    stored = json.loads((ROOT / "scripts/list_prices.json").read_text("utf-8"))
    return {name: float(entry["usd"]) for name, entry in stored["prices"].items()}


def table() -> str:
    """Give the table in Markdown."""
    model = price_of(MODEL)
    assert model is not None
    columns = [monthly(pages, list_prices(), model) for pages in MONTHS]
    lines = ["| pages a month | " + " | ".join(f"{pages:,}" for pages in MONTHS) + " |"]
    lines.append("| --- |" + " ---: |" * len(MONTHS))
    lines += [f"| {name} | " + " | ".join(f"{column[name]:,.2f}" for column in columns) + " |" for name in columns[0]]
    sums = [sum(column.values()) for column in columns]
    lines.append("| **all, USD** | " + " | ".join(f"**{total:,.2f}**" for total in sums) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from generated import keep_between

    keep_between(PAGE, BEGIN, table(), END)
    keep_between(PAGE, SCALE_BEGIN, scale(), SCALE_END)
