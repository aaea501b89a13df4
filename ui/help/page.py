"""One page of the guide as it is read: Markdown in the program's type and colours; no link leaves the computer."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontDatabase,
    QFontMetricsF,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit

from ui.help import guide
from ui.widgets import theme

MEASURE = 600  # pixels: some 80 characters; there are tables and pictures
SIZES = {1: 16.0, 2: theme.QUESTION, 3: theme.BODY}  # points of the headings
LINE, IN_TABLE = 140.0, 120.0  # percent
FULL = 1_500  # pixels: room for a picture of the whole window
MOST_MARKED = 500  # places of a page that a search marks


class HelpPage(QTextBrowser):
    """Shows a page; a link asks for another one, and nothing is ever fetched."""

    asked = Signal(str, str)  # a page, and a heading on it

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.page, self.language = guide.CONTENTS, ""
        self._notice = self._heading = ""
        self._words: tuple[str, ...] = ()
        self._shown: QTextDocument | None = None
        self.setObjectName("guide")
        self.setOpenLinks(False)
        self.setOpenExternalLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.anchorClicked.connect(self._follow)

    def show_page(self, page: str, language: str, notice: str = "") -> None:
        """Show PAGE in LANGUAGE, with NOTICE above it."""
        self.page, self.language, self._notice, self._heading = page, language, notice, ""
        self._set()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.verticalScrollBar().setValue(0)
        self.mark(self._words)

    def _set(self) -> None:
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(self._column())
        text = guide.offline(self.page, self.language)
        whole = f"> {self._notice}\n\n{text}" if self._notice else text
        # a new one: what a cleared document was dressed in stays in its first lines
        document = QTextDocument(self, defaultFont=self.font(), documentMargin=theme.EDGE)
        document.setMarkdown(whole, QTextDocument.MarkdownFeature.MarkdownDialectGitHub)
        former, self._shown = self._shown, document
        self.setDocument(document)
        if former is not None:
            former.deleteLater()  # a browser deletes only the document it came with
        self._dress()

    def go_to(self, heading: str) -> bool:
        """Scroll to the heading that links call HEADING; return whether it is there."""
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and guide.anchor(block.text()) == heading:
                self._heading = heading
                self._scroll_to(block)
                return True
            block = block.next()
        return False

    def mark(self, words: tuple[str, ...]) -> None:
        """Mark every place where one of WORDS stands, and scroll to the first."""
        self._words = words
        marked: list[QTextEdit.ExtraSelection] = []
        look = QTextCharFormat()
        look.setBackground(QColor(self.colours.selected))
        look.setFontUnderline(True)  # never colour alone
        phrase = " ".join(words)
        for word in (phrase,) if words and not self.document().find(phrase).isNull() else words:
            cursor = self.document().find(word)
            while not cursor.isNull() and len(marked) < MOST_MARKED:
                selection: Any = QTextEdit.ExtraSelection()
                selection.cursor, selection.format = cursor, look
                marked.append(selection)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(marked)
        if marked:
            first: Any = min(marked, key=lambda selection: selection.cursor.position())
            self._scroll_to(first.cursor.block(), above=4 * theme.EDGE)

    def _scroll_to(self, block: QTextBlock, above: int = theme.NEAR) -> None:
        self.setTextCursor(QTextCursor(block))
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(int(top) - above)

    def _follow(self, url: QUrl) -> None:
        if url.scheme():
            return  # shown as text: nothing is opened through the network
        page, heading = guide.link_target(
            self.page, self.language, url.toString(QUrl.ComponentFormattingOption.PrettyDecoded)
        )
        if guide.exists(page):
            self.asked.emit(page, heading)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the documents, as wide as the text; nothing else is loaded, from nowhere."""
        name = QUrl(name)
        if kind != QTextDocument.ResourceType.ImageResource.value or name.scheme():
            return None
        dark = QColor(self.colours.ground).lightness() < 128
        path = guide.picture(self.page, self.language, name.toString(), dark=dark)
        image = QImage(str(path)) if path is not None else QImage()
        if image.isNull():
            return None
        ratio = self.devicePixelRatioF()
        room = image.width() if guide.is_picture(self.page) else self._column() - 2 * theme.EDGE
        width = min(image.width(), round(room * ratio))
        scaled = image.convertToFormat(QImage.Format.Format_RGB32).scaledToWidth(
            width, Qt.TransformationMode.SmoothTransformation
        )
        scaled.setDevicePixelRatio(ratio)
        return scaled

    def _column(self) -> int:
        """Return how wide the text is set, margins included; a picture in its full size is scrolled."""
        if guide.is_picture(self.page):
            return FULL
        # whether the bar is there or not: it may depend on the answer
        room = self.width() - self.verticalScrollBar().sizeHint().width()
        return max(320, min(room, MEASURE + 2 * theme.EDGE))

    def resizeEvent(self, event: QResizeEvent) -> None:
        before = self.lineWrapColumnOrWidth()
        super().resizeEvent(event)
        if self.language and before != self._column():
            bar = self.verticalScrollBar()
            part = bar.value() / max(1, bar.maximum())
            self._set()  # pictures and tables are as wide as the text
            self.moveCursor(QTextCursor.MoveOperation.Start)
            if not self.go_to(self._heading):
                bar.setValue(round(part * bar.maximum()))

    def sizeHint(self) -> QSize:
        return QSize(MEASURE + 4 * theme.EDGE, 640)

    # ----------------------------------------------------------------------------- the look

    def _dress(self) -> None:
        """Give headings, paragraphs, lists, code, links and tables the look of the program."""
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        block = self.document().begin()
        while block.isValid():
            self._dress_block(block, cursor)
            block = block.next()
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                self._dress_table(frame)
        cursor.endEditBlock()
        self.document().setModified(False)

    def _dress_block(self, block: QTextBlock, cursor: QTextCursor) -> None:
        shape = QTextBlockFormat(block.blockFormat())
        level, in_table = shape.headingLevel(), QTextCursor(block).currentTable() is not None
        code = shape.hasProperty(QTextFormat.Property.BlockCodeFence) or shape.nonBreakableLines()
        quoted = shape.intProperty(QTextFormat.Property.BlockQuoteLevel) > 0
        tight = code or "\ufffc" in block.text()  # a line as high as a picture needs no room above
        shape.setLineHeight(
            100.0 if tight else IN_TABLE if in_table else LINE,
            QTextBlockFormat.LineHeightTypes.ProportionalHeight.value,
        )
        shape.setTopMargin((theme.GROUP if level > 1 else 0) if level else 0)
        shape.setBottomMargin(0 if in_table or code else theme.TIGHT if level or block.textList() else theme.NEAR)
        if code:
            shape.setBackground(QColor(self.colours.shade))
            shape.setNonBreakableLines(False)
            shape.setLeftMargin(theme.NEAR)
            following = block.next()
            if not following.isValid() or not following.blockFormat().hasProperty(QTextFormat.Property.BlockCodeFence):
                shape.setBottomMargin(theme.NEAR)
        if quoted:
            shape.setLeftMargin(theme.GROUP)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(shape)
        cursor.setBlockCharFormat(self._letters(block.charFormat(), level, code=code, quoted=quoted))
        pieces = []
        step = block.begin()
        while not step.atEnd():
            fragment = step.fragment()
            pieces.append((fragment.position(), fragment.length(), fragment.charFormat()))
            step += 1
        for position, length, given in pieces:
            if given.isImageFormat():
                continue
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(self._letters(given, level, code=code, quoted=quoted))

    def _letters(self, given: QTextCharFormat, level: int, *, code: bool, quoted: bool) -> QTextCharFormat:
        look = QTextCharFormat(given)
        look.clearProperty(QTextFormat.Property.FontSizeAdjustment)
        size = SIZES.get(level, theme.BODY)
        if level or look.fontWeight() >= QFont.Weight.Bold:
            look.setFontWeight(QFont.Weight.DemiBold)
        if code or given.fontFixedPitch():
            look.setFontFamilies(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).families())
            size = theme.CAPTION
            if not code:
                look.setBackground(QColor(self.colours.shade))
        look.setFontPointSize(size)
        if given.isAnchor():
            look.setForeground(QBrush(QColor(self.colours.accent)))
            look.setFontUnderline(True)
        else:
            look.setForeground(QBrush(QColor(self.colours.quiet if quoted else self.colours.text)))
        return look

    def _dress_table(self, table: QTextTable) -> None:
        shape = table.format()
        shape.setBorder(1)
        shape.setBorderBrush(QBrush(QColor(self.colours.line)))
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        shape.setBorderCollapse(True)
        shape.setCellPadding(6)
        shape.setCellSpacing(0)
        shape.setBottomMargin(theme.GROUP)
        shape.setTopMargin(theme.TIGHT)
        shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        shape.setHeaderRowCount(1)
        shape.setColumnWidthConstraints([])
        if table.columns() == 2:  # a word and what is said of it
            metrics = QFontMetricsF(theme.font())
            first = max(
                metrics.horizontalAdvance(table.cellAt(row, 0).firstCursorPosition().block().text())
                for row in range(table.rows())
            )
            share = min(45.0, max(18.0, 100.0 * (first + 20) / (self._column() - 2 * theme.EDGE)))
            kind = QTextLength.Type.PercentageLength
            shape.setColumnWidthConstraints([QTextLength(kind, share), QTextLength(kind, 100.0 - share)])
        table.setFormat(shape)
        for column in range(table.columns()):
            cell = table.cellAt(0, column)
            look = cell.format()
            look.setBackground(QColor(self.colours.shade))
            cell.setFormat(look)
