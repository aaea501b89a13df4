"""Keys that the monkey presses, words that it types, links that it follows, and what is made ready for it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QUrl, Slot

CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
PLAIN = Qt.KeyboardModifier.NoModifier
Key = Qt.Key
KEYS = (
    *(
        (Key.Key_Tab, PLAIN),
        (Key.Key_Tab, PLAIN),
        (Key.Key_Backtab, SHIFT),
        (Key.Key_Space, PLAIN),
        (Key.Key_Return, PLAIN),
    ),
    *(
        (Key.Key_Up, PLAIN),
        (Key.Key_Down, PLAIN),
        (Key.Key_Left, PLAIN),
        (Key.Key_Right, PLAIN),
        (Key.Key_Home, PLAIN),
        (Key.Key_End, PLAIN),
    ),
    *(
        (Key.Key_PageUp, PLAIN),
        (Key.Key_PageDown, PLAIN),
        (Key.Key_Escape, PLAIN),
        (Key.Key_Delete, PLAIN),
        (Key.Key_Backspace, PLAIN),
    ),
    *((Key.Key_Plus, PLAIN), (Key.Key_Minus, PLAIN), (Key.Key_0, PLAIN), (Key.Key_F1, PLAIN), (Key.Key_Insert, PLAIN)),
    *(
        (Key.Key_Left, ALT),
        (Key.Key_Right, ALT),
        (Key.Key_A, CONTROL),
        (Key.Key_X, CONTROL),
        (Key.Key_V, CONTROL),
        (Key.Key_C, CONTROL),
    ),
)
HOSTILE = (
    *(
        "",
        " ",
        "0",
        "-1",
        "0,25",
        "0.25",
        "1e999",
        "-1e-320",
        "NaN",
        "inf",
        "1/0",
        "1 000",
        "1.234.567,89",
        "5",
        "3",
        "50",
        "1",
        "100",
    ),
    *(
        "<b>bold</b><img src=x>",
        "&amp;&",
        "%s %n {0} {title}",
        "'; DROP TABLE--",
        "..",
        "../x.json",
        "/proc/none/x.json",
        "C:\\x",
        "\\\\host\\share",
    ),
    *(
        "line\nline\r\n\ttab",
        "a\x00b",
        "\u202edlrow olleh",
        "ﷺ مرحبا",
        "数据 データ",
        "👩‍👩‍👧‍👦",
        "Z\u0301\u0302\u0303algo",
        "ß ſ İ ı",
        "0.1 0.2 0.7",
        "a 0.5\nb 0.5",
    ),
    *("x" * 10_000, "9" * 400, "0." + "0" * 300 + "1", "word " * 400),
)

REFUSED = {
    "cut.json": b'{"format": "dpw',
    "deep.json": b"[" * 5_000,
    "bytes.json": b"\xff\xfe\x00",
    "empty.json": b"",
    "wrong.json": b'{"a": 1, "a": 2}',
}


class Links(QObject):
    """Takes what would open another program."""

    @Slot(QUrl)
    def take(self, url: QUrl) -> None:
        """Open nothing."""
