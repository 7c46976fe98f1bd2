"""`mtgkb serve`: SPARQL, linked data and pages on one port."""

from __future__ import annotations

from dataclasses import replace

import click

from kb.cli.options import Settings, common
from kb.errors import StoreError, UsageError

_MEBIBYTE = 2**20


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8077, show_default=True)
@click.option("--url", metavar="URL", help="The public address, where a proxy stands before.")
@click.option("--workers", type=click.IntRange(1, 256), help="Queries that run side by side.")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), help="Seconds a query may run.")
@click.option("--rows", type=click.IntRange(1), help="Rows that an answer may have.")
@click.option("--memory", type=click.IntRange(256), help="MiB a query's process may use.")
@common("text", "json")
def command(  # noqa: PLR0913, PLR0917 - one for each option
    settings: Settings,
    host: str,
    port: int,
    url: str | None,
    workers: int | None,
    timeout: float | None,
    rows: int | None,
    memory: int | None,
) -> None:
    """Answer SPARQL, linked data and people over HTTP, until interrupted.

    Only this machine can reach the server unless --host says otherwise. Logs are lines of JSON
    on standard error.
    """
    try:
        from kb.web.app import Settings as Served  # noqa: PLC0415 - an extra, and slow to import
        from kb.web.limits import Limits  # noqa: PLC0415
        from kb.web.logs import Log  # noqa: PLC0415
        from kb.web.pages import page_routes  # noqa: PLC0415
        from kb.web.serving import is_loopback, listening, serve  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise UsageError(
            "mtgkb serve needs packages that are not installed",
            why=str(error),
            hint="pip install 'mtgkb[server]'",
        ) from error
    settings.open().close()  # whatever is wrong with it is said before anything listens
    limits = Limits()
    limits = replace(
        limits,
        workers=workers or limits.workers,
        seconds=timeout or limits.seconds,
        rows=rows or limits.rows,
        memory_bytes=memory * _MEBIBYTE if memory else limits.memory_bytes,
    )
    log = Log()
    listener = listening(host, port)
    where = f"http://{'[' + host + ']' if ':' in host else host}:{listener.getsockname()[1]}"
    if not is_loopback(host):
        log.event("warning", "warning", what=f"{host} can be reached from other machines")
    click.echo(f"mtgkb serves {settings.folder} at {url or where}/")
    if not serve(Served(settings.folder, limits, url), listener, log, page_routes()):
        raise StoreError("the server did not start", where=str(settings.folder))
