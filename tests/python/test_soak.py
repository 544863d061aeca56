"""What `make soak` does to files, without its builds."""

from __future__ import annotations

import json

import pytest

from soak import DAMAGES, History


@pytest.fixture
def pool(tmp_path):
    """A file of each layout, as in the demo's folder."""
    paths = []
    for layout, name in (("finsights", "a.jsonl"), ("hf", "b.jsonl"), ("edgar_crawler", "c.json"), ("x", "d.jsonl")):
        path = tmp_path / "demo" / layout / name
        path.parent.mkdir(parents=True)
        path.write_text("".join(json.dumps({"cik": number, "sentence": layout}) + "\n" for number in range(5)))
        paths.append(path)
    (tmp_path / "demo" / "company_facts.csv").write_text("cik,year\n1,2020\n")
    return paths


def state(history: History) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in history.files.iterdir() if path.suffix != ".parquet"}


def test_a_seed_says_what_is_done(tmp_path, pool):
    states = {}
    for name, seed in (("one", 3), ("again", 3), ("other", 4)):
        history = History(tmp_path / name, pool, seed)
        done = [each for _ in range(40) for each in history.change()]
        assert (history.files / "kept.jsonl").read_bytes() == pool[0].read_bytes()
        assert {"add", "write", "change", "rename", "remove", "others"} < {*done}
        assert sum(each.startswith("damage: ") for each in done) > 5 and history.tried.total() == len(done)
        states[name] = (done, state(history))
    assert states["one"] == states["again"] != states["other"]


@pytest.mark.parametrize("name", DAMAGES)
def test_every_damage_changes_a_file(tmp_path, pool, name):
    history = History(tmp_path / "history", pool, 1)
    before = pool[0].read_bytes()
    assert DAMAGES[name](before, history.draw) != before
