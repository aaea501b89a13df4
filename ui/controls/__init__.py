"""What one types into, chooses from and reads: drawn alike in both themes. The first page does without."""

from ui.controls.controls import (
    Choice,
    DotsButton,
    HelpButton,
    Line,
    LongText,
    MarkedWords,
    NumberLine,
    Prose,
    Slider,
    Statement,
    labelled,
    mark_wrong,
)
from ui.controls.dots import LOW, MOST, PAIR, CountedDots, PairedArrays
from ui.controls.file_choices import ask_file, ask_files, ask_folder, ask_place, lies_in
from ui.controls.precedents import PrecedentsTable
from ui.controls.spreadsheet import Spreadsheet
from ui.controls.tables import Column, RowsTable, TextRow, text_columns
