"""Work off the window's thread."""

from ui.workers.background import Background, reason
from ui.workers.live import LiveSolver
from ui.workers.work import Worker

__all__ = ["Background", "LiveSolver", "Worker", "live", "reason", "typesetting_process"]
