"""Many tables at once: a spreadsheet of them, and the dialogs that add many."""

from ui.sheets.grid_dialog import GridDialog
from ui.sheets.paste_dialog import PasteDialog
from ui.sheets.tables_overview import TablesOverview
from ui.sheets.tables_rows import TablesRows

__all__ = ["GridDialog", "PasteDialog", "TablesOverview", "TablesRows"]
