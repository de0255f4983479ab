"""database_query in a real toolbox."""

from __future__ import annotations

from typing import Any

import pytest

from harness.sandbox.base import ToolReply, Workspace
from tests.harness.shop import ONLY_HERE, call

# The first time on a machine, two images are built.
pytestmark = [pytest.mark.long, pytest.mark.engine, pytest.mark.timeout(900)]


class TestDatabaseQuery:
    def query(self, there: Workspace, operation: str, collection: str = "tea", **more: Any) -> ToolReply:
        return call(there, "database_query", operation=operation, collection=collection, **more)

    def test_a_document_is_inserted_found_updated_and_deleted(self, there: Workspace) -> None:
        new = self.query(
            there,
            "insert",
            documents=[
                {"_id": {"$oid": "0" * 23 + "1"}, "n": 1, "at": {"$date": "2026-01-02T00:00:00Z"}},
                {"_id": 2, "n": 2, "gone": None},
                {"_id": 3, "n": 3},
            ],
        )
        assert new.content.startswith("test.tea, insert: 3 inserted, with these _id\n")
        one = self.query(there, "findOne", filter={"_id": {"$oid": "0" * 23 + "1"}})
        assert one.content == (
            'test.tea, findOne: found\n{\n  "_id": {\n    "$oid": "000000000000000000000001"\n  },\n  "n": 1,\n'
            '  "at": {\n    "$date": "2026-01-02T00:00:00Z"\n  }\n}'
        )
        some = self.query(there, "find", projection={"_id": 0, "n": 1}, sort={"n": -1}, limit=1)
        assert some.content == (
            'test.tea, find: 1 document of 3, `limit` and `skip` show others\n[\n  {\n    "n": 3\n  }\n]'
        )
        changed = self.query(there, "update", filter={"n": {"$gt": 1}}, update={"$set": {"x": 1}}, many=True)
        assert changed.content == "test.tea, update: 2 matched, 2 modified"
        inserted = self.query(there, "update", filter={"_id": 9}, update={"$set": {"x": 1}}, upsert=True)
        assert inserted.content == "test.tea, update: 0 matched, 0 modified, upserted with the _id 9"
        total = self.query(there, "aggregate", pipeline=[{"$group": {"_id": None, "sum": {"$sum": "$n"}}}])
        assert total.content == (
            'test.tea, aggregate: 1 document\n[\n  {\n    "_id": null,\n    "sum": 6\n  }\n]'
        )
        assert self.query(there, "delete", filter={"n": 1}).content == "test.tea, delete: 1 deleted"
        assert self.query(there, "delete", filter={}, many=True).content == "test.tea, delete: 3 deleted"
        assert self.query(there, "find").content == "test.tea, find: no document matches"

    def test_an_id_written_as_a_string_gets_a_hint(self, there: Workspace) -> None:
        name = "507f1f77bcf86cd799439011"
        advice = f'; an ObjectId is written {{"_id": {{"$oid": "{name}"}}}}'
        found = self.query(there, "findOne", "ids", filter={"_id": name})
        assert found.content == f"test.ids, findOne: no document matches{advice}"
        assert self.query(there, "delete", "ids", filter={"_id": name}).content.endswith(f"0 deleted{advice}")

    def test_null_in_a_filter_is_null(self, there: Workspace) -> None:
        self.query(there, "insert", "nulls", documents=[{"a": 1}, {"a": None}])
        found = self.query(there, "find", "nulls", filter={"a": None}, projection={"_id": 0})
        assert found.content == 'test.nulls, find: 1 document\n[\n  {\n    "a": null\n  }\n]'

    def test_large_results_are_cut(self, there: Workspace) -> None:
        for start_ in range(0, 40, 10):
            documents = [{"_id": number, "text": "x" * 50_000} for number in range(start_, start_ + 10)]
            assert self.query(there, "insert", "large", documents=documents).ok
        found = self.query(there, "find", "large", limit=100)
        assert found.content.startswith(
            "test.large, find: 20 documents of 40, `limit` and `skip` show others\n"
        )
        assert len(found.content) < 31_000

    @pytest.mark.parametrize(
        ("arguments", "reason"),
        [
            (
                {"operation": "aggregate", "pipeline": [{"$nope": 1}]},
                "The server refused: unregistered pipeline operator $nope",
            ),
            (
                {"filter": {"_id": {"$oid": "xx"}}},
                "filter is not extended JSON: 'xx' is not a valid ObjectId",
            ),
            ({"database": "x y"}, "The operation failed: database names cannot contain the character ' '"),
            (
                {"uri": "mongodb://localhost:5000"},
                "What listens at localhost:5000 does not respond like a MongoDB server.",
            ),
            ({"uri": "mongodb://localhost:1"}, "Nothing listens at localhost:1."),
            (
                {"uri": "mongodb://db.example.com"},
                f"The host 'db.example.com' is not known here. {ONLY_HERE}",
            ),
            ({"uri": "postgres://x"}, "The connection string 'postgres://x' is invalid"),
            ({"operation": "update", "update": {"x": 1}}, 'update needs operators, such as {"$set"'),
        ],
    )
    def test_errors_are_readable(self, there: Workspace, arguments: dict[str, Any], reason: str) -> None:
        reply = call(there, "database_query", **{"operation": "find", "collection": "c", **arguments})
        assert not reply.ok
        assert reply.content.startswith(reason)
