"""A file that is written whole: a writer that is killed leaves what was there."""

from __future__ import annotations

import os

import pytest

from finrag.whole import partials, write_whole


def test_a_writer_that_is_killed_leaves_what_was_there(tmp_path, monkeypatch):
    file = tmp_path / "made" / "a[1].json"
    write_whole(file, "déjà\r\n")
    monkeypatch.setattr(os, "fsync", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_whole(file, b"other")
    assert file.read_bytes() == "déjà\r\n".encode() and len(partials(file)) == 1
    monkeypatch.undo()
    write_whole(file, b"other")
    assert file.read_bytes() == b"other" and partials(file) == []
