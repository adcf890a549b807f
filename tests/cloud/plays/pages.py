"""Pages of each kind, by the API: the real browser from the layer, the scripted model behind Bedrock's protocol."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
from gleaner.cli.demo import PRODUCTS

from tests.cloud.far_side import LARGE_LINES
from tests.cloud.stack import PARAMETERS, Cloud, client, eventually
from tests.square_font import square_font, zipped

SHOP = "http://kiln.example"
LIMIT = 6_291_556


def listing_pages_pay_one_model_call_and_then_none(cloud: Cloud) -> str:
    """Read a listing that a script draws, then its second page by the recipe that the first has taught."""
    question: dict[str, Any] = {"output_schema": PRODUCTS, "query": "all products"}
    first = cloud.scrape(f"{SHOP}/products", **question)
    assert first["status"] == "complete", first.get("error") or first["extraction"]
    extraction = first["extraction"]["extraction_id"]
    second = cloud.scrape(f"{SHOP}/products?page=2", **question, extraction_id=extraction)
    assert second["status"] == "complete", second.get("error") or second["extraction"]
    asked = sum(one["extraction"]["usage"]["calls"] for one in (first, second))
    cloud.known |= {"extraction": extraction, "listing": first["job_id"], "listing_page": first["page_id"]}
    records = [len(one["extraction"]["data"]["products"]) for one in (first, second)]
    assert records == [12, 12], records
    assert asked == 1, f"{asked} model calls"
    return f"{sum(records)} records, {asked} model call"


def a_follow_reads_the_whole_listing(cloud: Cloud) -> str:
    """Follow the listing from its first page to its last."""
    wanted = len(cloud.far.site.products)
    result = cloud.scrape(f"{SHOP}/products", seconds=240, output_schema=PRODUCTS, query="all products", follow=10)
    assert result["status"] == "complete", result.get("error") or result["extraction"]
    found = len(result["extraction"]["data"]["products"])
    assert found == wanted, f"{found} of {wanted} records"
    return f"{found} of {wanted} records"


def screenshots_media_and_failures_are_results(cloud: Cloud) -> str:
    """A screenshot in a named session, a PDF as a file and as text, a page that is not there, a forbidden address."""
    picture = cloud.scrape(f"{SHOP}/forum/glaze", format="screenshot", actions=["scroll"], session="ada")
    cloud.known["session"] = "ada"
    assert picture["status"] == "complete", picture
    image = cloud.ask("GET", f"/v1/jobs/{picture['job_id']}/screenshot")
    assert image.content.startswith((b"\x89PNG", b"\xff\xd8", b"RIFF")), image.headers
    media = cloud.scrape(f"{SHOP}/files/price-list.pdf")
    assert media["format"] == "media", media
    cloud.known |= {"picture": picture["job_id"], "media": media["job_id"]}
    document = cloud.scrape(f"{SHOP}/files/price-list.pdf", documents=True)
    assert (document["status"], document["format"]) == ("complete", "markdown"), document
    lost = cloud.scrape("http://shop.example/lost", enable_javascript=False)
    assert lost["error"]["error_type"] == "http_status_error", lost
    inside = cloud.scrape("http://169.254.169.254/latest/meta-data/", enable_javascript=False)
    assert inside["error"]["error_type"] == "blocked_address", inside
    return f"{len(image.content):,} bytes of picture, a PDF, two refusals"


def a_screenshot_says_what_it_lacks_until_the_bucket_has_fonts(cloud: Cloud) -> str:
    """Show letters that no font draws, put a font into the bucket, and show them again."""
    lacks = lacking(cloud)
    assert len(lacks) == 1, lacks
    letters = (cloud.far.site.folder / "greetings.html").read_text("utf-8")
    archive = zipped(all=square_font("".join(sorted(set(letters)))))
    client("s3").put_object(Bucket=cloud.outputs["BucketName"], Key="fonts/fonts.zip", Body=archive)
    again = lacking(cloud)
    assert again == [], again
    return lacks[0]


def lacking(cloud: Cloud) -> list[str]:
    """Give what a screenshot of many scripts warns of."""
    result = cloud.scrape(f"{SHOP}/greetings", format="screenshot")
    assert result["status"] == "complete", result
    return [one for one in result["warnings"] if "lacks" in one]


def browsers_wait_for_one_another(cloud: Cloud) -> str:
    """Start one browser more than RenderConcurrency allows, on pages that hold them: it is refused, and waits."""
    most = int(PARAMETERS["RenderConcurrency"])
    urls = [f"http://shop.example/held/{number}" for number in range(most + 1)]
    render = cloud.functions["render_page"]
    before = throttles(render)
    with ThreadPoolExecutor(len(urls)) as pool:
        shown = [pool.submit(cloud.scrape, url, seconds=240) for url in urls[:most]]
        try:
            eventually("as many browsers as may run", lambda: cloud.far.pages.held >= most, 120, pause_s=0.1)
            shown.append(pool.submit(cloud.scrape, urls[most], seconds=240))
            refused = eventually("a call that Lambda refuses", lambda: throttles(render) - before, 120)
        finally:
            cloud.far.pages.gate.set()
        results = [one.result() for one in shown]
    ends = [result["status"] for result in results]
    assert ends == ["complete"] * len(urls), [result.get("error") for result in results]
    return f"{len(urls)} pages, {most} browsers, {refused} calls refused meanwhile"


def throttles(function: str) -> int:
    """Give how many calls of a function Lambda has refused in the last hour."""
    now = datetime.now(UTC)
    found = client("cloudwatch").get_metric_statistics(
        Namespace="AWS/Lambda", MetricName="Throttles", Dimensions=[{"Name": "FunctionName", "Value": function}],
        StartTime=now - timedelta(hours=1), EndTime=now + timedelta(minutes=5), Period=300, Statistics=["Sum"],
    )  # fmt: skip
    return round(sum(point["Sum"] for point in found["Datapoints"]))


def what_is_over_six_megabytes_is_read_by_a_presigned_address(cloud: Cloud) -> str:
    """Read a page's text that no function may answer with."""
    result = cloud.scrape("http://shop.example/large", seconds=240, enable_javascript=False)
    assert result["status"] == "complete", result.get("error")
    answer = cloud.ask("GET", f"/v1/jobs/{result['job_id']}/markdown")
    assert answer.status_code == 303, (answer.status_code, answer.text[:300])
    whole = httpx.get(answer.headers["location"], timeout=60)
    assert len(whole.content) > LIMIT, len(whole.content)
    assert whole.text.rstrip("`\n ").endswith(f"line {LARGE_LINES - 1} of it"), whole.text[-200:]
    return f"{len(whole.content):,} bytes"
