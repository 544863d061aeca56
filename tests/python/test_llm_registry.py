"""Registry rows, prices and settings: what is wrong is said, with what is allowed."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from databases import in_memory
from emulator import Fault
from finrag.errors import FinragError
from finrag.llm.models import Model, Price, find_models, redact
from finrag.llm.providers import own_providers
from finrag.llm.run import Settings, seed_relations


def find(llm, names: str, today: date | None = None) -> list[Model]:
    return find_models(names, *seed_relations(llm.connection), today)


def test_every_row_of_the_registry_can_be_used(llm):
    names = [name for (name,) in llm.connection.execute("select model_id from seeds.llm_models").fetchall()]
    models = find(llm, " ".join(names))
    assert [model.model_id for model in models] == names
    assert {model.provider for model in models} == own_providers().keys()
    assert all(model.price.output_usd_per_million > 0 for model in models if model.api_key_env)


def test_every_price_belongs_to_a_model_and_says_where_to_check_it(llm):
    rows = llm.connection.execute(
        "select model_id, source_note from seeds.llm_prices anti join seeds.llm_models using (model_id) "
        "union all select model_id, source_note from seeds.llm_prices "
        "where input_usd_per_million > 0 and not regexp_matches(source_note, 'check [a-z.]+\\.(dev|com|ai)/')"
    ).fetchall()
    assert rows == []


@pytest.mark.parametrize(
    ("model", "before", "since", "prices"),
    [
        ("gemini-2.5-flash", date(2026, 8, 3), date(2026, 8, 4), (0.075, 0.03)),
        ("gemini-2.5-flash-lite", date(2026, 9, 19), date(2026, 9, 20), (0.025, 0.01)),
        ("gemini-2.5-pro", date(2026, 8, 3), date(2026, 8, 4), (0.31, 0.125)),
    ],
)
def test_cached_input_of_gemini_is_a_tenth_of_the_price_since_its_page_says_so(llm, model, before, since, prices):
    found = [find(llm, model, day)[0].price for day in (before, since)]
    assert tuple(price.cached_input_usd_per_million for price in found) == prices
    assert found[1].cached_input_usd_per_million == pytest.approx(found[1].input_usd_per_million / 10)
    uncached = [replace(price, cached_input_usd_per_million=None) for price in found]
    assert uncached[0] == uncached[1]


def test_an_unknown_model_is_refused_with_those_there_are(llm):
    with pytest.raises(FinragError, match=r"Unknown language model: gpt-9. Allowed: baseline, gemini-3.5-flash-lite, "):
        find(llm, "baseline gpt-9")


def test_no_model_is_refused():
    with pytest.raises(FinragError, match=r"needs `models`.*llm_questions or .*llm_answers or .*llm_judges"):
        Settings.read({})


def test_a_hosted_model_needs_a_price(llm):
    llm.connection.execute("delete from seeds.llm_prices where model_id = 'gpt-4o-mini'")
    with pytest.raises(FinragError, match=r"'gpt-4o-mini' has no price in force.*seeds/llm_prices.csv"):
        find(llm, "gpt-4o-mini")


def test_the_price_in_force_is_the_latest_that_has_begun(llm):
    for since, price in (("2026-01-01", 2.0), ("2026-06-01", 3.0), ("2030-01-01", 9.0)):
        llm.connection.execute(
            "insert into seeds.llm_prices values ('gpt-4o-mini', ?, ?, null, 1, 0, '')", [since, price]
        )
    prices = {
        today: find(llm, "gpt-4o-mini", today)[0].price.input_usd_per_million
        for today in (date(2025, 12, 31), date(2026, 1, 1), date(2026, 5, 31), date(2027, 1, 1))
    }
    assert list(prices.values()) == [0.15, 2.0, 2.0, 3.0]


def test_a_price_by_hand():
    assert Price(0.3, 2.5, 5.0).cost(1_000_000, 200_000, 2) == pytest.approx(0.3 + 0.5 + 0.01)


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("provider", "bard", f"unknown provider 'bard'. Allowed: {', '.join(sorted(own_providers()))}"),
        ("structured_output", "xml", "structured_output is 'xml'. Allowed: json_schema, json_object, none"),
    ],
)
def test_a_wrong_field_of_a_row_is_refused(llm, field, value, message):
    llm.set_model("gpt-4o-mini", **{field: value})
    with pytest.raises(FinragError, match=message):
        find(llm, "gpt-4o-mini")


def test_missing_seeds_are_named():

    with in_memory() as connection, pytest.raises(FinragError, match=r"seeds.llm_models.*Run dbt seed"):
        seed_relations(connection)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("llm_concurrency", "0"),
        ("llm_concurrency", "many"),
        ("llm_replicates", "1.5"),
        ("llm_budget_usd", "-1"),
        ("llm_budget_usd", "nan"),
        ("llm_deadline_seconds", "inf"),
        ("llm_repair_calls", "-1"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_name(name, value):
    with pytest.raises(FinragError, match=f"The var {name} is '{value}'. Allowed: a .*number of at least [01]"):
        Settings.read({"models": "baseline", name: value})


def test_settings_as_dbt_hands_them_over():
    meta = {"llm_answers": "baseline", "llm_budget_usd": "2.5", "llm_concurrency": "4", "llm_replicates": 2}
    assert Settings.read(meta) == Settings("baseline", replicates=2, concurrency=4, budget_usd=2.5)


def test_the_limit_of_a_reply_leaves_room_for_thinking():
    assert Model("m", "gemini", "m", max_output_tokens=65536, thinking_tokens=8192).output_limit(1024) == 9216
    assert Model("m", "gemini", "m", max_output_tokens=4096, thinking_tokens=8192).output_limit(1024) == 4096
    assert Model("m", "gemini", "m").output_limit(1024) == 1024


def test_redaction_leaves_nothing_of_a_key():
    assert redact("a SECRET and SECRET", ("SECRET", None, "")) == "a [key removed] and [key removed]"
    assert redact(None, ("SECRET",)) is None


def test_two_rows_whose_calls_are_the_same_are_refused_together(llm):
    llm.connection.execute(
        "insert into seeds.llm_models select 'twin', * exclude (model_id) from seeds.llm_models "
        "where model_id = 'gpt-4o-mini'"
    )
    llm.connection.execute("insert into seeds.llm_prices values ('twin', '2026-01-01', 9, null, 9, 0, '')")
    with pytest.raises(FinragError, match=r"'gpt-4o-mini' and 'twin' are one: .* a call of echo, .* Name one of them"):
        llm.call("gpt-4o-mini twin")
    assert llm.emulator.events() == []
    assert llm.call("twin")["status"] == "ok"
    llm.set_model("twin", temperature=1.0)
    rows = llm.run({"one": {"text": "hello"}}, "gpt-4o-mini twin")
    assert [row["status"] for row in rows] == ["ok", "ok"] and len(llm.emulator.received()) == 2


@pytest.mark.parametrize(
    "written",
    [
        *('a"b\\c/d', 'a\\"b\\\\c/d', 'a\\"b\\\\c\\/d', 'a\\\\\\"b\\\\\\\\c/d', "a\\u0022b\\u005Cc\\u002fd"),
        *("a%22b%5Cc%2Fd", "a%22b%5cc/d", "a%2522b%255Cc%252Fd", "a&quot;b\\c/d"),
    ],
)
def test_redaction_knows_how_a_key_may_be_written(written):
    assert redact(f'{{"say": "{written}"}}', ('a"b\\c/d',)) == '{"say": "[key removed]"}'
    assert redact(written, ("a.b",)) == written and redact("axb a.b", ("a.b",)) == "axb [key removed]"


def test_a_name_and_password_in_an_address_are_kept_nowhere(llm, monkeypatch):
    """Calls to it are what they were, as the ledger of an older build has them."""
    login = "user:TOP@SECRET"
    address = llm.emulator.url.replace("//", f"//{login}@") + "/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", address)
    llm.emulator.fail(Fault.http(400, message=f"no such path at {address}"))
    row = llm.call("gpt-4o-mini")
    assert row["error"].endswith(f"no such path at {address.replace(f'{login}@', '[key removed]')}")
    assert llm.ledger_value("endpoint") == f"{llm.emulator.url}/v1" and "SECRET" not in llm.ledger_value("error")
    model = Model("m", "openai", "m", base_url=address)
    assert model.logins() == (f"{login}@",) and model.endpoint == address
    assert model.goes_to(address) and model.goes_to(f"{llm.emulator.url}/v1") and not model.goes_to("http://other/v1")
    assert Model("m", "openai", "m", base_url="http://host/a@b").logins() == ()


@pytest.mark.parametrize(
    ("provider", "written", "endpoint"),
    [
        ("openai", None, None),
        ("openai", "", None),
        ("openai", "https://api.openai.com/v1", None),
        ("openai", "HTTPS://API.OpenAI.com:443/v1//", None),
        ("openai", "http://api.openai.com/v1", "http://api.openai.com/v1"),
        ("openai", "http://LocalHost:8000/v1/", "http://localhost:8000/v1"),
        ("openai", "http://localhost:80/V1", "http://localhost/V1"),
        ("openai", "https://localhost:80/v1", "https://localhost:80/v1"),
        ("openai", "https://Me:Pass@Host/v1?a=B", "https://Me:Pass@host/v1?a=B"),
        ("openai", "http://[::1]:8000/v1/", "http://[::1]:8000/v1"),
        ("openai", "http://[/v1/", "http://[/v1"),
        ("openai", " / ", None),
        ("gemini", "https://generativelanguage.googleapis.com/", None),
        ("gemini", "https://api.openai.com/v1", "https://api.openai.com/v1"),
        ("transformers", "https://api.openai.com/v1", "https://api.openai.com/v1"),
    ],
)
def test_an_endpoint_is_the_same_however_it_is_written(monkeypatch, provider, written, endpoint):
    assert Model("m", provider, "m", base_url=written).endpoint == endpoint
    if written is not None:
        monkeypatch.setenv("ANY_BASE_URL", written)
        assert Model("m", provider, "m", base_url_env="ANY_BASE_URL").endpoint == endpoint


def test_endpoints_that_older_keys_may_have():
    own = ["https://api.openai.com/v1", "https://api.openai.com/v1/"]
    assert Model("m", "openai", "m").older_endpoints() == own
    assert Model("m", "openai", "m", base_url=own[1]).older_endpoints() == own
    there = Model("m", "openai", "m", base_url="http://Here:80/v1")
    assert there.older_endpoints() == [None, "http://here/v1/", "http://Here:80/v1"]
    assert there.goes_to("http://here/v1//") and not there.goes_to(None)
    assert Model("m", "transformers", "m").older_endpoints() == []


def test_only_the_providers_own_address_takes_the_new_name_of_the_limit():
    from finrag.llm.providers import Message, Request
    from finrag.llm.providers.openai_compatible import _arguments

    request = Request(None, {}, "s", (Message("user", "u"),), 10, 0.0, "none")
    limits = {
        url: next(name for name in _arguments(Model("m", "openai", "m", base_url=url), request) if "max" in name)
        for url in (None, "https://api.openai.com/v1", "https://api.openai.com/v1/", "http://localhost:8000/v1")
    }
    assert list(limits.values()) == [*3 * ["max_completion_tokens"], "max_tokens"]
