"""Let DuckDB read hf:// and s3:// paths.

DuckDB reads both through its httpfs extension, which it fetches from its own extension repository. Where that is out
of reach the same protocols are read through fsspec (huggingface_hub for hf://, s3fs for s3://), if installed.
"""

from __future__ import annotations

from finrag.errors import FinragError

FSSPEC_PACKAGES = {"hf": "huggingface_hub", "s3": "s3fs", "gs": "gcsfs", "memory": "fsspec"}


def open_remote(connection, path: str) -> None:
    """Make the protocol of path readable on this database, or raise FinragError with what to install."""
    protocol = path.split("://", 1)[0]
    if protocol in registered(connection):
        return
    failures = []
    if protocol != "memory":
        try:
            connection.execute("install httpfs")
            connection.execute("load httpfs")
            return
        except Exception as error:  # offline, or no build of the extension for this platform: try fsspec
            failures.append(f"DuckDB's httpfs extension: {str(error).splitlines()[0]}")
    try:
        import fsspec

        connection.register_filesystem(fsspec.filesystem(protocol))
    except (ImportError, ValueError) as error:
        failures.append(f"fsspec: {error}")
        package = FSSPEC_PACKAGES.get(protocol, f"an fsspec filesystem for {protocol}://")
        raise FinragError(
            f"Cannot read '{path}': {'; '.join(failures)}. Allow DuckDB to install httpfs, or `pip install {package}`, "
            "or copy the files to a local path."
        ) from error


def registered(connection) -> set[str]:
    """Protocols that earlier calls registered on this database."""
    names: set[str] = set()
    for name in connection.list_filesystems():
        names.update(name if isinstance(name, (list, tuple)) else [name])
    return names
