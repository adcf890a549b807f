"""The blob store in one private S3 bucket."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from gleaner.adapters.aws.errors import code_of, may_go_through_later
from gleaner.contracts.errors import InternalError, NotFound, StoreThrottled
from gleaner.contracts.ports import StoredBlob

if TYPE_CHECKING:
    from mypy_boto3_s3 import S3Client

ABSENT = frozenset({"NoSuchKey", "404", "NotFound"})
MOST_AT_ONCE = 1_000
"""Keys of one request to delete (S3, "DeleteObjects")."""
OVERTAKEN = frozenset({"PreconditionFailed", "ConditionalRequestConflict", "412"})


class S3Blobs:
    """BlobStore over S3; URLs are presigned."""

    def __init__(self, client: "S3Client", bucket: str) -> None:
        self._client = client
        self._bucket = bucket

    def write(self, key: str, body: bytes, content_type: str = "application/octet-stream") -> None:
        """Put the object."""
        self._call("put_object", key, Body=body, ContentType=content_type)

    def read(self, key: str) -> bytes:
        """Get the object; NotFound when there is none."""
        return self._call("get_object", key)["Body"].read()

    def exists(self, key: str) -> bool:
        """Tell whether the object is there."""
        try:
            self._call("head_object", key)
        except NotFound:
            return False
        return True

    def find(self, key: str) -> StoredBlob | None:
        """Get the object with its ETag; its age is told by the bucket's clock."""
        try:
            answer = self._call("get_object", key)
        except NotFound:
            return None
        stated = answer["ResponseMetadata"]["HTTPHeaders"].get("date")
        now = parsedate_to_datetime(stated) if stated else datetime.now(UTC)
        return StoredBlob(answer["Body"].read(), answer["ETag"], (now - answer["LastModified"]).total_seconds())

    def write_if(self, key: str, body: bytes, tag: str | None) -> str | None:
        """Put the object under If-Match, or If-None-Match for a first one."""
        condition = {"IfMatch": tag} if tag else {"IfNoneMatch": "*"}
        try:
            return self._call("put_object", key, Body=body, ContentType="application/octet-stream", **condition)["ETag"]
        except (_Overtaken, NotFound):
            return None

    def url(self, key: str, expires_s: int = 3600) -> str:
        """Give a presigned URL; it ends with the credentials that signed it, if those end before."""
        return self._client.generate_presigned_url(
            "get_object", Params={"Bucket": self._bucket, "Key": key}, ExpiresIn=expires_s
        )

    def keys(self, folder: str) -> Iterator[str]:
        """Give the keys of the objects below a folder."""
        more: dict[str, Any] = {}
        while True:
            answer = self._call("list_objects_v2", None, Prefix=f"{folder}/", **more)
            yield from (one["Key"] for one in answer.get("Contents", ()))
            if not answer.get("IsTruncated"):
                return
            more = {"ContinuationToken": answer["NextContinuationToken"]}

    def delete(self, keys: Sequence[str]) -> None:
        """Delete the objects, a thousand at a time; the bucket keeps their earlier versions for some days."""
        for at in range(0, len(keys), MOST_AT_ONCE):
            objects = [{"Key": key} for key in keys[at : at + MOST_AT_ONCE]]
            answer = self._call("delete_objects", None, Delete={"Objects": objects, "Quiet": True})
            for failed in answer.get("Errors", ()):
                raise InternalError(f"S3 did not delete {failed.get('Key')!r}: {failed.get('Code')}")

    def _call(self, operation: str, key: str | None, **parameters: Any) -> Any:
        named = {} if key is None else {"Key": key}
        try:
            return getattr(self._client, operation)(Bucket=self._bucket, **named, **parameters)
        except ClientError as error:
            code = code_of(error)
            if code in ABSENT:
                raise NotFound(f"nothing is stored under {key!r}") from None
            if code in OVERTAKEN:
                raise _Overtaken from None
            if may_go_through_later(code):
                raise StoreThrottled(f"S3 asks for fewer requests: {code}") from error
            raise InternalError(f"S3 refused {operation} of {key!r}: {code}") from error


class _Overtaken(Exception):
    """The stored object is not the one that the writer knew."""
