"""What a risk profile accepts, in an officer's terms: the highest chances after a small and a large prior."""

from __future__ import annotations

from dpwizard.privacy.profiles import Shape
from dpwizard.wording.texts import format_text

SMALL, LARGE = 0.01, 0.5  # beliefs that people picture; the nearest that were asked about stand for them
Range = float | tuple[float, float]
CERTAIN = 1.0 - 1e-9


def accepted(profile: Shape, p: Range, q: Range) -> str:
    """Return what PROFILE accepts that 1 in 100 and 1 in 2 become, or the nearest priors within the range asked about.

    Arguments: p, the chance that the person is in the data; q, that of the sensitive value; numbers in [0, 1] or
    ranges. A belief is the product of both. Chances after the release are rounded up, as wherever this profile is said:
    they stay at most what is said. Raises InvalidInput where the profile is not answered.
    """
    (least_p, most_p), (least_q, most_q) = (one if isinstance(one, tuple) else (one, one) for one in (p, q))
    small, large = (min(max(each, least_p * least_q), most_p * most_q) for each in (SMALL, LARGE))
    sentences = []
    for belief in dict.fromkeys((small, large)):
        in_data = min(max(belief / most_q, least_p), most_p) if most_q > 0.0 else most_p
        value = belief / in_data if in_data > 0.0 else most_q
        after = profile.ratio_at(in_data, value) * belief
        key = "anything" if not after < CERTAIN else "at_most"
        figures = {"before": belief, "after": min(after, 1.0)}
        sentences.append(format_text("accepted", key, figures))
    if len(sentences) == 1:
        return format_text("accepted", "one", {"first": sentences[0]})
    return format_text("accepted", "two", {"first": sentences[0], "second": sentences[1]})
