"""The phones' pages in the director's main thread, beside its engine thread."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import queue
import threading
from typing import TYPE_CHECKING

from appliance.console.way import Way
from appliance.workplace import Workplace

if TYPE_CHECKING:
    from appliance.console.server import Console

_log = logging.getLogger(__name__)


def serve(place: Workplace, way: Way, over: queue.SimpleQueue[None]) -> bool:
    """Serve until something is put into ``over``. False at once where there is nothing to serve: the director was set
    up without what pages load, and goes on without them.
    """
    # a web server takes its time to be imported; the tables are served meanwhile
    from appliance.console import views
    from appliance.console.assets import NoAssets
    from appliance.console.exports import exports
    from appliance.console.pages import Pages
    from appliance.console.server import Console
    from appliance.console.views import forms

    pages = Pages(views.render, forms.form, exports(place.data / "journal"))
    settings, speed = place.config.console, place.config.rehearsal.speed
    try:
        console = Console(settings, way, way, pages, lambda: way.sight, place.now_ms, way.served, speed)
    except NoAssets as error:
        _log.error("phones cannot come: %s", error)
        return False
    way.listen(console.look)
    asyncio.run(_serve(console, over))
    return True


async def _serve(console: Console, over: queue.SimpleQueue[None]) -> None:
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def wait() -> None:
        over.get()
        with contextlib.suppress(RuntimeError):  # the loop has ended by itself
            loop.call_soon_threadsafe(ended.set)

    threading.Thread(target=wait, name="over", daemon=True).start()
    await console.run(ended)
