"""Names for relations that a model's SQL asks for."""

from __future__ import annotations


def name_relations(session, **relations) -> None:
    """Let SQL of this session call each relation by the keyword, as a temporary view.

    A relation's own create_view leaves a view in schema main of the warehouse; those of earlier versions are dropped.
    """
    for name, relation in relations.items():
        session.execute(f"drop view if exists main.{name}")
        session.execute(f"create or replace temp view {name} as {relation.sql_query()}")
