"""Run when the frozen program starts on Linux, before all else: Qt takes its plug-ins from the program, wherever the desktop points to."""

import os
import sys

os.environ["QT_PLUGIN_PATH"] = os.path.join(sys._MEIPASS, "PySide6", "Qt", "plugins")
