"""Write the table of rights in docs/security.md from template.yaml: python scripts/write_rights_table.py [--check]."""

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cfnlint import decode

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/security.md"
BEGIN, END = "<!-- rights: begin -->\n", "<!-- rights: end -->"
TABLE = {"GetItem": "read", "PutItem": "write", "Query": "query", "DeleteItem": "delete"}
BUCKET = {"GetObject": "read", "PutObject": "write", "DeleteObject": "delete"}
ELSE = {
    "events:PutEvents": "send events",
    "bedrock:InvokeModel": "ask models",
    "secretsmanager:GetSecretValue": "read the model's secret",
    "scheduler:CreateSchedule": "keep the watches' schedules",
    "scheduler:UpdateSchedule": "keep the watches' schedules",
    "scheduler:DeleteSchedule": "keep the watches' schedules",
    "iam:PassRole": "hand on the role in which schedules start runs",
}
MACHINES = {"ScrapePageStateMachine": "start scrape_page", "ScrapeBatchStateMachine": "start scrape_batch",
            "WatchRunStateMachine": "start watch_run", "CrawlSiteStateMachine": "start crawl_site"}  # fmt: skip


def table() -> str:
    """Give the table in Markdown."""
    decoded, problems = decode.decode(str(ROOT / "template.yaml"))
    if problems:
        sys.exit("template.yaml can't be read")
    resources = json.loads(json.dumps(decoded))["Resources"].values()
    functions = [entry["Properties"] for entry in resources if entry["Type"] == "AWS::Serverless::Function"]
    rows = [f"| {' | '.join(cells(function))} |" for function in functions]
    return "\n".join(["| function | table | bucket | else |", "| --- | --- | --- | --- |", *rows]) + "\n"


def cells(function: dict[str, Any]) -> Iterator[str]:
    """Give a function's row."""
    table_rights, others = [], []
    prefixes: dict[str, list[str]] = defaultdict(list)
    for action, resource in rights(function["Policies"]):
        service, _, name = action.partition(":")
        if service == "dynamodb":
            table_rights.append(TABLE[name])
        elif name in BUCKET:
            prefixes[BUCKET[name]].append(f"`{re.sub(r'.*Bucket.Arn}/|[*]$', '', resource)}`")
        elif service == "states":
            others += [said for machine, said in MACHINES.items() if machine in resource]
        elif action == "secretsmanager:GetSecretValue" and "/secrets/" in resource:
            others.append("read the tenants' secrets")
        elif action != "s3:ListBucket":
            others.append(ELSE[action])
    yield function["CodeUri"].removeprefix("functions/")
    yield ", ".join(dict.fromkeys(table_rights)) or "none"
    yield "; ".join(f"{verb} {', '.join(names)}" for verb, names in prefixes.items()) or "none"
    yield ", ".join(dict.fromkeys(others))


def rights(policies: Any) -> Iterator[tuple[str, str]]:
    """Give action and resource of each right, those under a condition too; resources as their text."""
    if isinstance(policies, list):
        for policy in policies:
            yield from rights(policy)
    elif isinstance(policies, dict) and "Action" in policies:
        for action in listed(policies["Action"]):
            for resource in listed(policies["Resource"]):
                yield action, resource if isinstance(resource, str) else json.dumps(resource).strip('{}"')
    elif isinstance(policies, dict):
        for inner in policies.values():
            yield from rights(inner)


def listed(value: Any) -> list[Any]:
    """Give a list of one or more."""
    return value if isinstance(value, list) else [value]


if __name__ == "__main__":
    from generated import keep_between

    keep_between(PAGE, BEGIN, table(), END)
