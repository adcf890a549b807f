"""The template is valid, each state machine in it too, and functions get settings that load."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from gleaner.budget.prices import price_of
from gleaner.contracts.models import ExtractionResult, ScrapeResult
from gleaner.contracts.settings import load_settings
from gleaner.steps.closing import measures_of

from tests.template.stack import SECRET, Stack

ROOT = Path(__file__).parents[2]
TEMPLATE = ROOT / "template.yaml"
MACHINES = sorted((ROOT / "statemachine").glob("*.asl.json"))


@pytest.fixture(scope="module")
def template() -> dict[str, Any]:
    from cfnlint import decode

    decoded, problems = decode.decode(str(TEMPLATE))
    assert not problems
    return json.loads(json.dumps(decoded))


def functions(template: dict[str, Any]) -> dict[str, dict[str, Any]]:
    resources = template["Resources"].items()
    return {name: entry["Properties"] for name, entry in resources if entry["Type"] == "AWS::Serverless::Function"}


def inlined(path: Path) -> str:
    """Give a template that holds nothing but a state machine: the linter reads its states where they are inlined."""
    definition = re.sub(r"\$\{\w+\}", "arn:aws:lambda:eu-central-1:123456789012:function:x", path.read_text("utf-8"))
    properties = {"RoleArn": "arn:aws:iam::123456789012:role/x", "Definition": json.loads(definition)}
    resources = {"Machine": {"Type": "AWS::StepFunctions::StateMachine", "Properties": properties}}
    return yaml.safe_dump({"Resources": resources})


@pytest.mark.req("WF-1")
def test_the_template_and_the_state_machines_pass_the_linter(tmp_path: Path) -> None:
    written = [tmp_path / f"{path.name}.yaml" for path in MACHINES]
    for file, path in zip(written, MACHINES, strict=True):
        file.write_text(inlined(path), "utf-8")
    program = Path(sys.executable).with_name("cfn-lint")
    command = [program, "--regions", "eu-central-1", "--", TEMPLATE, *written]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)


def states_in(machine: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for state in machine["States"].values():
        yield state
        yield from states_in(state.get("ItemProcessor", {"States": {}}))


@pytest.mark.req("WF-2")
def test_a_batch_is_two_distributed_maps_that_no_item_can_end_and_whose_outputs_stay_small() -> None:
    states = list(states_in(json.loads((ROOT / "statemachine/scrape_batch.asl.json").read_text("utf-8"))))
    maps = [state for state in states if state["Type"] == "Map"]
    assert [state["ItemProcessor"]["ProcessorConfig"]["Mode"] for state in maps] == ["DISTRIBUTED", "DISTRIBUTED"]
    assert [state["MaxConcurrencyPath"] for state in maps] == ["$.max_lanes", "$.politeness.per_host"]
    assert [state["ToleratedFailurePercentage"] for state in maps] == [100, 100]
    assert [state["ResultPath"] for state in maps] == [None, None]
    assert [state["Result"] for state in states if state["Type"] == "Pass"] == [0, 0]
    guarded = [state for state in states if state["Type"] in ("Map", "Task") and not state.get("End")]
    assert len(guarded) == 4
    assert all(state["Catch"][0]["ErrorEquals"] == ["States.ALL"] for state in guarded)


@pytest.mark.req("WF-1")
def test_every_placeholder_of_a_machine_is_filled_by_the_template(template: dict[str, Any]) -> None:
    machines = [
        entry["Properties"]
        for entry in template["Resources"].values()
        if entry["Type"] == "AWS::Serverless::StateMachine"
    ]
    assert {Path(machine["DefinitionUri"]).name for machine in machines} == {path.name for path in MACHINES}
    for machine in machines:
        text = (ROOT / machine["DefinitionUri"]).read_text("utf-8")
        assert set(re.findall(r"\$\{(\w+)\}", text)) == set(machine["DefinitionSubstitutions"])


@pytest.mark.req("WF-1")
def test_every_function_of_the_template_has_its_handler_and_every_handler_its_function(
    template: dict[str, Any],
) -> None:
    uris = {properties["CodeUri"] for properties in functions(template).values()}
    assert uris == {f"functions/{path.parent.name}" for path in (ROOT / "functions").glob("*/handler.py")}


@pytest.mark.req("BR-6")
def test_every_variable_of_a_function_is_a_setting(template: dict[str, Any]) -> None:
    shared = template["Globals"]["Function"]["Environment"]["Variables"]
    for properties in functions(template).values():
        own = properties.get("Environment", {}).get("Variables", {})
        values = {name: value if isinstance(value, str) else example(name) for name, value in {**shared, **own}.items()}
        assert load_settings(values).cloud


def example(name: str) -> str:
    address = "https://a.example"
    known = {
        "GLEANER_PROXIES": "[]",
        "GLEANER_MODEL": "none",
        "GLEANER_CORS_ORIGIN": address,
        "GLEANER_LLM_OPENAI_BASE_URL": address,
    }
    return known.get(name, "5")


@pytest.mark.req("SS-3")
def test_the_render_function_has_no_rights_over_the_table(template: dict[str, Any]) -> None:
    policies = json.dumps(functions(template)["RenderPageFunction"]["Policies"])
    assert "dynamodb" not in policies
    assert "Table" not in policies
    assert "events:" not in policies
    assert "bedrock" not in policies


@pytest.mark.req("AC-2", "AC-5", "SS-3")
def test_of_tenants_secrets_rendering_reads_the_named_ones_probing_those_of_proxies_and_no_other_function_any() -> None:
    stack = Stack()
    rights = {
        name: [right for right in stack.rights(name) if right[0].startswith("secretsmanager:")]
        for name in stack.functions()
    }
    named = f"{SECRET.rpartition(':')[0]}:gleaner/secrets"
    assert rights.pop("render_page") == [("secretsmanager:GetSecretValue", f"{named}/*")]
    assert rights.pop("probe_media") == [("secretsmanager:GetSecretValue", f"{named}/default/proxy-*")]
    assert not [right for others in rights.values() for right in others if right[1] != SECRET]


@pytest.mark.req("SS-3")
def test_no_function_may_do_everything_or_touch_everything(template: dict[str, Any]) -> None:
    for name, properties in functions(template).items():
        for policy in properties["Policies"]:
            statements = policy.get("Statement") or policy["Fn::If"][1]["Statement"]
            for statement in statements:
                actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
                assert not any("*" in action for action in actions), name
                assert statement["Resource"] != "*", name


@pytest.mark.req("SS-3")
def test_only_the_planning_and_the_extracting_function_may_ask_a_model(template: dict[str, Any]) -> None:
    allowed = [name for name, entry in functions(template).items() if "bedrock:" in json.dumps(entry["Policies"])]
    assert allowed == ["PlanScrapeFunction", "ExtractChunkFunction"]


def test_nothing_must_be_answered_to_deploy_and_every_default_is_one_that_is_allowed(template: dict[str, Any]) -> None:
    for name, parameter in template["Parameters"].items():
        default = str(parameter["Default"])
        assert re.fullmatch(parameter.get("AllowedPattern", ".*"), default), name
        assert default in map(str, parameter.get("AllowedValues", [default])), name
        assert parameter["Description"], name


@pytest.mark.req("EX-2", "EX-9")
def test_on_aws_a_model_of_the_account_is_asked_and_its_price_is_known(template: dict[str, Any]) -> None:
    model = template["Parameters"]["Model"]["Default"]
    assert model.startswith("bedrock:")
    assert price_of(model) is not None
    assert load_settings({}).model == "none"


def test_alarms_reach_their_topic(template: dict[str, Any]) -> None:
    """CloudWatch has no rights over alias/aws/sns (AWS re:Post, "alarm with an encrypted topic")."""
    resources = template["Resources"].values()
    assert all("KmsMasterKeyId" not in entry["Properties"] for entry in resources if entry["Type"] == "AWS::SNS::Topic")
    alarms = [entry["Properties"] for entry in resources if entry["Type"] == "AWS::CloudWatch::Alarm"]
    assert alarms
    assert all(alarm["AlarmActions"] == [{"Ref": "AlarmTopic"}] for alarm in alarms)


def test_what_a_first_deployment_made_goes_when_it_fails_and_stays_ever_after(template: dict[str, Any]) -> None:
    kept = [entry for entry in template["Resources"].values() if entry.get("DeletionPolicy")]
    assert {entry["Type"] for entry in kept} == {"AWS::DynamoDB::Table", "AWS::S3::Bucket"}
    assert {entry["DeletionPolicy"] for entry in kept} == {"RetainExceptOnCreate"}
    assert {entry["UpdateReplacePolicy"] for entry in kept} == {"Retain"}


def test_an_alarm_that_reckons_counts_what_did_not_happen_as_none(template: dict[str, Any]) -> None:
    """A metric without data has no value at all, and a sum with it none either (CloudWatch, "Using metric math")."""
    for entry in template["Resources"].values():
        for metric in entry["Properties"].get("Metrics", []) if entry["Type"] == "AWS::CloudWatch::Alarm" else []:
            sent = [one["Id"] for one in entry["Properties"]["Metrics"] if "MetricStat" in one]
            bare = re.sub(r"FILL\(\w+, 0\)", "", metric.get("Expression", ""))
            assert not set(re.findall(r"\w+", bare)) & set(sent), metric


def test_every_metric_of_ours_on_the_dashboard_is_one_that_the_steps_send(template: dict[str, Any]) -> None:
    body = template["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    sent = measures_of(ScrapeResult(status="complete", job_id="a", extraction=ExtractionResult()))
    for widget in json.loads(body.replace("${DailyUsdCap}", "5"))["widgets"]:
        metrics = widget["properties"]["metrics"]
        if metrics[0][0] == "Gleaner":
            assert {metric[1] for metric in metrics if isinstance(metric[0], str)} <= set(sent)


def test_the_dashboard_shows_what_recipes_save_what_a_day_costs_and_how_pages_end(template: dict[str, Any]) -> None:
    body = template["Resources"]["Dashboard"]["Properties"]["DashboardBody"]["Fn::Sub"]
    shown = {
        one["properties"]["title"]: one["properties"]
        for one in json.loads(body.replace("${DailyUsdCap}", "5"))["widgets"]
    }
    assert shown["Calls saved by recipes"]["metrics"][0][1] == "PagesByRecipe"
    dollars = shown["Dollars a day"]
    assert (dollars["period"], dollars["stat"], dollars["annotations"]["horizontal"][0]["value"]) == (86_400, "Sum", 5)
    assert "pages - FILL(partial, 0) - FILL(failed, 0)" in json.dumps(shown["Pages by status"]["metrics"])


def test_the_canary_is_an_option_whose_silence_is_an_alarm(template: dict[str, Any], stack: Any) -> None:
    from gleaner.steps.closing import CANARY

    resources = template["Resources"]
    assert template["Parameters"]["CanaryUrl"]["Default"] == ""
    assert resources["Canary"]["Condition"] == resources["CanaryAlarm"]["Condition"] == "HasCanary"
    sent = json.loads(stack.resolve(resources["Canary"]["Properties"]["Target"]["Input"]))
    assert sent["tenant"] == CANARY
    alarm = resources["CanaryAlarm"]["Properties"]
    assert (alarm["TreatMissingData"], alarm["ComparisonOperator"]) == ("breaching", "LessThanThreshold")


def test_what_the_steps_tell_operators_of_a_canary_and_a_tier() -> None:
    from gleaner.jobs.jobs import JobRef
    from gleaner.steps.closing import _measures, annotations_of

    done = ScrapeResult(status="complete", job_id="a", extraction=ExtractionResult(tier="recipe"))
    assert annotations_of(JobRef("a"), done) == {"job_id": "a", "status": "complete", "tier": "recipe"}
    assert _measures(JobRef("a", "canary"), done)["CanaryComplete"] == 1
    assert "CanaryComplete" not in _measures(JobRef("a"), done)
    assert measures_of(done)["PagesByRecipe"] == 1


@pytest.mark.req("AP-1")
def test_every_method_of_the_api_has_its_route_and_preflight_requests_have_none(template: dict[str, Any]) -> None:
    """A route for ANY or OPTIONS with an authorizer refuses what a browser asks before it sends a token."""
    described = json.loads((ROOT / "docs/openapi.json").read_text("utf-8"))["paths"].values()
    needed = {method.upper() for path in described for method in path if method in ("get", "post", "put", "delete")}
    events = functions(template)["HttpApiFunction"]["Events"].values()
    routed = [event["Properties"]["Method"] for event in events if event["Properties"]["Path"] == "/{proxy+}"]
    refused = {"PUT", "PATCH", "HEAD"}  # by the function, which knows what is allowed
    assert sorted(routed) == sorted(needed | refused)
    cors = template["Resources"]["HttpApi"]["Properties"]["CorsConfiguration"]["Fn::If"][1]
    assert set(cors["AllowMethods"]) == needed
