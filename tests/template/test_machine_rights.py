"""Each state machine may do what its states do, and nothing else (SS-3).

What a state needs is read from its definition. What a kind of state asks for is in the Step Functions Developer Guide:
"IAM policies for nested calls" (a run that is waited for is described, stopped, and told of by one managed rule), "IAM
policies for Distributed Map" (a machine starts itself, and describes and stops its child runs), "Logging using
CloudWatch Logs".
"""

import json
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gleaner.adapters.aws.schedules import EventBridgeSchedules
from gleaner.adapters.local.files import FileBlobs
from gleaner.contracts.in_memory_table import MemoryTable
from gleaner.contracts.settings import load_settings
from gleaner.jobs.batches import Batches, Politeness, parse_list

pytestmark = pytest.mark.req("SS-3", "WF-2")

ROOT = Path(__file__).parents[2]
LOG_ACTIONS = (
    "CreateLogDelivery", "GetLogDelivery", "UpdateLogDelivery", "DeleteLogDelivery", "ListLogDeliveries",
    "PutResourcePolicy", "DescribeResourcePolicies", "DescribeLogGroups",
)  # fmt: skip
RULE = "rule/StepFunctionsGetEventsForStepFunctionsExecutionRule"
Right = tuple[str, str]


def machines(stack: Any) -> dict[str, Any]:
    found = stack.resources.items()
    return {name: entry["Properties"] for name, entry in found if entry["Type"] == "AWS::Serverless::StateMachine"}


def definition(stack: Any, properties: dict[str, Any]) -> Any:
    """Give a machine's definition as it is deployed."""
    text = (ROOT / properties["DefinitionUri"]).read_text("utf-8")
    for name, value in properties["DefinitionSubstitutions"].items():
        text = text.replace(f"${{{name}}}", str(stack.resolve(value)))
    return json.loads(text)


def states(machine: Any) -> Iterator[Any]:
    for state in machine["States"].values():
        yield state
        if "ItemProcessor" in state:
            yield from states(state["ItemProcessor"])


def needs(state: Any, own: str) -> Iterator[Right]:
    """Give what one state asks for; ``own`` is the ARN of its machine."""
    resource = state.get("Resource", "").removeprefix("arn:aws:states:::")
    if resource == "lambda:invoke":
        yield "lambda:InvokeFunction", state["Parameters"]["FunctionName"]
    if resource == "states:startExecution.sync:2":
        machine = state["Parameters"].get("StateMachineArn", own)
        yield "states:StartExecution", machine
        yield from followed(f"{machine.replace(':stateMachine:', ':execution:')}:run-1")
        for action in ("PutTargets", "PutRule", "DescribeRule"):
            yield f"events:{action}", f"{':'.join(own.split(':')[:5]).replace(':states:', ':events:')}:{RULE}"
    if state.get("ItemProcessor", {}).get("ProcessorConfig", {}).get("Mode") == "DISTRIBUTED":
        yield "states:StartExecution", own
        yield "states:StartExecution", f"{own}/ScrapeLanes"
        for runs in (":run-1", "/ScrapeLanes:run-1"):
            yield from followed(own.replace(":stateMachine:", ":execution:") + runs)
    if "ItemReader" in state:
        bucket = state["ItemReader"]["Parameters"]["Bucket"]
        yield "s3:GetObject", f"arn:aws:s3:::{bucket}/batches/default/batch/lane-0000.json"


def followed(run: str) -> Iterator[Right]:
    yield "states:DescribeExecution", run
    yield "states:StopExecution", run


def needs_of(stack: Any, name: str, properties: dict[str, Any]) -> set[Right]:
    found = {need for state in states(definition(stack, properties)) for need in needs(state, stack.arn(name))}
    return found | {(f"logs:{action}", "*") for action in LOG_ACTIONS if "Logging" in properties}


def covers(right: Right, need: Right) -> bool:
    return right[0] == need[0] and fnmatchcase(need[1], right[1])


def test_a_state_machine_may_do_what_its_states_do_and_nothing_else(stack: Any) -> None:
    for name, properties in machines(stack).items():
        rights, wanted = stack.allowed(properties["Policies"]), needs_of(stack, name, properties)
        missing = [need for need in wanted if not any(covers(right, need) for right in rights)]
        assert not missing, (name, missing)
        superfluous = [right for right in rights if not any(covers(right, need) for need in wanted)]
        assert not superfluous, (name, superfluous)


def test_the_lists_of_a_batch_stand_where_its_machine_may_read(stack: Any, tmp_path: Path) -> None:
    batches = Batches(MemoryTable(), FileBlobs(tmp_path), "acme")
    prepared: Any = batches.prepare("b1", parse_list(b"https://a.example"), Politeness())
    rights = stack.allowed(machines(stack)["ScrapeBatchStateMachine"]["Policies"])
    for lane in prepared["lanes"]:
        need = ("s3:GetObject", f"{stack.arn('Bucket')}/{lane['key']}")
        assert any(covers(right, need) for right in rights)


def test_only_the_two_machines_of_the_stack_tell_the_function_that_closes_stopped_jobs(stack: Any) -> None:
    pattern = stack.resolve(stack.functions()["close_stopped"]["Events"]["Stopped"]["Properties"]["Pattern"])
    assert set(pattern["detail"]["stateMachineArn"]) == {stack.arn(name) for name in machines(stack)}
    assert set(pattern["detail"]["status"]) == {"FAILED", "TIMED_OUT", "ABORTED"}


@pytest.mark.req("EV-1")
def test_what_an_event_starts_ends_in_the_dead_letter_queue_when_it_can_not_be_done(stack: Any) -> None:
    queue = stack.arn("DeadLetters")
    starts: set[tuple[str, str]] = set()
    for name, properties in stack.functions().items():
        for event in properties.get("Events", {}).values():
            if event["Type"] == "EventBridgeRule":
                assert stack.resolve(event["Properties"]["DeadLetterConfig"]) == {"Arn": queue}, name
                destination = stack.resolve(properties["EventInvokeConfig"]["DestinationConfig"]["OnFailure"])
                assert destination == {"Type": "SQS", "Destination": queue}, name
                starts |= {(name, kind) for kind in event["Properties"]["Pattern"]["detail-type"]}
    assert {("start_scrape", "ScrapeRequested"), ("start_batch", "Object Created")} <= starts
    scheduled = stack.resources["Schedule"]["Properties"]["Target"]
    assert stack.resolve(scheduled["Arn"]) == stack.arn("StartScrapeFunction")
    assert stack.resolve(scheduled["DeadLetterConfig"]) == {"Arn": queue}
    assert "<aws.scheduler.execution-id>" in json.loads(stack.resolve(scheduled["Input"]))["idempotency_key"]


@pytest.mark.req("EV-1")
def test_what_starts_jobs_hears_the_stacks_own_bus_inbox_and_schedule(
    stack: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    events = {name: stack.resolve(stack.functions()[name]["Events"]) for name in ("start_scrape", "start_batch")}
    assert events["start_scrape"]["Requested"]["Properties"]["EventBusName"] == stack.name("EventBus")
    uploaded = events["start_batch"]["Uploaded"]["Properties"]["Pattern"]["detail"]
    assert uploaded == {"bucket": {"name": [stack.name("Bucket")]}, "object": {"key": [{"prefix": "inbox/"}]}}
    told = stack.resources["Bucket"]["Properties"]["NotificationConfiguration"]
    assert told == {"EventBridgeConfiguration": {"EventBridgeEnabled": True}}
    state = stack.resources["Schedule"]["Properties"]["State"]
    assert stack.resolve(state) == "DISABLED"
    monkeypatch.setitem(stack.parameters, "ScheduleUrl", "https://a.example/")
    assert stack.resolve(state) == "ENABLED"


@pytest.mark.req("EV-1")
def test_schedule_and_rules_may_do_what_a_start_takes(stack: Any) -> None:
    letters = ("sqs:SendMessage", stack.arn("DeadLetters"))
    (policy,) = stack.resources["ScheduleRole"]["Properties"]["Policies"]
    rights = stack.allowed([policy["PolicyDocument"]])
    assert set(rights) == {("lambda:InvokeFunction", stack.arn("StartScrapeFunction")), letters}
    (letting,) = stack.resources["DeadLettersPolicy"]["Properties"]["PolicyDocument"]["Statement"]
    assert (letting["Effect"], letting["Principal"]) == ("Allow", {"Service": "events.amazonaws.com"})
    assert (letting["Action"], stack.resolve(letting["Resource"])) == letters
    assert stack.resources["DeadLetters"]["Properties"]["MessageRetentionPeriod"] >= 7 * 86_400


def schedules(stack: Any) -> Iterator[tuple[str, Any]]:
    """Give each schedule's target and the ARN of its role: those of the template, and those that the code makes."""
    for entry in stack.resources.values():
        if entry["Type"] == "AWS::Scheduler::Schedule":
            target = stack.resolve(entry["Properties"]["Target"])
            yield target["RoleArn"], target
    for function, properties in stack.functions().items():
        if "GLEANER_SCHEDULE_ROLE_ARN" in properties.get("Environment", {}).get("Variables", {}):
            settings = load_settings({**stack.environment(function)})
            made: list[Any] = []
            client = SimpleNamespace(create_schedule=lambda **schedule: made.append(schedule))  # noqa: B023
            EventBridgeSchedules(
                client, str(settings.schedule_group), str(settings.watch_state_machine_arn),
                str(settings.schedule_role_arn), settings.schedule_dead_letter_arn,
            ).put("lamps", "acme", 3600)  # fmt: skip
            yield made[0]["Target"]["RoleArn"], made[0]["Target"]


def needs_of_target(target: Any) -> Iterator[Right]:
    kind = target["Arn"].split(":")[2]
    yield {"lambda": "lambda:InvokeFunction", "states": "states:StartExecution"}[kind], target["Arn"]
    if "DeadLetterConfig" in target:
        yield "sqs:SendMessage", target["DeadLetterConfig"]["Arn"]


def test_a_role_of_schedules_may_do_what_its_schedules_do_and_nothing_else(stack: Any) -> None:
    needed: dict[str, set[Right]] = {}
    for role, target in schedules(stack):
        needed.setdefault(role, set()).update(needs_of_target(target))
    roles = {stack.arn(name): entry["Properties"] for name, entry in stack.resources.items() if "Role" in entry["Type"]}
    assert roles.keys() == needed.keys(), "each role that the template writes out belongs to schedules"
    for role, properties in roles.items():
        rights = stack.allowed([policy["PolicyDocument"] for policy in properties["Policies"]])
        assert {*rights} == needed[role], role
        (trust,) = properties["AssumeRolePolicyDocument"]["Statement"]
        assert (trust["Principal"], trust["Action"]) == ({"Service": "scheduler.amazonaws.com"}, "sts:AssumeRole")
        assert trust["Condition"] == {"StringEquals": {"aws:SourceAccount": {"Ref": "AWS::AccountId"}}}


def test_nobody_else_has_rights_that_no_test_derives(stack: Any) -> None:
    """Rights stand with functions (test_rights), machines and schedules' roles (here), and in policies of resources."""
    known = {
        "AWS::Serverless::Function": "Policies", "AWS::Serverless::StateMachine": "Policies",
        "AWS::IAM::Role": "Policies", "AWS::S3::BucketPolicy": "PolicyDocument",
        "AWS::SQS::QueuePolicy": "PolicyDocument",
    }  # fmt: skip
    for name, entry in stack.resources.items():
        text = json.dumps(entry)
        has_rights = '"Effect": "Allow"' in text or "ManagedPolicyArns" in text
        assert not has_rights or entry["Type"] in known, name
        others = {key: value for key, value in entry["Properties"].items() if key not in (known.get(entry["Type"]),)}
        others.pop("AssumeRolePolicyDocument", None)
        assert '"Effect": "Allow"' not in json.dumps(others), name
        assert "ManagedPolicyArns" not in others, name


def test_the_queue_takes_what_rules_of_this_account_send(stack: Any) -> None:
    policies = [entry["Properties"] for entry in stack.resources.values() if entry["Type"] == "AWS::SQS::QueuePolicy"]
    statements = [one for policy in policies for one in policy["PolicyDocument"]["Statement"]]
    assert [(one["Principal"], one["Action"], stack.resolve(one["Resource"])) for one in statements] == [
        ({"Service": "events.amazonaws.com"}, "sqs:SendMessage", stack.arn("DeadLetters"))
    ]
    rules = [entry["Properties"] for entry in stack.resources.values() if entry["Type"] == "AWS::Events::Rule"]
    assert {stack.resolve(one["Arn"]) for rule in rules for one in rule["Targets"]} == {stack.arn("DeadLetters")}
