"""Item 7 around the figures: introduction, critical estimates and outlook."""

INTRODUCTION = (
    "The following discussion should be read in conjunction with the consolidated financial statements in Item 8 of "
    "this report.",
    "It contains forward-looking statements, which are subject to the risks described in Item 1A.",
)
CRITICAL_ESTIMATES = (
    "Critical accounting estimates are those that require difficult judgments and are important to our results.",
    "Estimates of future cash flows used in impairment tests depend on assumptions about growth and discount rates.",
    "The recognition of deferred tax assets requires judgment about future taxable income.",
    "Accruals for legal matters are based on the advice of counsel and may change as matters develop.",
    "Useful lives of property and equipment are reviewed each year.",
    "Actual results may differ from these estimates.",
)
OUTLOOK_YEARLY = (
    "For {nfy} we expect the markets in which we sell to grow by between [[1.0-3.0]]% and [[4.0-9.0]]%.",
    "We expect cost inflation of about [[1.5-6.5]]% in {nfy}.",
    "Planned savings for {nfy} amount to [[0.2-1.3%rev]], compared with [[<1]] planned for {fy}.",
    "We expect an effective tax rate between [[19.0-21.0]]% and [[22.0-26.0]]% in {nfy}.",
)
OVERVIEW_YEARLY = (
    "During {fy} we added [[2-9]] measures to our strategic plan, which will cost [[0.1-0.8%rev]] to carry out.",
    "Productivity measures completed in {fy} saved [[0.1-0.9%rev]], compared with [[<1]] in {pfy}.",
)
REFERENCES = (
    "See Item 1A for risks that may affect these results.",
    "See Note 2 to the consolidated financial statements for our accounting policies.",
)
STUB = (
    "The information required by this Item is incorporated by reference to the section entitled Management's "
    "Discussion and "
    "Analysis in our {year} Annual Report to Shareholders, filed as Exhibit 13.1.",
)
