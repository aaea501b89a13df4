"""Which adversary's profile is compared: a box that is there only where there are several."""

from __future__ import annotations

from dpwizard.charts import comparison
from dpwizard.decision import Assessment, Decision
from dpwizard.wording import explain
from ui.forms import ChoiceEditor


class AdversaryChoice(ChoiceEditor):
    """A box with the requirements whose profiles can be compared, by their names."""

    def __init__(self) -> None:
        words = (explain.word("chart", "which_adversary"), explain.word("chart", "which_adversary_help"))
        super().__init__(*words, (), optional=False)
        self.hide()
        self._offered: tuple[tuple[int, str], ...] = ()

    def offer(self, decision: Decision, assessment: Assessment) -> int:
        """List what DECISION holds; return the position of the requirement chosen, -1 with none to compare."""
        found = tuple(
            (i, explain.title(assessment.answers[i]))
            for i in comparison.comparable(decision)
            if i < len(assessment.answers)
        )
        before = self.box.currentData()
        if found != self._offered:
            self._offered = found
            self.box.clear()
            for index, words in found:
                self.box.addItem(words, index)
        places = [index for index, _ in found]
        chosen = before if before in places else next(iter(places), -1)
        self.show_value(chosen)
        self.setVisible(len(found) > 1)
        return int(chosen)
