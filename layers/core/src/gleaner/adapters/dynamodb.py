"""The table in DynamoDB: one table, ``pk`` and ``sk``, a ``ttl``, and one index by host."""

import json
import time
from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from gleaner.errors import InternalError, StoreThrottled
from gleaner.ports import Item, ItemPage, JsonObject

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

HOST_INDEX = "by_host"
THROTTLED = frozenset({
    "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded",
    "InternalServerError", "TransactionConflictException",
})  # fmt: skip


class DynamoTable:
    """TableStore over DynamoDB; ``data`` is stored as JSON text."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def get(self, pk: str, sk: str) -> Item | None:
        """Give the item, strongly consistent, or None."""
        found = self._call("get_item", Key={"pk": pk, "sk": sk}, ConsistentRead=True).get("Item")
        item = _item(found) if found else None
        return item if item and _alive(item) else None

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        """Write the item if its stored version is the one given."""
        stored = self.get(item.pk, item.sk)
        version = stored.version if stored else 0
        if if_version is not None and version != if_version:
            return False
        expired = Attr("ttl").lte(int(time.time()))
        condition = Attr("pk").not_exists() | expired if version == 0 else Attr("version").eq(version)
        if self._written("put_item", Item=_attributes(item, version + 1), ConditionExpression=condition):
            return True
        return False if if_version is not None else self.put(item)

    def add(
        self, pk: str, sk: str, amounts: Mapping[str, int], *, ceilings: Mapping[str, int] | None = None
    ) -> JsonObject | None:
        """Add to integer fields unless one would pass its ceiling; optimistic, so a lost race is tried again."""
        while True:
            stored = self.get(pk, sk) or Item(pk, sk, {})
            data = dict(stored.data)
            for name, amount in amounts.items():
                before = data.get(name, 0)
                data[name] = (before if isinstance(before, int) else 0) + amount
            for name, ceiling in (ceilings or {}).items():
                value = data.get(name)
                if isinstance(value, int) and value > ceiling:
                    return None
            if self.put(Item(pk, sk, data, stored.host, stored.ttl), if_version=stored.version):
                return data

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items of a partition in the order of sk."""
        condition = Key("pk").eq(pk)
        if prefix:
            condition &= Key("sk").begins_with(prefix)
        if after and not after.startswith(prefix):  # the table refuses to start outside of what is asked for
            if after > prefix:
                return ItemPage(())
            after = None
        start: dict[str, Any] | None = {"pk": pk, "sk": after} if after else None
        return self._page({"KeyConditionExpression": condition, "ConsistentRead": True}, limit, start, _sk)

    def query_host(self, host: str, *, limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items indexed under the host."""
        start = None
        if after:
            pk, sk = json.loads(after)
            start = {"host": host, "pk": pk, "sk": sk}
        query = {"KeyConditionExpression": Key("host").eq(host), "IndexName": HOST_INDEX}
        return self._page(query, limit, start, _index_key)

    def delete(self, pk: str, sk: str) -> bool:
        """Delete the item."""
        return "Attributes" in self._call("delete_item", Key={"pk": pk, "sk": sk}, ReturnValues="ALL_OLD")

    def _page(
        self, query: dict[str, Any], limit: int, start: dict[str, Any] | None, cursor: Callable[[Item], str]
    ) -> ItemPage:
        items: list[Item] = []
        while True:
            more = {"ExclusiveStartKey": start} if start else {}
            answer = self._call("query", **query, **more, Limit=limit + 1 - len(items))
            items += [item for item in map(_item, answer["Items"]) if _alive(item)]
            start = answer.get("LastEvaluatedKey")
            if len(items) > limit:
                return ItemPage(tuple(items[:limit]), cursor(items[limit - 1]))
            if not start:
                return ItemPage(tuple(items))

    def _written(self, operation: str, **parameters: Any) -> bool:
        try:
            self._call(operation, **parameters)
        except _ConditionFailed:
            return False
        return True

    def _call(self, operation: str, **parameters: Any) -> Any:
        try:
            return getattr(self._table, operation)(**parameters)
        except ClientError as error:
            code = error.response.get("Error", {}).get("Code", "")
            if code == "ConditionalCheckFailedException":
                raise _ConditionFailed from None
            if code in THROTTLED:
                raise StoreThrottled(f"DynamoDB asks to slow down: {code}") from error
            raise InternalError(f"DynamoDB refused {operation}: {code}") from error


class _ConditionFailed(Exception):
    """The stored item is not as the writer knew it."""


def _sk(item: Item) -> str:
    return item.sk


def _index_key(item: Item) -> str:
    return json.dumps([item.pk, item.sk])


def _alive(item: Item) -> bool:
    return item.ttl is None or item.ttl > time.time()


def _attributes(item: Item, version: int) -> dict[str, Any]:
    attributes: dict[str, Any] = {"pk": item.pk, "sk": item.sk, "version": version}
    attributes["data"] = json.dumps(item.data, ensure_ascii=False)
    if item.host is not None:
        attributes["host"] = item.host
    if item.ttl is not None:
        attributes["ttl"] = item.ttl
    return attributes


def _item(found: Mapping[str, Any]) -> Item:
    return Item(
        pk=str(found["pk"]),
        sk=str(found["sk"]),
        data=json.loads(found["data"]),
        host=found.get("host"),
        ttl=int(found["ttl"]) if isinstance(found.get("ttl"), Decimal | int) else None,
        version=int(found["version"]),
    )
