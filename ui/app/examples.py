"""The bundled examples in the order of their papers, each with what of the paper it shows and where in the window."""

from __future__ import annotations

from ui.widgets import tr

TITLES = {  # as each names itself: reading twenty files for them would delay the first page
    "redistricting_units": "Redistricting data of the 2020 Census: housing units in the United States",
    "symptom_trends": "COVID-19 Search Trends of symptoms, from 2020",
    "broadband_counts": "Broadband usage by ZIP code, 2021",
    "energy_study": "Use of electricity during the blackouts in California, 2020",
    "durham_conflict": "Infant deaths in Durham County, 2020: a stricter profile",
    "kazan_reiter_figure_1": "Kazan & Reiter 2024, Figure 1: two agencies",
    "kazan_reiter_table_1_a": "Kazan & Reiter 2024, Table 1: Agency A",
    "kazan_reiter_table_1_b": "Kazan & Reiter 2024, Table 1: Agency B",
    "kazan_reiter_table_1_c": "Kazan & Reiter 2024, Table 1: Agency C",
    "kazan_reiter_figure_3": "Kazan & Reiter 2024, Figure 3: three agencies on presence",
    "kazan_reiter_figure_4": "Kazan & Reiter 2024, Figure 4: three agencies on a value",
    "kazan_reiter_table_4": "Kazan & Reiter 2024, Table 4: the closed forms",
    "kazan_reiter_table_5_a": "Kazan & Reiter 2024, Table 5: Agency A",
    "kazan_reiter_table_5_b": "Kazan & Reiter 2024, Table 5: Agency B",
    "kazan_reiter_table_5_c": "Kazan & Reiter 2024, Table 5: Agency C",
    "kazan_reiter_figure_5": "Kazan & Reiter 2024, Figure 5: both beliefs at once",
    "dandekar_figure_1": "Dandekar, Basu & Bressan 2021, Figures 1 to 3: privacy at risk",
    "dandekar_figure_5": "Dandekar, Basu & Bressan 2021, Figure 5: three hundred releases",
    "dandekar_figure_6": "Dandekar, Basu & Bressan 2021, Figures 6 and 7: a regression",
    "pankova_laud_cafeteria": "Pankova & Laud 2022: how long Alice eats",
    "bon_persuasion": "Bon, Bailie, Rousseau & Robert 2025: how far a prediction may be moved",
    "bon_exact_mean": "Bon, Bailie, Rousseau & Robert 2025: a mean without noise",
}


def from_papers() -> dict[str, tuple[str, str]]:
    """Return the other examples in the order of their papers: the title of each, and what it shows in which step."""
    shown = {
        "redistricting_units": tr("Six levels: step 6, what a move within each of them reveals, as certified"),
        "symptom_trends": tr("1.68 a day in decimal shares: step 6, from a chance before of 1 in 100"),
        "broadband_counts": tr("Four counts, with each user in two of them: step 6, two times 0.1"),
        "energy_study": tr("Gaussian and other noise together: step 1, what sampling hides"),
        "durham_conflict": tr("The same with a stricter profile: step 6, changes that give an allowed range"),
        "kazan_reiter_figure_1": tr("Figure 1: step 3, the profile of each agency"),
        "kazan_reiter_table_1_a": tr("Table 1, agency A: step 6, other profiles"),
        "kazan_reiter_table_1_b": tr("Table 1, agency B: step 6, other profiles"),
        "kazan_reiter_table_1_c": tr("Table 1, agency C: step 6, other profiles"),
        "kazan_reiter_figure_3": tr("Figure 3: step 3, the profile of each agency"),
        "kazan_reiter_figure_4": tr("Figure 4: step 3, the profile of each agency"),
        "kazan_reiter_table_4": tr("Table 4: step 3, a card for each closed form"),
        "kazan_reiter_table_5_a": tr("Table 5, agency A: step 3, the profile"),
        "kazan_reiter_table_5_b": tr("Table 5, agency B: step 3, the profile"),
        "kazan_reiter_table_5_c": tr("Table 5, agency C: step 3, the profile"),
        "kazan_reiter_figure_5": tr("Figure 5: step 3, the profile for both chances before"),
        "dandekar_figure_1": tr("Figures 1 to 3: step 4, level and confidence (box “View”)"),
        "dandekar_figure_5": tr("Figure 5 and Table 1: step 4, what many releases lose (box “View”)"),
        "dandekar_figure_6": tr("Section 6, on synthetic records: step 4, level and confidence"),
        "pankova_laud_cafeteria": tr("18 to 22 minutes, from 25 to 30 in 100: step 3, a right guess"),
        "bon_persuasion": tr("Three scores: step 3, how far a prediction may improve"),
        "bon_exact_mean": tr("Proposition 7: step 3, a mean without noise"),
    }
    return {name: (TITLES[name], note) for name, note in shown.items()}


def known() -> dict[str, tuple[str, str]]:
    """Return the examples that need no paper to be understood: what each is, and its question, translated."""
    return {
        "durham": (
            tr("How many infants died in a county"),
            tr("Can a county publish this count without exposing a family, and still check its health target?"),
        ),
        "gaussian_clinic": (
            tr("Eight counts of a clinic"),
            tr("A limit for each patient that may fail rarely: how rarely, and what noise is enough?"),
        ),
        "dandekar_health_centre": (
            tr("The health centre of a university"),
            tr("What would it cost if someone were identified, and what is it worth to prevent it?"),
        ),
        "employment_outcomes": (
            tr("What graduates earn"),
            tr("No budget was ever published: what does that say about their privacy?"),
        ),
        "redistricting_persons": (
            tr("A census: where to draw the lines of districts"),
            tr("65 tables on six levels: what do they reveal together about a place, and about a person’s origin?"),
        ),
        "household_tables": (
            tr("A census: households by origin"),
            tr("Margins of error were set: which budget do they need?"),
        ),
        "page_views": (
            tr("Which pages are read in which country, every day"),
            tr("Each day is protected. What about someone who reads every day?"),
        ),
        "mobility_reports": (
            tr("How people moved in the pandemic"),
            tr("2.64 a day: what can one person lose over 1,019 days?"),
        ),
    }
