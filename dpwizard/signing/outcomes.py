"""What a judgement comes to: passed, failed or undetermined, with the exit status that says the same.

Passed: as signed, every signer trusted here, and the policy met, if the record or the office names one. Failed:
changed, refused, not signed, or the policy broken. Undetermined: nothing speaks against it, and something could not be
checked: a signer is not trusted here, a file was not given, the policy named is not at hand.
"""

from __future__ import annotations

from typing import Literal

from dpwizard.messages import joined, message
from dpwizard.signing.findings import FAILED, PASSED, UNDETERMINED, Verification

Outcome = Literal["passed", "failed", "undetermined"]
STATUS: dict[Outcome, int] = {"passed": PASSED, "failed": FAILED, "undetermined": UNDETERMINED}
AGAINST = ("changed", "refused", "unsigned")


def concluded(found: Verification) -> Verification:
    """Return FOUND with its outcome, and with what is awaited or could not be determined in its sentence.

    To be called once, when every check was made: `awaited` and `open` are then whole.
    """
    outcome = _outcome(found)
    said = [found.sentence]
    if found.ok and found.open:
        said.append(message("Not determined: {names}.", names=joined(found.open, "; ")))
    if found.ok and found.awaited:
        said.append(message("Not complete: {names}.", names=joined(found.awaited, "; ")))
    return found.model_copy(
        update={
            "outcome": outcome,
            "exit_status": STATUS[outcome],
            "complete": not (found.missing or found.awaited or found.open),
            "sentence": joined(said) if len(said) > 1 else found.sentence,
        }
    )


def _outcome(found: Verification) -> Outcome:
    if found.verdict in AGAINST or found.awaited:
        return "failed"
    return "passed" if found.verdict == "trusted" and not (found.missing or found.open) else "undetermined"
