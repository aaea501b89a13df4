"""Many tables at once: a spreadsheet of them, and the dialogs that add many."""

from ui.sheets.grid_dialog import GridDialog
from ui.sheets.parts_overview import PartsOverview
from ui.sheets.parts_rows import PartsRows
from ui.sheets.paste_dialog import PasteDialog

__all__ = ["GridDialog", "PartsOverview", "PartsRows", "PasteDialog"]
