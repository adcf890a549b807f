"""Pages that are acted on: a login by a named secret, the session that it begins, and who may read the secret."""

import gzip
import json
from collections.abc import Iterator

from tests.cloud.plays.pages import SHOP
from tests.cloud.plays.rights import without_right
from tests.cloud.stack import STACK, Cloud, client

PASSWORD = "correct-horse-of-the-cloud-check"
LOGIN = [
    "fill: text=Name => guest",
    'fill: text=Password => {"secret": "shop-password"}',
    "click: role=button[name=Sign in]",
]


def a_login_is_acted_out_and_its_session_is_kept(cloud: Cloud) -> str:
    """Log in with a secret that the account keeps, once without the right to read it; then use the session alone."""
    stored = json.dumps({"value": PASSWORD, "hosts": [SHOP]})
    client("secretsmanager").create_secret(Name=f"{STACK}/secrets/default/shop-password", SecretString=stored)
    earlier = len(cloud.denied())
    with without_right(cloud, "render_page", ":secret:"):
        refused = cloud.scrape(f"{SHOP}/login", actions=LOGIN, seconds=240)
        noted = cloud.denied()[earlier:]
    assert refused["status"] == "failed", refused
    assert {one["action"] for one in noted} == {"secretsmanager:GetSecretValue"}, (refused, noted)
    cloud.take_back(noted)
    result = cloud.scrape(f"{SHOP}/login", actions=LOGIN, session="ada")
    assert result["status"] == "complete", result.get("error")
    assert "Signed in as guest" in text_of(cloud, result["job_id"])
    steps = [one["action"] for one in result["actions"]]
    assert len(steps) == len(LOGIN), result["actions"]
    later = cloud.scrape(f"{SHOP}/account", session="ada")
    assert "HH-1041" in text_of(cloud, later["job_id"])
    failed = cloud.scrape(f"{SHOP}/login", actions=["click: text=Not here"])
    assert failed["error"]["error_type"] == "action_failed", failed
    return f"{len(steps)} steps, a page by their session, a step that can't be done, {len(noted)} calls refused"


def text_of(cloud: Cloud, job_id: str) -> str:
    """Give the Markdown of a job's page."""
    return cloud.ask("GET", f"/v1/jobs/{job_id}/markdown").text


def a_secret_is_its_tenants_alone_and_stored_nowhere(cloud: Cloud) -> str:
    """Another tenant is told that there is no such secret; the value is in no object, item or log."""
    begun = cloud.ask("POST", "/v1/scrape?wait=20", {"url": f"{SHOP}/login", "actions": LOGIN}, "other").json()
    cloud.job(begun["job_id"], token="other")
    error = cloud.ask("GET", f"/v1/jobs/{begun['job_id']}/result", token="other").json()["error"]
    assert "shop-password" in error["message"], error
    places = [where for where, text in stored_texts(cloud) if PASSWORD in text]
    assert places == [], places
    return error["message"]


def stored_texts(cloud: Cloud) -> Iterator[tuple[str, str]]:
    """Give all that the stack holds and has logged, each with where it is."""
    s3, bucket = client("s3"), cloud.outputs["BucketName"]
    for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        for one in page.get("Contents", []):
            body = s3.get_object(Bucket=bucket, Key=one["Key"])["Body"].read()
            text = gzip.decompress(body) if body.startswith(b"\x1f\x8b") else body
            yield one["Key"], text.decode("utf-8", "replace")
    for page in client("dynamodb").get_paginator("scan").paginate(TableName=cloud.outputs["TableName"]):
        yield from ((f"{item['pk']} {item['sk']}", str(item)) for item in page["Items"])
    yield "the log", (cloud.scratch / "emulator.log").read_text("utf-8", "replace")
