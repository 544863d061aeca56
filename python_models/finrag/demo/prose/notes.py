"""Item 8: the auditor's report, accounting policies that are repeated verbatim, and notes with the year's figures."""

AUDITOR = (
    "We have audited the accompanying consolidated balance sheets and the related statements of income, comprehensive "
    "income, equity and cash flows.",
    "In our opinion, the financial statements present fairly, in all material respects, the financial position of the "
    "Company in conformity with accounting principles generally accepted in the United States of America.",
    "We conducted our audits in accordance with the standards of the Public Company Accounting Oversight Board.",
)
POLICIES = (
    "The consolidated financial statements include the accounts of the Company and its wholly owned subsidiaries.",
    "Intercompany balances and transactions have been eliminated.",
    "The preparation of financial statements requires management to make estimates and assumptions.",
    "Highly liquid investments with maturities of three months or less are considered cash equivalents.",
    "Property and equipment are stated at cost and depreciated on the straight-line method over their useful lives.",
    "Goodwill is tested for impairment annually and whenever events indicate that it may be impaired.",
    "Long-lived assets are reviewed for impairment when their carrying amounts may not be recoverable.",
    "Deferred tax assets are reduced by a valuation allowance when it is more likely than not that they will not be "
    "realized.",
    "Stock-based compensation is measured at the grant date and recognized over the vesting period.",
    "Fair value is the price that would be received to sell an asset in an orderly transaction between market "
    "participants.",
    "Level 1 inputs are quoted prices in active markets for identical assets or liabilities.",
    "Level 3 inputs are unobservable and are supported by little or no market activity.",
    "Advertising costs are expensed as incurred.",
    "Loss contingencies are accrued when a loss is probable and can be reasonably estimated.",
    "Leases are recognized on the balance sheet as right-of-use assets and lease liabilities.",
    "Diluted earnings per share reflect the potential dilution from stock options and restricted stock.",
    "Certain amounts of prior years have been reclassified to conform to the current presentation.",
    "Recently issued accounting standards are not expected to have a material effect on our financial statements.",
)
CROSS_REFERENCES = (
    "See Note 4 to the consolidated financial statements.",
    "Refer to Note 5 for further information.",
    "See Note 6, Commitments and Contingencies.",
    "Additional information is provided in Note 3.",
)

REVENUE = (
    "Receivables from contracts with customers were [[6.1-13.9%rev]] at {year_end}, compared with [[<1]] at "
    "{prior_year_end}.",
    "Contract liabilities were [[1.1-6.4%rev]] at {year_end}, of which we expect to recognize [[61.0-94.0]]% within a "
    "year.",
    "The allowance for doubtful accounts was [[0.1-0.6%rev]] at {year_end}, compared with [[<1]] a year earlier.",
    "No customer other than those named in Item 1 exceeded [[8.0-10.0]]% of receivables at {year_end}.",
)
PROPERTY = (
    "Land, buildings and equipment had a cost of [[44.0-71.0%rev]] and accumulated depreciation of [[18.0-33.0%rev]] "
    "at "
    "{year_end}.",
    "Construction in progress was [[0.6-4.4%rev]] at {year_end}, compared with [[<1]] a year earlier.",
    "Depreciation expense was {depreciation:m} in {fy} and {depreciation.prior:m} in {pfy}.",
)
GOODWILL = (
    "Goodwill was [[6.0-14.0%rev]] at {year_end}, and no impairment was recorded in {fy}.",
    "Amortization of intangible assets was [[0.3-1.4%rev]] in {fy} compared with [[<1]] in {pfy}.",
    "The fair value of the reporting unit with the smallest margin exceeded its carrying amount by [[11.0-46.0]]% in "
    "{fy}.",
)
LEASES = (
    "Operating lease cost was [[0.5-3.1%rev]] in {fy} compared with [[<1]] in {pfy}.",
    "The weighted average remaining lease term was [[4.1-9.8]] years at {year_end}.",
    "The weighted average discount rate of our leases was [[2.9-6.4]]% at {year_end}.",
)
DEBT = (
    "Long-term debt consisted of senior notes, a term loan and notes payable and amounted to {debt:m} at {year_end}.",
    "The notes payable bear interest at fixed rates between [[2.10-3.90]]% and [[4.10-6.90]]%.",
    "The term loan bore interest at [[1.60-7.20]]% at {year_end}, compared with [[<1]]% a year earlier.",
    "Interest paid was [[88.0-104.0]]% of interest expense in {fy}, which was {interest:m}.",
    "The estimated fair value of the notes was [[93.0-108.0]]% of their carrying amount at {year_end}.",
    "Unamortized issuance costs were [[0.2-0.9%debt]] at {year_end}.",
    "Maturities in {next_year} come to [[1.0-8.0%debt]].",
)
EQUITY = (
    "Unrecognized cost of unvested restricted stock was [[0.7-2.3%rev]] at {year_end}.",
    "We granted [[0.3-2.8]] million restricted stock units in {fy} at a weighted average fair value of "
    "$[[18.20-96.40]].",
    "Options to purchase [[0.2-3.1]] million shares were outstanding at {year_end}.",
    "Weighted average diluted shares were {shares} in {fy} and {shares_prior} in {pfy}.",
    "Accumulated other comprehensive loss was [[0.2-1.9%rev]] at {year_end}, compared with [[<1]] a year earlier.",
)
TAX = (
    "The provision for income taxes differed from the statutory rate of 21% by [[0.4-3.9]] percentage points in {fy}.",
    "Unrecognized tax benefits were [[0.1-0.9%rev]] at {year_end}, compared with [[<1]] at {prior_year_end}.",
    "State loss carryforwards of [[0.4-3.2%rev]] expire between {next_year} and 2041.",
    "Income taxes paid were [[0.4-2.1%rev]] in {fy}.",
)
BENEFITS = (
    "Contributions to defined contribution plans were [[0.2-1.1%rev]] in {fy} compared with [[<1]] in {pfy}.",
    "The discount rate used for the pension obligation was [[2.5-5.3]]% at {year_end}.",
    "The expected return on plan assets was [[4.9-7.2]]% in {fy}.",
)
SEGMENTS = (
    "Segment {part_rev} {rev_was} {s1_revenue:m} in {s1}, {s2_revenue:m} in {s2} and {s3_revenue:m} in {s3} in {fy}.",
    "{s1} employed [[38.0-61.0]]% of our assets at {year_end}.",
    "Long-lived assets outside the United States were [[2.0-23.0]]% of the total at {year_end}.",
)
COMMITMENTS = (
    "Purchase commitments for goods and services were [[2.1-9.7%rev]] at {year_end}.",
    "The amount accrued for legal matters was [[0.1-0.7%rev]] at {year_end}, compared with [[<1]] a year earlier.",
    "Reasonably possible losses in excess of accruals range up to [[0.1-0.9%rev]] at {year_end}.",
    "Self-insurance reserves were [[0.3-1.8%rev]] at {year_end}.",
)
QUARTERS = (
    "The fourth quarter of {fy} produced [[23.0-31.0]]% of annual {rev}.",
    "Quarterly results of {fy} include a charge of $[[0.8-7.7]] million for severance.",
)
SUBSEQUENT = (
    "On a date [[11-52]] days after {year_end}, the board of directors declared a quarterly dividend.",
    "We evaluated events through the date of filing, [[41-72]] days after {year_end}.",
)
TABLE_LINES = (
    "In millions, except per share data: {rev} {revenue:x}; operating income {operating_income:x}; net income "
    "{net_income:x}; diluted earnings per share {eps:abs}.",
    "(In thousands) {Rev} {revenue:k}, cost {cost_of_revenue:k} and net income {net_income:k} for the year ended "
    "{year_end}.",
)
"""Lines as they are left when a table is flattened; for profitable years only, because they carry no signs."""
