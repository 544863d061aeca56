"""How fast 10-Ks in HTML are read into items, and what the longest takes in memory."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path

LONGEST = 50_000_000
PAGE_BREAK = b'<hr style="page-break-after'
READ = "import sys; from finrag.corpus.html.filing import read_filing; read_filing(sys.argv[1])"


def html(folder: Path) -> None:
    """BENCH_HTML: a glob of filings. Of one that is paged, the middle pages are repeated up to 50 MB."""
    from finrag.corpus.html.filing import read_filing
    from finrag.inputs.setting import paths_of

    paths = paths_of(os.environ.get("BENCH_HTML", ""))
    if not paths:
        print("html: left out, as BENCH_HTML names no 10-Ks in HTML")
        return
    started = time.process_time()
    for path in paths:
        read_filing(path)
    megabytes = sum(os.path.getsize(path) for path in paths) / 1e6
    print(f"html: {len(paths)} filings, {megabytes / (time.process_time() - started):.1f} MB/s on one core")
    for path in paths:
        if (content := Path(path).read_bytes()).count(PAGE_BREAK) > 9:
            read_longest(folder / "longest.htm", content)
            return


def read_longest(path: Path, content: bytes) -> None:
    begin = content.index(PAGE_BREAK, len(content) // 2)
    end = content.index(PAGE_BREAK, begin + len(content) // 10)
    pages = content[begin:end]
    path.write_bytes(content[:begin] + pages * ((LONGEST - len(content)) // len(pages)) + content[begin:])
    started = time.monotonic()
    subprocess.run([sys.executable, "-c", READ, str(path)], check=True)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    print(f"html: {path.stat().st_size / 1e6:.0f} MB in {time.monotonic() - started:.1f} s, peak {peak:.2f} GB")
