"""A mark of how PostgreSQL's rights and walls stand, kept beside them: what stands already is not made again."""

from __future__ import annotations

import json
from collections.abc import Iterable
from hashlib import sha256

from sqlalchemy import Connection, text

_TABLES = text("""
SELECT relname, pg_get_userbyid(relowner), relrowsecurity, relforcerowsecurity, relacl::text
FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
AND relname = ANY (:names) ORDER BY relname""")
_COLUMNS = text("""
SELECT relname, attname, attacl::text FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
AND relname = ANY (:names) AND attacl IS NOT NULL ORDER BY relname, attname""")
_POLICIES = text("""
SELECT tablename, policyname, permissive, roles::text, cmd, qual, with_check FROM pg_policies
WHERE schemaname = current_schema() AND tablename = ANY (:names) ORDER BY tablename, policyname""")
_FUNCTION = text("""
SELECT pg_get_functiondef(oid), proacl::text, pg_get_userbyid(proowner)
FROM pg_proc WHERE oid = to_regprocedure(:function)""")
_SCHEMA = text("SELECT nspacl::text FROM pg_namespace WHERE nspname = current_schema()")
_OWNER = text("""
SELECT pg_get_userbyid(member), pg_get_userbyid(roleid) FROM pg_auth_members
WHERE roleid = to_regrole(:above) AND member IN (SELECT relowner FROM pg_class
WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relname = ANY (:names))""")
_MARKED = text("SELECT obj_description(to_regprocedure(:function), 'pg_proc')")


def mark(connection: Connection, made: Iterable[str], *, names: Iterable[str], function: str, above: str) -> str:
    """Return a digest of what is to be made and of what the server's own lists say of it. To look takes no lock on a
    table.

    :param made: the statements that make it. :param names: the tables that it is about.
    :param function: the one that goes round the walls. :param above: the role that is kept within none of them.
    """
    values = {"names": list(names), "function": function, "above": above}
    stands = [
        [list(row) for row in connection.execute(look, {name: values[name] for name in look.compile().params})]
        for look in (_TABLES, _COLUMNS, _POLICIES, _FUNCTION, _SCHEMA, _OWNER)
    ]
    return f"sliceway {sha256(json.dumps([*made, stands]).encode()).hexdigest()}"


def marked(connection: Connection, function: str) -> str | None:
    """Return the mark that was kept, with the function; None where there is none."""
    kept: str | None = connection.execute(_MARKED, {"function": function}).scalar_one()
    return kept
