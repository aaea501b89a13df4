"""What holds for every test: windows are drawn off screen unless a platform is asked for."""

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
