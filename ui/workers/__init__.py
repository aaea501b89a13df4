"""Work off the window's thread."""

from ui.workers.background import Background, reason, refusal
from ui.workers.live import LiveSolver
from ui.workers.thread import close_all
from ui.workers.work import Failed, Then, Worker

__all__ = [
    "Background",
    "Failed",
    "LiveSolver",
    "Then",
    "Worker",
    "close_all",
    "live",
    "reason",
    "refusal",
    "typesetting_process",
]
