"""Work off the window's thread."""

from ui.workers.background import Background, Stop
from ui.workers.live import LiveSolver
from ui.workers.work import Worker

__all__ = ["Background", "LiveSolver", "Stop", "Worker", "live", "typesetting_process"]
