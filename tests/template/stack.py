"""The template as a stack would be: its parameters, references and conditions resolved."""

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
REGION, ACCOUNT = "eu-central-1", "123456789012"
SECRET = f"arn:aws:secretsmanager:{REGION}:{ACCOUNT}:secret:key-AbCdEf"
PROXIES = '[{"name": "de", "server": "http://127.0.0.1:9", "country": "DE", "secret": "proxy-de"}]'
PARAMETERS = {"Model": "bedrock:eu.anthropic.claude-haiku-4-5-v1:0", "ApiKeySecretArn": SECRET, "Proxies": PROXIES}
NAMES = {"AWS::Partition": "aws", "AWS::AccountId": ACCOUNT, "AWS::Region": REGION, "AWS::StackName": "gleaner"}
NAMES_OF_TYPES = {
    "AWS::DynamoDB::Table": "arn:aws:dynamodb:{region}:{account}:table/{name}",
    "AWS::S3::Bucket": "arn:aws:s3:::{name}",
    "AWS::Events::EventBus": "arn:aws:events:{region}:{account}:event-bus/{name}",
    "AWS::IAM::Role": "arn:aws:iam::{account}:role/{name}",
    "AWS::SQS::Queue": "arn:aws:sqs:{region}:{account}:{name}",
    "AWS::Serverless::StateMachine": "arn:aws:states:{region}:{account}:stateMachine:{name}",
    "AWS::Serverless::Function": "arn:aws:lambda:{region}:{account}:function:{name}",
}
REFERRED_BY_ARN = ("AWS::Serverless::StateMachine",)


class Stack:
    """The template with its parameters, references and conditions resolved."""

    def __init__(self) -> None:
        from cfnlint import decode  # half a second, for those alone that need it

        decoded, problems = decode.decode(str(ROOT / "template.yaml"))
        assert not problems
        self.template: dict[str, Any] = json.loads(json.dumps(decoded))
        self.resources: dict[str, dict[str, Any]] = self.template["Resources"]
        defaults = {name: entry.get("Default", "") for name, entry in self.template["Parameters"].items()}
        self.parameters = {**defaults, **PARAMETERS}

    def functions(self) -> dict[str, dict[str, Any]]:
        """Give the properties of each function by the name of its folder."""
        entries = [entry["Properties"] for entry in self.resources.values() if entry["Type"].endswith("less::Function")]
        return {entry["CodeUri"].removeprefix("functions/"): entry for entry in entries}

    def environment(self, function: str) -> dict[str, str]:
        """Give the variables that a function gets."""
        shared = self.template["Globals"]["Function"]["Environment"]["Variables"]
        own = self.functions()[function].get("Environment", {}).get("Variables", {})
        return {name: str(self.resolve(value)) for name, value in {**shared, **own}.items()}

    def rights(self, function: str) -> list[tuple[str, str]]:
        """Give what a function's policies allow: action and resource, one pair each."""
        return self.allowed(self.functions()[function]["Policies"])

    def allowed(self, policies: list[Any]) -> list[tuple[str, str]]:
        """Give what policies allow: action and resource, one pair each."""
        pairs: list[tuple[str, str]] = []
        for policy in filter(None, map(self.resolve, policies)):
            for statement in policy["Statement"]:
                assert statement["Effect"] == "Allow"
                for action in _listed(statement["Action"]):
                    pairs += [(action, resource) for resource in _listed(statement["Resource"])]
        return pairs

    def arn(self, name: str) -> str:
        """Give the ARN that a resource will have."""
        form = NAMES_OF_TYPES[self.resources[name]["Type"]]
        return form.format(region=REGION, account=ACCOUNT, name=self.name(name))

    def name(self, resource: str) -> str:
        """Give the name that a resource will have: the one that the template gives it, or any."""
        given = self.resources[resource]["Properties"].get("Name")
        return str(self.resolve(given)) if given else f"gleaner-{resource.lower()}"

    def resolve(self, value: Any) -> Any:
        """Resolve Ref, GetAtt, Sub and If."""
        if isinstance(value, list):
            return [self.resolve(one) for one in value]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((function, argument),) = value.items()
            if function == "Ref":
                return self._ref(argument)
            if function == "Fn::GetAtt":
                name, attribute = argument if isinstance(argument, list) else argument.split(".")
                return self.arn(name) if attribute == "Arn" else self.name(name)
            if function == "Fn::Sub":
                return re.sub(r"\$\{([\w.:]+)\}", lambda found: str(self._ref(found[1])), argument)
            if function == "Fn::If":
                return self.resolve(argument[1] if self._holds(argument[0]) else argument[2])
        return {name: self.resolve(one) for name, one in value.items()}

    def _ref(self, name: str) -> Any:
        if name == "AWS::NoValue":
            return None
        if name in NAMES or name in self.parameters:
            return NAMES.get(name) or self.parameters[name]
        if name.endswith((".Arn", ".Name")):
            resource, _, attribute = name.partition(".")
            return self.arn(resource) if attribute == "Arn" else self.name(resource)
        return self.arn(name) if self.resources[name]["Type"] in REFERRED_BY_ARN else self.name(name)

    def _holds(self, condition: str) -> bool:
        parameter, nothing = self.template["Conditions"][condition]["Fn::Not"][0]["Fn::Equals"]
        return str(self.parameters[parameter["Ref"]]) != str(nothing)


def _listed(value: Any) -> list[str]:
    return value if isinstance(value, list) else [value]
