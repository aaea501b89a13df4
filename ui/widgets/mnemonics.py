"""Words for buttons and menus."""


def unmnemonic(words: str) -> str:
    """Return WORDS for a button or menu, where a single & would underline the next letter and vanish."""
    return words.replace("&", "&&")
