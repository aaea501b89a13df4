"""The look: colours for light and dark, type and space; one stylesheet and one palette made from them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from dpwizard.base.resource_files import FOLDER

BODY, CAPTION, QUESTION, NUMBER = 10.5, 9.0, 13.0, 22.0  # points
NOTE = 8.25  # points of the second line of a step
SMALL, WARNED = 9.75, 11.25  # points of sentences beside questions, and of the sentence of a warning
TIGHT, NEAR, GROUP, EDGE = 4, 8, 16, 24  # pixels, on a 4-pixel grid
CORNER = 8
STYLE = "Fusion"  # looks the same on every system
STYLED = "styled"  # the property that says so of the application
FONTS = ("Inter-Regular.ttf", "Inter-SemiBold.ttf", "Inter-Bold.ttf")  # the weights that the window shows
FRAME = 32  # pixels that the title bar takes of a screen
WIDEST = 16_777_215  # Qt's own largest width: no limit
MEASURE = 560  # pixels: a line of 75 characters, the longest that reads well
LARGE_MEASURE, DOTS = 820, 216  # pixels: the same of the largest sentences; of 100 dots
PROMISE, CHOSEN = 15, 28  # points of a sentence that is signed, and of the number it comes from
WARNING = "#C77700"  # of the bar and the triangle of a warning, on either ground


@dataclass(frozen=True, kw_only=True)
class Colours:
    """One theme's colours by what they mean."""

    ground: str
    card: str
    text: str
    quiet: str
    line: str
    accent: str
    accent_strong: str
    on_accent: str
    selected: str
    field_line: str
    shade: str
    privacy: str
    accuracy: str
    window: str
    refuted: str
    problem: str
    warning_ground: str
    agreed: str  # words that both sides agree


LIGHT = Colours(
    ground="#FBFBF9",
    card="#FFFFFF",
    text="#1B1F24",
    quiet="#5A626C",
    line="#D9DCE0",
    accent="#0B5CAD",
    accent_strong="#094A8C",
    on_accent="#FFFFFF",
    selected="#EAF1F8",
    field_line="#858C95",
    shade="#F0F1F2",
    privacy="#D55E00",
    accuracy="#0072B2",
    window="#009E73",
    refuted="#7A7A7A",
    problem="#A33A00",
    warning_ground="#FFF6E5",
    agreed="#00735A",
)
DARK = Colours(
    ground="#16181B",
    card="#1E2125",
    text="#E8EAED",
    quiet="#A3ABB5",
    line="#343A41",
    accent="#6AB0F3",
    accent_strong="#8CC3F7",
    on_accent="#10151A",
    selected="#243243",
    field_line="#79818B",
    shade="#26292E",
    privacy="#E8792B",
    accuracy="#3E9BD6",
    window="#1FB98C",
    refuted="#8F8F8F",
    problem="#F0945A",
    warning_ground="#3A2C12",
    agreed="#3DC99B",
)

LIGHT_STRONG = replace(
    LIGHT,
    ground="#FFFFFF",
    text="#000000",
    quiet="#2B3138",
    line="#5A626C",
    accent="#003F80",
    accent_strong="#002B57",
    selected="#D3E4F5",
    field_line="#2B3138",
    shade="#ECEEF0",
    privacy="#A84600",
    accuracy="#00558A",
    window="#007453",
    refuted="#4D4D4D",
    problem="#7A2300",
    agreed="#00503F",
)
DARK_STRONG = replace(
    DARK,
    ground="#000000",
    card="#000000",
    text="#FFFFFF",
    quiet="#D6DBE1",
    line="#98A0AA",
    accent="#9BD0FF",
    accent_strong="#C3E2FF",
    on_accent="#000000",
    selected="#17344F",
    field_line="#D6DBE1",
    shade="#17191C",
    privacy="#FF9A52",
    accuracy="#5DB8F0",
    window="#3DDCA9",
    refuted="#A8A8A8",
    problem="#FFB580",
    agreed="#62E0B4",
)


def colours(*, dark: bool, strong: bool) -> Colours:
    """Return the colours of a theme; STRONG ones where the system asks for more contrast."""
    if dark:
        return DARK_STRONG if strong else DARK
    return LIGHT_STRONG if strong else LIGHT


def system_is_dark() -> bool:
    """Return whether the system asks for dark."""
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def show_icon() -> None:
    """Set the program's icon for every window."""
    from PySide6.QtGui import QIcon

    QGuiApplication.setWindowIcon(QIcon(str(FOLDER / "icons" / "dpwizard.svg")))


def load_fonts() -> str:
    """Load the bundled fonts and return the family to use; the system's own sans serif if none could be loaded."""
    families: list[str] = []
    for name in FONTS:
        path = FOLDER / "fonts" / name
        identifier = QFontDatabase.addApplicationFont(str(path))
        families += QFontDatabase.applicationFontFamilies(identifier) if identifier >= 0 else []
    return families[0] if families else QFont().defaultFamily()


def tabular(widget: QWidget) -> None:
    """Use figures of equal width in WIDGET. (Not for words: their hyphens would become as wide.)"""
    font = widget.font()
    font.setFeature(QFont.Tag("tnum"), 1)
    widget.setFont(font)


def font(points: float = BODY, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the program's font at a size; figures are tabular."""
    result = QFont(QApplication.font())
    result.setPointSizeF(points)
    result.setWeight(weight)
    result.setFeature(QFont.Tag("tnum"), 1)
    return result


def apply(app: QApplication, colours: Colours, family: str) -> None:
    """Apply one theme to the whole application: Fusion, an explicit palette, one stylesheet."""
    if app.property(STYLED) is None:  # again would only redraw every widget
        app.setStyle(STYLE)
        app.setProperty(STYLED, True)
    base = QFont(family)
    base.setHintingPreference(QFont.HintingPreference.PreferNoHinting)  # else letters are spaced out at some sizes
    base.setPointSizeF(BODY)
    app.setFont(base)
    palette = QPalette()
    roles = {
        QPalette.ColorRole.Window: colours.ground,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Base: colours.card,
        QPalette.ColorRole.AlternateBase: colours.ground,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.Button: colours.card,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.Highlight: colours.accent,
        QPalette.ColorRole.HighlightedText: colours.on_accent,
        QPalette.ColorRole.PlaceholderText: colours.quiet,
        QPalette.ColorRole.ToolTipBase: colours.card,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.Accent: colours.accent,
        QPalette.ColorRole.Link: colours.accent,
        QPalette.ColorRole.LinkVisited: colours.accent,
        QPalette.ColorRole.BrightText: colours.text,
        QPalette.ColorRole.Mid: colours.field_line,
    }
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.quiet))
    app.setPalette(palette)
    for effect in Qt.UIEffect:  # nothing moves: not on any system, so not where one asks for less motion
        if effect != Qt.UIEffect.UI_General:
            app.setEffectEnabled(effect, False)
    if app.styleSheet() != stylesheet(colours):  # the same again would only style every widget again
        app.setStyleSheet(stylesheet(colours))


def stylesheet(colours: Colours) -> str:
    """Return the stylesheet of one theme."""
    c = colours
    return f"""
    QWidget#card {{ background: {c.card}; border: 1px solid {c.line}; border-radius: {CORNER}px; }}
    QFrame#row {{ border: none; border-top: 1px solid {c.line}; }}
    QFrame#row[chosen="true"] {{ background: {c.selected}; }}
    QFrame#way {{ background: {c.selected}; border: none; border-left: 4px solid {c.accent}; }}
    QLabel#covers_kept {{ color: {c.window}; font-weight: 600; }}
    QLabel#covers_open, QLabel#covers_weaker, QLabel#covers_not_hidden {{ color: {c.problem}; font-weight: 600; }}
    QLabel#promised {{ font-size: {PROMISE}pt; }}
    QLabel#question {{ font-size: {QUESTION}pt; font-weight: 600; }}
    QLabel#asked {{ font-size: {QUESTION}pt; }}
    QLabel#number {{ font-size: {NUMBER}pt; font-weight: 600; }}
    QLabel#quiet, QLabel#caption {{ color: {c.quiet}; }}
    QLabel#caption, QLabel#problem {{ font-size: {CAPTION}pt; }}
    QLabel#problem {{ color: {c.problem}; }}
    QLabel#title {{ font-weight: 600; }}
    QLabel#promise {{ font-size: {PROMISE}pt; font-weight: 600; }}
    QLabel#promise[long="true"] {{ font-size: {WARNED}pt; }}
    QLabel#chosen {{ font-size: {CHOSEN}pt; font-weight: 700; }} QLabel#chosen[long="true"] {{ font-size: {NUMBER}pt; }}
    QLabel#agreed {{ color: {c.agreed}; font-weight: 600; }}
    QFrame#rule {{ background: {c.line}; max-height: 1px; border: none; }}
    QFrame#warning {{ background: {c.warning_ground}; border: 1px solid {WARNING}; border-left: 6px solid {WARNING};
        border-radius: {CORNER}px; }}
    QLabel#small {{ font-size: {SMALL}pt; }}
    QLabel#warned {{ font-size: {WARNED}pt; font-weight: 600; }}
    QLineEdit, QPlainTextEdit, QComboBox, QDateEdit {{ background: {c.card}; color: {c.text};
        border: 1px solid {c.field_line}; border-radius: 5px;
        padding: 4px 8px; selection-background-color: {c.accent}; selection-color: {c.on_accent};
        placeholder-text-color: {c.quiet}; }}
    QPlainTextEdit {{ padding: 2px 4px; }} QDateEdit {{ padding: 3px 8px; }}
    QLineEdit:focus, QComboBox:focus, QDateEdit:focus {{ border: 2px solid {c.accent}; padding: 3px 7px; }}
    QPlainTextEdit:focus {{ border: 2px solid {c.accent}; padding: 1px 3px; }}
    QLineEdit[wrong="true"] {{ border: 2px solid {c.problem}; padding: 3px 7px; }}
    QPlainTextEdit[wrong="true"] {{ border: 2px solid {c.problem}; padding: 1px 3px; }}
    QComboBox[wrong="true"] {{ border: 2px solid {c.problem}; padding: 3px 7px; }}
    QComboBox {{ combobox-popup: 0; }}  /* a list with a scroll bar: the other kind hides half of its last entry */
    QComboBox::drop-down, QDateEdit::drop-down {{ border: none; width: 28px; }}
    QComboBox::down-arrow, QDateEdit::down-arrow {{ image: none; }}
    QComboBox QAbstractItemView {{ background: {c.card}; color: {c.text}; border: 1px solid {c.field_line};
        padding: 4px; outline: none;
        selection-background-color: {c.selected}; selection-color: {c.text}; }}
    QPushButton {{ background: {c.card}; color: {c.text}; border: 1px solid {c.field_line}; border-radius: 6px;
        padding: 6px 14px; outline: none; }}
    QPushButton:hover {{ background: {c.selected}; }}
    QPushButton:pressed {{ background: {c.line}; }}
    QPushButton:focus {{ border: 2px solid {c.accent}; padding: 5px 13px; }}
    QPushButton:disabled {{ color: {c.quiet}; border-color: {c.line}; background: {c.card}; }}
    QPushButton::menu-indicator {{ image: none; width: 0px; }}
    QPushButton[arrow="true"] {{ padding: 6px 2px; }}
    QPushButton[arrow="true"]:focus {{ padding: 5px 1px; }}
    QPushButton#primary {{ background: {c.accent}; color: {c.on_accent}; border-color: {c.accent}; font-weight: 600; }}
    QPushButton#primary:hover {{ background: {c.accent_strong}; border-color: {c.accent_strong}; }}
    QPushButton#primary:focus {{ border: 3px double {c.on_accent}; padding: 4px 12px; }}
    QPushButton#primary:disabled {{ background: {c.card}; color: {c.quiet}; border-color: {c.line}; }}
    QPushButton#small {{ padding: 2px 10px; font-size: {CAPTION}pt; }}
    QPushButton#small:focus {{ padding: 1px 9px; }}
    QPushButton#end {{ padding: 3px 10px; text-align: left; }}
    QPushButton#end:focus {{ padding: 2px 9px; }}
    QPushButton#dots {{ padding: 0px; background: transparent; border-color: transparent; }}
    QPushButton#dots:hover {{ border-color: {c.field_line}; }}
    QPushButton#dots:focus {{ border: 2px solid {c.accent}; padding: 0px; }}
    QPushButton#step, QPushButton#link {{ border: none; border-radius: 6px; padding: 7px 8px; text-align: left;
        background: transparent; }}
    QPushButton#step {{ color: {c.quiet}; }}
    QPushButton#step[close="true"] {{ padding: 4px 8px; }}
    QPushButton#step[noted="true"] {{ padding: 4px 8px 18px 8px; }}
    QPushButton#step[noted="true"]:focus {{ padding: 2px 6px 16px 6px; }}
    QLabel#note {{ color: {c.quiet}; font-size: {NOTE}pt; font-weight: 400; }}
    QPushButton#link {{ color: {c.accent}; padding: 4px 8px; }}
    QPushButton#link:disabled {{ color: {c.quiet}; }}
    QPushButton#inline {{ border: 1px solid transparent; border-radius: 3px; padding: 0px; text-align: left;
        background: transparent; color: {c.accent}; font-size: {CAPTION}pt; text-decoration: underline; }}
    QPushButton#inline:focus {{ border-color: {c.accent}; }}
    QPushButton#step:hover, QPushButton#link:hover {{ background: {c.selected}; }}
    QPushButton#step:checked {{ background: {c.selected}; color: {c.text}; font-weight: 600; }}
    QPushButton#step:focus, QPushButton#link:focus {{ border: 2px solid {c.accent}; padding: 5px 6px; }}
    QPushButton#step[close="true"]:focus, QPushButton#link:focus {{ padding: 2px 6px; }}
    QPushButton#tab {{ border: none; border-bottom: 3px solid {c.line}; border-radius: 0px; padding: 4px 10px 3px 10px;
        background: transparent; }}
    QPushButton#tab:hover {{ background: {c.selected}; }}
    QPushButton#tab:checked {{ font-weight: 600; border-bottom-color: {c.accent}; }}
    QPushButton#tab:focus {{ border: 2px solid {c.accent}; padding: 2px 8px 4px 8px; }}
    QSlider {{ min-height: 22px; }}
    QSlider::groove:horizontal {{ height: 4px; background: {c.field_line}; border-radius: 2px; }}
    QSlider::sub-page:horizontal {{ background: {c.accent}; border-radius: 2px; }}
    QSlider::handle:horizontal {{ width: 12px; height: 12px; margin: -6px 0; border-radius: 8px; background: {c.card};
        border: 2px solid {c.accent}; }}
    QSlider::handle:horizontal:hover {{ background: {c.selected}; }}
    QSlider::handle:horizontal:focus {{ background: {c.accent}; border: 2px solid {c.text}; }}
    QProgressBar {{ background: {c.line}; border: none; border-radius: 3px; max-height: 6px; }}
    QProgressBar::chunk {{ background: {c.accent}; border-radius: 3px; }}
    QMenuBar {{ background: {c.ground}; color: {c.text}; padding: 2px 12px; border-bottom: 1px solid {c.line}; }}
    QMenuBar::item {{ padding: 3px 8px; border-radius: 4px; background: transparent; }}
    QMenuBar::item:selected, QMenuBar::item:pressed {{ background: {c.selected}; color: {c.text}; }}
    QMenu {{ background: {c.card}; color: {c.text}; border: 1px solid {c.field_line}; padding: 4px; }}
    QMenu::item {{ padding: 6px 24px 6px 12px; border-radius: 4px; }}
    QMenu::item:selected {{ background: {c.selected}; color: {c.text}; }}
    QMenu::item:disabled {{ color: {c.quiet}; }}
    QMenu::separator {{ height: 1px; background: {c.line}; margin: 4px 8px; }}
    QToolTip {{ background: {c.card}; color: {c.text}; border: 1px solid {c.field_line}; padding: 4px; }}
    QScrollBar:vertical {{ background: transparent; width: 12px; margin: 0; }}
    QScrollBar:horizontal {{ background: transparent; height: 12px; margin: 0; }}
    QScrollBar::handle {{ background: {c.field_line}; border-radius: 4px; border: 2px solid {c.ground}; }}
    QScrollBar::handle:vertical {{ min-height: 32px; }}
    QScrollBar::handle:horizontal {{ min-width: 32px; }}
    QScrollBar::handle:hover {{ background: {c.quiet}; }}
    QScrollBar::add-line, QScrollBar::sub-line {{ width: 0; height: 0; }}
    QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
    QFrame#notice {{ background: {c.selected}; border-bottom: 1px solid {c.line}; }}
    QDockWidget {{ color: {c.text}; }}
    QDockWidget::title {{ background: {c.ground}; padding: 6px 8px; border-bottom: 1px solid {c.line}; }}
    QListView, QTableView {{ background: {c.card}; color: {c.text}; border: 1px solid {c.field_line};
        border-radius: 5px;
        selection-background-color: {c.selected}; selection-color: {c.text}; }}
    QListView:focus, QTableView:focus {{ border: 2px solid {c.accent}; }}
    QTableView[wrong="true"] {{ border: 2px solid {c.problem}; }}
    QListView::item {{ padding: 4px 6px; }}
    .RowsTable, RecordsTable {{ outline: none; }}  /* whole rows are chosen */
    QTableView::item {{ padding: 0 5px; }}
    QHeaderView::section {{ background: {c.shade}; color: {c.text}; border: none; border-bottom: 1px solid {c.line};
        padding: 4px 8px; }}
    QAbstractButton, QProgressBar, QScrollBar, QMenu {{ widget-animation-duration: 0; }}
    QWidget#steps {{ background: {c.ground}; border-right: 1px solid {c.line}; }}
    QWidget#footer {{ background: {c.card}; border-top: 1px solid {c.line}; }}
    QScrollArea {{ border: none; background: {c.ground}; }}
    QScrollArea > QWidget > QWidget {{ background: {c.ground}; }}
    QDialog, QMessageBox {{ background: {c.ground}; }}
    """
