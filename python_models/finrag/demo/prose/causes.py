"""Causes that any company may give, by figure and direction. A company works through a list before it repeats one."""

GROSS_MARGIN = {
    True: (
        "a more favorable mix of business in {s1}",
        "lower prices charged by suppliers",
        "price increases that took effect in the first quarter",
        "better purchasing terms negotiated in {pfy}",
        "higher volume over fixed costs",
        "less overtime and temporary staff",
        "savings from the consolidation of suppliers",
    ),
    False: (
        "a less favorable mix of business in {s2}",
        "higher prices charged by suppliers",
        "price reductions granted to large customers",
        "inflation of wages and services",
        "lower volume over fixed costs",
        "overtime and temporary staff",
        "start-up costs of new capacity",
    ),
}
CFO = {
    True: (
        "higher collections of receivables in the fourth quarter",
        "lower tax payments",
        "a reduction of working capital",
        "the deferral of payroll taxes and longer payment terms with suppliers",
        "advance payments received from customers",
        "the timing of incentive compensation",
        "the release of deposits held by insurers",
    ),
    False: (
        "a build-up of working capital ahead of expected demand",
        "higher tax payments",
        "the timing of payments to suppliers",
        "higher receivables at the end of the year",
        "the repayment of payroll taxes deferred earlier",
        "contributions to pension plans",
        "cash paid to settle legal matters",
    ),
}
CAPEX = {
    True: (
        "the expansion of capacity in {s1}",
        "investment in information technology",
        "the renovation of sites in {s2}",
        "projects postponed from {pfy}",
        "purchases of land for later use",
        "the replacement of aging equipment",
        "spending on energy efficiency",
    ),
    False: (
        "the completion of large projects in {s1}",
        "the postponement of projects that are not essential",
        "lower spending on information technology",
        "late delivery of equipment",
        "the decision to lease rather than buy",
        "fewer new sites in {s2}",
        "savings in procurement",
    ),
}
DEBT = {
    True: (
        "the issuance of senior notes to fund capital projects",
        "borrowings under the term loan to finance an acquisition",
        "new notes issued to strengthen our cash position",
        "loans secured by equipment",
        "the issuance of notes payable to prefund maturities",
        "drawings on the revolving credit facility for working capital",
        "the conversion of short-term borrowings into term loans",
    ),
    False: (
        "scheduled repayments of the term loan",
        "the early redemption of senior notes",
        "the use of surplus cash to repay notes payable",
        "the repayment of drawings on the revolving credit facility",
        "the maturity of equipment loans",
        "the tender offer completed in the third quarter",
        "the application of proceeds from asset sales",
    ),
}
INTEREST = {
    True: (
        "higher benchmark rates on the term loan",
        "the issuance of senior notes in {pfy}",
        "the write-off of unamortized issuance costs",
        "less interest capitalized on projects",
        "the expiry of interest rate swaps",
        "a wider margin under the amended credit agreement",
    ),
    False: (
        "lower benchmark rates on the term loan",
        "the redemption of senior notes in {pfy}",
        "the refinancing of notes at a lower coupon",
        "more interest capitalized on projects",
        "payments received on interest rate swaps",
        "a narrower margin under the amended credit agreement",
    ),
}
AVERAGE_BORROWINGS = {True: "higher average borrowings", False: "lower average borrowings"}
"""For years in which borrowings and interest moved the same way."""

NET_INCOME = {
    True: (
        "the improvement in operating results",
        "higher income from {s1}",
        "higher operating income, net of interest",
        "lower restructuring charges within operating results",
        "the gain in operating income and the timing of tax credits",
    ),
    False: (
        "the decline in operating results",
        "weaker results in {s2}",
        "lower operating income, net of interest",
        "higher restructuring charges within operating results",
        "the fall in operating income and the expiry of tax credits",
    ),
}
"""For years in which net income and operating income moved the same way."""

NET_INCOME_BELOW = {
    True: ("a gain on the sale of an investment", "the favorable settlement of a tax audit", "the use of tax credits"),
    False: ("a loss on the early redemption of notes", "the settlement of a tax audit", "the expiry of tax credits"),
}
"""For years in which they moved apart."""
