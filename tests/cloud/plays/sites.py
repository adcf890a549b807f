"""Maps and crawls of sites, by the API."""

from tests.cloud.stack import Cloud, eventually


def a_site_is_mapped(cloud: Cloud) -> str:
    """Map the demo's shop by its links, and read the URLs."""
    begun = cloud.ask("POST", "/v1/maps?wait=0", {"url": "http://kiln.example/"})
    assert begun.status_code in (200, 202), begun.text
    map_id = begun.json()["map_id"]
    eventually("the end of a map", lambda: cloud.ask("GET", f"/v1/maps/{map_id}").json()["status"] == "complete", 90)
    listed = cloud.ask("GET", f"/v1/maps/{map_id}/urls").json()["urls"]
    assert "http://kiln.example/products" in {one["url"] for one in listed}, listed
    cloud.known["map"] = map_id
    return f"{len(listed)} URLs"


def a_site_is_crawled(cloud: Cloud) -> str:
    """Crawl some pages of the demo's shop: the map's state machine hands them to that of batches."""
    body = {"url": "http://kiln.example/", "max_pages": 5, "depth": 1, "request": {"enable_javascript": False}}
    begun = cloud.ask("POST", "/v1/crawls", body)
    assert begun.status_code == 202, begun.text
    place = begun.headers["location"]
    place = place[place.index("/v1/") :]

    def ended() -> object:
        record = cloud.ask("GET", place).json()
        return record["status"] not in ("mapping", "queued", "running") and record

    record = eventually("the end of a crawl", ended, 240, pause_s=2)
    lines = cloud.ask("GET", f"{place}/results?format=ndjson").text.splitlines()
    assert record["status"] in ("complete", "partial"), record
    assert 1 < len(lines) <= 5, (record, lines)
    return f"{len(lines)} pages, {record['status']}"
