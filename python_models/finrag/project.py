"""Where things lie: the dbt project that is built, and the warehouse that it makes.

The dbt project is the clone that a person works in, or what `finrag` sets up for a folder with a finrag.toml. The
library finds it in the environment, as dbt does.
"""

from __future__ import annotations

import os
from pathlib import Path

from finrag.errors import FinragError

FILE = "finrag.toml"
DBT_FILE = "dbt_project.yml"
# Where the macro `command` finds what front() says.
FRONT = "FINRAG_FRONT"
# Where commands tell dbt and each other to look.
PLACES = (FRONT, "DBT_PROJECT_DIR", "DBT_PROFILES_DIR", "DBT_TARGET_PATH", "DBT_LOG_PATH")
# What make calls options of `finrag build` that are not called the same there.
OF_MAKE = {"suites": "QUESTIONS", "headlines": "SENTIMENT"}
DEFAULT_DATABASE = "warehouse/finrag.duckdb"
DEFAULT_REPORT = "reports/finrag.html"
# What dbt reads of a project, and what a wheel therefore holds.
PARTS = (
    *("models", "python_models", "macros", "seeds", "analyses", "tests"),
    *(DBT_FILE, "profiles.yml", "selectors.yml", ".dbtignore"),
)
# What a person reads; a wheel holds it too.
PAGES = ("docs", "mkdocs.yml", "README.md", "CONTRIBUTING.md", "SECURITY.md", "DECISIONLOG.md", "CHANGELOG.md")
# What BI tools read, and finrag export takes from here.
DASHBOARDS = ("dashboards",)


def product() -> Path:
    """The dbt project of this installation: inside the package, or around it in a clone."""
    package = Path(__file__).parent
    for folder in (package / "dbt", package.parents[1]):
        if (folder / DBT_FILE).exists():
            return folder
    raise FinragError(f"This installation of finrag holds no dbt project (looked in {package}). Install it again.")


def version() -> str:
    """The version of the product in use. What pip says of a clone is that of the day on which it was installed."""
    return load_yaml((product() / DBT_FILE).read_text(encoding="utf-8"))["version"]


def load_yaml(text: str):
    """What a file of the product says, read by libyaml where there is one: it takes a tenth of the time."""
    # a wheel is built by this module, where yaml need not be
    import yaml

    return yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))


def dbt_folder() -> Path:
    """The dbt project in use."""
    return Path(os.environ.get("DBT_PROJECT_DIR", "."))


def dbt_profiles() -> Path:
    """The file of the profiles in use."""
    return Path(os.environ.get("DBT_PROFILES_DIR", ".")) / "profiles.yml"


def dbt_target() -> Path:
    """Where dbt writes what it compiled."""
    return Path(os.environ.get("DBT_TARGET_PATH", "target"))


def target_is_writable() -> bool:
    """Whether what is made can be kept there, as it cannot in a project that one may only read."""
    target = dbt_target()
    return os.access(target if target.exists() else target.parent, os.W_OK)


def seeds_folder() -> Path:
    return dbt_folder() / "seeds"


def own_registries() -> Path:
    """Where a person's own rows of registries stand: beside finrag.toml, or in a clone the seeds themselves."""
    return Path("registry") if Path(FILE).exists() else seeds_folder()


def registry_of(name: str) -> str:
    """Where a person adds rows to a registry, for messages."""
    return f"seeds/{name}.csv" if front() == "make" else f"[[registry.{name}]] in {FILE}"


def warehouse() -> Path:
    """The database that builds write."""
    return Path(os.environ.get("FINRAG_DATABASE", DEFAULT_DATABASE))


def existing_warehouse() -> Path:
    """The same; raises FinragError where nothing has been built yet."""
    if not warehouse().exists():
        raise FinragError(f"There is no warehouse at {warehouse()}. Build it first: {command('build')}")
    return warehouse()


def front() -> str:
    """What a person calls commands with here: make is there in a clone alone."""
    return "make" if Path("Makefile").exists() and not Path(FILE).exists() else "finrag"


def name_of_make(option: str) -> str:
    """What make calls an option of finrag."""
    return OF_MAKE.get(option, option.upper())


def command(name: str, argument: str = "", **options: str | bool) -> str:
    """How a person calls a command here, for messages. options: by their names on the command line of finrag."""
    if front() == "make":
        words = [f"make {name.replace(' ', '-')}", f"NAME={argument}" if argument else ""]
        words += [f"{name_of_make(key)}={1 if value is True else value}" for key, value in options.items()]
    else:
        words = [f"finrag {name}", argument]
        words += [f"--{key}" if value is True else f"--{key} {value}" for key, value in options.items()]
    return " ".join(filter(None, words))
