"""Signing, verifying and keeping records in the window."""

from ui.signing.export_dialog import ExportDialog
from ui.signing.letterhead import LetterheadForm
from ui.signing.policy_card import PolicyCard
from ui.signing.preview import PreviewDialog
from ui.signing.record_choices import EarlierChoice, Superseded
from ui.signing.sign_form import SignForm
from ui.signing.withheld import Withheld

__all__ = [
    "EarlierChoice",
    "ExportDialog",
    "LetterheadForm",
    "PolicyCard",
    "PreviewDialog",
    "SignForm",
    "Superseded",
    "Withheld",
    "preview",
]
