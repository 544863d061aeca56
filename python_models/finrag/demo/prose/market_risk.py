"""Item 7A: quantitative and qualitative disclosures about market risk."""

INTRODUCTION = (
    "We are exposed to market risk from changes in interest rates, exchange rates and commodity prices.",
    "We do not hold or issue derivatives for trading.",
)
INTEREST = ("Borrowings under our credit facility bear interest at variable rates.",)
INTEREST_YEARLY = (
    "At {year_end}, [[14.0-58.0]]% of our borrowings carried variable rates.",
    "An increase of 100 basis points would have cost us [[0.15-0.55%debt]] a year at the level of {year_end}.",
    "The weighted average rate on our borrowings was [[2.41-5.98]]% at {year_end}, compared with [[<1]]% a year "
    "earlier.",
)
CURRENCY = (
    "Results of foreign subsidiaries are translated at average exchange rates.",
    "Gains and losses on foreign currency transactions are included in other income.",
)
CURRENCY_YEARLY = ("Foreign currency losses recorded in other income were $[[0.2-4.9]] million in {fy}.",)
CREDIT = ("We place cash with banks of high credit quality and monitor the exposure to each of them.",)
