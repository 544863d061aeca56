"""The embedded demo corpus: annual reports of fictional companies, the same bytes on every machine.

Twelve companies, three fiscal years (2020-2022), five source layouts, a matching table of company facts and a
register of planted cases. Nothing is downloaded and nothing real is described: companies, people, products and
figures are made up, and the CIKs lie in a range that EDGAR does not use (9000001-9000012).

How it hangs together:

- `data/`: what is said. A file per company (who it is, how its figures develop, its own prose), a file per part of the
  form for the prose that companies share, and the planted cases as a table.
- `finances.py` turns a profile into four years of statements that add up; `money.py` words the amounts.
- `filing.py` writes one filing as items of paragraphs of sentences, each template filled by `slots.py`.
- `layouts/`: one file per source layout; `corpus.py` renders every file; `writer.py` puts them on disk.

No choice is left to chance: `choices.py` derives each from a hash of what is being chosen.
"""

from __future__ import annotations

from finrag.demo.writer import GENERATOR_VERSION, DemoCorpus, ensure, generate

__all__ = ["GENERATOR_VERSION", "DemoCorpus", "ensure", "generate"]
