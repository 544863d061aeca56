"""Which suites a primary endpoint is one of, as the macro is_endpoint_of says it to dbt."""

from __future__ import annotations

from functools import cache


def is_endpoint_of(endpoint_suite: str, suite: str) -> str:
    """The condition in SQL. endpoint_suite, suite: both in SQL, of seeds.primary_endpoints and of a run."""
    return _module().is_endpoint_of(endpoint_suite, suite)


@cache
def _module():
    import jinja2

    from finrag.project import product

    macro = (product() / "macros" / "metrics" / "is_endpoint_of.sql").read_text(encoding="utf-8")
    return jinja2.Environment(undefined=jinja2.StrictUndefined).from_string(macro).module
