"""The table port in one DynamoDB table: keys ``pk`` and ``sk``, a ``ttl``, and one index by host.

An item may have 400 KB. Longer data is cut into parts, items of their own under ``PART#pk / sk#name#number``, where the
name is new for each write: the item that names them is written last, so that a reader sees all of the one or the other.
"""

import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeVar

from boto3.dynamodb.conditions import Attr, Key
from botocore.exceptions import ClientError

from gleaner.adapters.aws.errors import code_of, may_go_through_later
from gleaner.adapters.table_keys import check_key, is_key
from gleaner.contracts.errors import InternalError, StoreThrottled
from gleaner.contracts.items import added
from gleaner.contracts.json_text import json_text
from gleaner.contracts.ports import Item, ItemPage, JsonObject

if TYPE_CHECKING:
    from mypy_boto3_dynamodb.service_resource import Table

Asked = TypeVar("Asked")
Given = TypeVar("Given")
HOST_INDEX = "by_host"
LARGEST_DATA = 300_000
"""Bytes of data in one item."""
PART_CHARACTERS = LARGEST_DATA // 4
"""Characters of a part: a character takes four bytes at the most."""
AT_A_TIME = 10
"""Calls side by side: as many as boto3 keeps connections."""


class DynamoTable:
    """TableStore over DynamoDB; ``data`` is stored as JSON text."""

    def __init__(self, table: "Table") -> None:
        self._table = table

    def get(self, pk: str, sk: str) -> Item | None:
        """Give the item, strongly consistent, or None."""
        found = self._read(pk, sk)
        return self._whole(found) if found else None

    def put(self, item: Item, *, if_version: int | None = None) -> bool:
        """Write the item if its stored version is the one given."""
        check_key(item.pk, item.sk)
        if if_version is not None:
            return self._put(item, if_version)
        while True:
            stored = self._read(item.pk, item.sk)
            if self._put(item, int(stored["version"]) if stored else 0):
                return True

    def get_many(self, pk: str, sks: Sequence[str]) -> list[Item | None]:
        """Give each item, or None."""
        return _side_by_side(lambda sk: self.get(pk, sk), sks)

    def put_new(self, items: Sequence[Item]) -> list[bool]:
        """Write each item that is absent."""
        return _side_by_side(lambda item: self.put(item, if_version=0), items)

    def _put(self, item: Item, version: int) -> bool:
        attributes, parts = _attributes(item, version + 1)
        for part in parts:
            self._call("put_item", Item=part)
        expired = Attr("ttl").lte(int(time.time()))
        known = Attr("version").eq(version) & (Attr("ttl").not_exists() | ~expired)
        condition = known if version else Attr("pk").not_exists() | expired
        try:
            answer = self._call("put_item", Item=attributes, ConditionExpression=condition, ReturnValues="ALL_OLD")
        except _ConditionFailed:
            self._forget_parts(attributes)
            return False
        self._forget_parts(answer.get("Attributes", {}))
        return True

    def _read(self, pk: str, sk: str) -> Mapping[str, Any] | None:
        if not is_key(pk, sk):
            return None
        found = self._call("get_item", Key={"pk": pk, "sk": sk}, ConsistentRead=True).get("Item")
        return found if found and _alive(found) else None

    def _whole(self, found: Mapping[str, Any]) -> Item | None:
        """Give the item with its parts; when they are gone, it has been written anew, and is read again."""
        while "parts" in found:
            texts = [self._call("get_item", Key=key, ConsistentRead=True).get("Item", {}) for key in _part_keys(found)]
            if all("data" in one for one in texts):
                return _item({**found, "data": "".join(one["data"] for one in texts)})
            again = self._read(found["pk"], found["sk"])
            if again is None:
                return None
            if again.get("parts_name") == found["parts_name"]:
                raise InternalError(f"parts of {found['pk']} / {found['sk']} are missing")
            found = again
        return _item(found)

    def _forget_parts(self, found: Mapping[str, Any]) -> None:
        """Leave parts that no item names to the table's expiry: not every function may delete."""
        for key in _part_keys(found):
            self._call("put_item", Item={**key, "ttl": int(time.time())})

    def add(
        self,
        pk: str,
        sk: str,
        amounts: Mapping[str, int],
        *,
        ceilings: Mapping[str, int] | None = None,
        ttl: int | None = None,
    ) -> JsonObject | None:
        """Add to integer fields unless one would pass its ceiling; optimistic, so a lost race is tried again."""
        while True:
            stored = self.get(pk, sk) or Item(pk, sk, {})
            data = added(stored.data, amounts, ceilings)
            if data is None or self.put(replace(stored, data=data, ttl=ttl or stored.ttl), if_version=stored.version):
                return data

    def query(self, pk: str, *, prefix: str = "", limit: int = 100, after: str | None = None) -> ItemPage:
        """Give the items of a partition in the order of sk."""
        if not is_key(pk, prefix or "all"):
            return ItemPage(())
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
        if not is_key(host, "all"):
            return ItemPage(())
        start = None
        if after:
            pk, sk = json.loads(after)
            start = {"host": host, "pk": pk, "sk": sk}
        query = {"KeyConditionExpression": Key("host").eq(host), "IndexName": HOST_INDEX}
        return self._page(query, limit, start, _index_key)

    def delete(self, pk: str, sk: str) -> bool:
        """Delete the item."""
        if not is_key(pk, sk):
            return False
        answer = self._call("delete_item", Key={"pk": pk, "sk": sk}, ReturnValues="ALL_OLD")
        self._forget_parts(answer.get("Attributes", {}))
        return "Attributes" in answer

    def every_key(self) -> Iterator[tuple[str, str]]:
        """Give the keys of all items, those of the parts of long ones among them."""
        more: dict[str, Any] = {}
        while True:
            answer = self._call("scan", ProjectionExpression="pk, sk", **more)
            yield from ((str(one["pk"]), str(one["sk"])) for one in answer["Items"])
            if "LastEvaluatedKey" not in answer:
                return
            more = {"ExclusiveStartKey": answer["LastEvaluatedKey"]}

    def _page(
        self, query: dict[str, Any], limit: int, start: dict[str, Any] | None, cursor: Callable[[Item], str]
    ) -> ItemPage:
        items: list[Item] = []
        while True:
            more = {"ExclusiveStartKey": start} if start else {}
            answer = self._call("query", **query, **more, Limit=limit + 1 - len(items))
            items += filter(None, (self._whole(found) for found in answer["Items"] if _alive(found)))
            start = answer.get("LastEvaluatedKey")
            if len(items) > limit:
                return ItemPage(tuple(items[:limit]), cursor(items[limit - 1]))
            if not start:
                return ItemPage(tuple(items))

    def _call(self, operation: str, **parameters: Any) -> Any:
        try:
            return getattr(self._table, operation)(**parameters)
        except ClientError as error:
            code = code_of(error)
            if code == "ConditionalCheckFailedException":
                raise _ConditionFailed from None
            if may_go_through_later(code):
                raise StoreThrottled(f"DynamoDB asks for fewer requests: {code}") from error
            raise InternalError(f"DynamoDB refused {operation}: {code}") from error


def _side_by_side(call: Callable[[Asked], Given], asked: Sequence[Asked]) -> list[Given]:
    """Give what the call gives for each, some at a time: a batch of DynamoDB's own can have no conditions."""
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        return list(pool.map(call, asked))


class _ConditionFailed(Exception):
    """The stored item is not as the writer knew it."""


def _sk(item: Item) -> str:
    return item.sk


def _index_key(item: Item) -> str:
    return json.dumps([item.pk, item.sk])


def _alive(found: Mapping[str, Any]) -> bool:
    return "ttl" not in found or found["ttl"] > time.time()


def _attributes(item: Item, version: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Give the item as it is stored, and the parts of its data when that is too long for one item."""
    attributes: dict[str, Any] = {"pk": item.pk, "sk": item.sk, "version": version}
    if item.host is not None:
        attributes["host"] = item.host
    if item.ttl is not None:
        attributes["ttl"] = item.ttl
    text = json_text(item.data)
    if len(text.encode()) <= LARGEST_DATA:
        return {**attributes, "data": text}, []
    texts = [text[at : at + PART_CHARACTERS] for at in range(0, len(text), PART_CHARACTERS)]
    attributes |= {"parts": len(texts), "parts_name": secrets.token_hex(8)}
    expiry = {"ttl": item.ttl} if item.ttl is not None else {}
    keys = _part_keys(attributes)
    return attributes, [{**key, **expiry, "data": one} for key, one in zip(keys, texts, strict=True)]


def _part_keys(found: Mapping[str, Any]) -> list[dict[str, str]]:
    name = f"{found.get('sk')}#{found.get('parts_name')}"
    return [{"pk": f"PART#{found['pk']}", "sk": f"{name}#{number:04}"} for number in range(int(found.get("parts", 0)))]


def _item(found: Mapping[str, Any]) -> Item:
    return Item(
        pk=str(found["pk"]),
        sk=str(found["sk"]),
        data=json.loads(found["data"]),
        host=found.get("host"),
        ttl=int(found["ttl"]) if isinstance(found.get("ttl"), Decimal | int) else None,
        version=int(found["version"]),
    )
