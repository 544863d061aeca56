"""The wheel holds the dbt project too, at finrag/dbt; everything else is said in pyproject.toml."""

import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "python_models"))

from finrag.project import DASHBOARDS, PAGES, PARTS  # noqa: E402 (found only now)

# The library lies beside it in the wheel; tests of the project itself stay in the clone.
NOT_HELD = ("__pycache__", "*.egg-info", "finrag", "python", "fixtures", "node_modules", ".evidence")
LEFT_OUT = shutil.ignore_patterns(*NOT_HELD)


class WithProject(build_py):
    """Copies what dbt and people read into the package. An editable installation finds it in the clone."""

    def run(self) -> None:
        if self.editable_mode:
            super().run()
            return
        # what an earlier wheel held and is gone since would stay
        shutil.rmtree(Path(self.build_lib) / "finrag", ignore_errors=True)
        super().run()
        folder = Path(self.build_lib) / "finrag" / "dbt"
        for part in PARTS + PAGES + DASHBOARDS:
            source = ROOT / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=LEFT_OUT)
            else:
                shutil.copy(source, folder / part)


setup(cmdclass={"build_py": WithProject})
