"""database_query: one MongoDB operation. Documents are extended JSON in both directions."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping
from typing import Any

import bson
import pymongo
from bson import json_util
from pymongo import AsyncMongoClient
from pymongo.asynchronous.collection import AsyncCollection
from pymongo.errors import BulkWriteError, OperationFailure, PyMongoError, ServerSelectionTimeoutError

from .result import Result, ToolError, clip, cut
from .targets import check_host, nothing_listens

DEFAULT_URI = "mongodb://localhost:27017"
DEFAULT_LIMIT = 20
MAX_BYTES = 1 << 20
_SELECTION_MS = 3000
_REFUSED = re.compile("refused|Connect call failed|Errno 111")


class DatabaseQuery:
    """Clients by connection string, open for the rest of the run."""

    def __init__(self) -> None:
        self._clients: dict[str, AsyncMongoClient[dict[str, Any]]] = {}

    async def call(self, arguments: Mapping[str, Any], seconds: float) -> Result:
        """Runs the operation. The result is what was found or written."""
        uri = arguments.get("uri", DEFAULT_URI)
        client = self._clients.get(uri) or await self._connect(uri)
        wanted = {name: _decoded(name, arguments[name]) for name in _DOCUMENTS if name in arguments}
        name = arguments.get("database")
        try:
            async with asyncio.timeout(seconds):
                database = client[name] if name else client.get_default_database("test")
                collection = database[arguments["collection"]]
                text = await _OPERATIONS[arguments["operation"]](collection, {**arguments, **wanted})
        except ServerSelectionTimeoutError as error:
            host, port = next(iter(_hosts(uri)))
            if not _REFUSED.search(str(error)):
                raise ToolError(
                    f"What listens at {host}:{port} does not respond like a MongoDB server."
                ) from None
            raise ToolError(f"{nothing_listens(host, port)} The connection string was {uri}.") from None
        except TimeoutError:
            raise ToolError(f"The operation did not finish within {seconds:g} s.") from None
        except BulkWriteError as error:
            raise ToolError(_bulk(error)) from None
        except OperationFailure as error:
            raise ToolError(f"The server refused: {(error.details or {}).get('errmsg', error)}") from None
        except (PyMongoError, bson.errors.BSONError, ValueError, TypeError, OverflowError) as error:
            raise ToolError(f"The operation failed: {error}") from None
        text += _advice(wanted.get("filter"), text)
        return Result(f"{database.name}.{arguments['collection']}, {arguments['operation']}: {text}")

    async def close(self) -> None:
        """Closes every connection."""
        for client in self._clients.values():
            await client.close()

    async def _connect(self, uri: str) -> AsyncMongoClient[dict[str, Any]]:
        for host, _ in _hosts(uri):
            await check_host(host)
        try:
            client: AsyncMongoClient[dict[str, Any]] = AsyncMongoClient(
                uri, serverSelectionTimeoutMS=_SELECTION_MS, connectTimeoutMS=_SELECTION_MS
            )
        except (PyMongoError, ValueError) as error:
            raise ToolError(f"The connection string {uri!r} is invalid: {error}") from None
        self._clients[uri] = client
        return client


async def _find(collection: AsyncCollection[dict[str, Any]], wanted: Mapping[str, Any]) -> str:
    filter_ = wanted.get("filter") or {}
    limit = wanted.get("limit", DEFAULT_LIMIT)
    cursor = collection.find(filter_, wanted.get("projection"), skip=wanted.get("skip", 0), limit=limit + 1)
    if sort := wanted.get("sort"):
        cursor = cursor.sort(list(sort.items()))
    found, cut_off = await _some(cursor, limit)
    total = await collection.count_documents(filter_) if cut_off else len(found)
    return _listed(found, f" of {total}, `limit` and `skip` show others" if cut_off else "")


async def _find_one(collection: AsyncCollection[dict[str, Any]], wanted: Mapping[str, Any]) -> str:
    sort = list((wanted.get("sort") or {}).items()) or None
    found = await collection.find_one(wanted.get("filter") or {}, wanted.get("projection"), sort=sort)
    return "no document matches" if found is None else f"found\n{_encoded(found)}"


async def _insert(collection: AsyncCollection[dict[str, Any]], wanted: Mapping[str, Any]) -> str:
    result = await collection.insert_many(wanted["documents"])
    return f"{len(result.inserted_ids)} inserted, with these _id\n{_encoded(result.inserted_ids)}"


async def _update(collection: AsyncCollection[dict[str, Any]], wanted: Mapping[str, Any]) -> str:
    change = collection.update_many if wanted.get("many") else collection.update_one
    update = wanted["update"]
    if update and not any(name.startswith("$") for name in update):
        raise ToolError('update needs operators, such as {"$set": {"name": "value"}}')
    result = await change(wanted.get("filter") or {}, update, upsert=wanted.get("upsert", False))
    upserted = (
        f", upserted with the _id {_encoded(result.upserted_id)}" if result.upserted_id is not None else ""
    )
    return f"{result.matched_count} matched, {result.modified_count} modified{upserted}"


async def _delete(collection: AsyncCollection[dict[str, Any]], wanted: Mapping[str, Any]) -> str:
    delete = collection.delete_many if wanted.get("many") else collection.delete_one
    return f"{(await delete(wanted['filter'])).deleted_count} deleted"


async def _aggregate(collection: AsyncCollection[dict[str, Any]], wanted: Mapping[str, Any]) -> str:
    cursor = await collection.aggregate(wanted["pipeline"])
    found, cut_off = await _some(cursor, wanted.get("limit", DEFAULT_LIMIT))
    return _listed(found, ", there are more: add a $limit stage or raise `limit`" if cut_off else "")


_OPERATIONS = {
    "find": _find,
    "findOne": _find_one,
    "insert": _insert,
    "update": _update,
    "delete": _delete,
    "aggregate": _aggregate,
}
_DOCUMENTS = ("filter", "projection", "sort", "documents", "update", "pipeline")


async def _some(cursor: Any, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """The first documents, and whether there are more than `limit` of them or MAX_BYTES."""
    found: list[dict[str, Any]] = []
    size = 0
    try:
        async for document in cursor:
            size += len(bson.encode(document))
            if len(found) == limit or (found and size > MAX_BYTES):
                return found, True
            found.append(document)
    finally:
        await cursor.close()
    return found, False


def _listed(found: list[dict[str, Any]], more: str) -> str:
    documents = "document" if len(found) == 1 else "documents"
    return f"{len(found)} {documents}{more}\n{_encoded(found)}" if found else "no document matches"


def _encoded(value: Any) -> str:
    options = json_util.RELAXED_JSON_OPTIONS
    text = json_util.dumps(value, json_options=options, ensure_ascii=False, indent=2)
    return clip(text, "limit the documents, or their fields with `projection`")


def _decoded(name: str, value: Any) -> Any:
    try:
        return json_util.loads(json.dumps(value))
    except (ValueError, TypeError, bson.errors.BSONError) as error:
        raise ToolError(f"{name} is not extended JSON: {error}") from None


def _advice(filter_: Any, text: str) -> str:
    """A hint if nothing was found because an ObjectId was written as a string."""
    wanted = filter_.get("_id") if isinstance(filter_, dict) else None
    if text.startswith(("no document", "0 ")) and isinstance(wanted, str) and bson.ObjectId.is_valid(wanted):
        return f'; an ObjectId is written {{"_id": {{"$oid": "{wanted}"}}}}'
    return ""


def _hosts(uri: str) -> list[tuple[str, int | None]]:
    if not uri.startswith("mongodb://"):
        raise ToolError(
            f"The connection string {uri!r} is invalid: it begins with mongodb://, as {DEFAULT_URI} does"
        )
    try:
        hosts: list[tuple[str, int | None]] = pymongo.uri_parser.parse_uri(uri)["nodelist"]
    except (PyMongoError, ValueError) as error:
        raise ToolError(f"The connection string {uri!r} is invalid: {error}") from None
    return hosts


def _bulk(error: BulkWriteError) -> str:
    details = error.details or {}
    problems = [
        f"- document {problem.get('index')}: {cut(str(problem.get('errmsg')), 500)}"
        for problem in details.get("writeErrors", [])[:10]
    ]
    return "\n".join([f"{details.get('nInserted', 0)} inserted, then the server refused:", *problems])
