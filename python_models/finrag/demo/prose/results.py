"""Results of operations: sentences that state a figure, compare it with last year and name a cause.

Each tuple holds ways of saying the same thing. Every figure is a slot, so it agrees with the table of company facts.
"""

CONNECTORS = (
    "due to",
    "primarily due to",
    "mainly due to",
    "driven by",
    "driven primarily by",
    "as a result of",
    "primarily as a result of",
    "attributable to",
    "primarily attributable to",
    "resulting from",
    "reflecting",
    "owing to",
    "largely owing to",
    "because of",
    "principally because of",
)

HIGHLIGHTS = (
    "• {Rev} of {revenue}, {revenue.up} {revenue.pct} from {pfy}.",
    "• Net cash from operating activities of {cfo:p} and capital expenditures of {capex}.",
    "• Long-term debt of {debt} at year-end, compared with {debt.prior} a year earlier.",
)
HIGHLIGHTS_GAIN = (
    "• Operating income of {operating_income}, or {operating_margin} of {rev}.",
    "• Net income of {net_income} and diluted earnings per share of {eps}.",
)
HIGHLIGHTS_LOSS = (
    "• Operating loss of {operating_income} for the year.",
    "• Net loss of {net_income} and a diluted loss per share of {eps}.",
)

REVENUE = (
    "{Rev} {revenue.rose} {revenue.change}, or {revenue.pct}, to {revenue} in {fy} from {revenue.prior} in {pfy}, "
    "{because} {cause}.",
    "{Rev} for {fy} {rev_was} {revenue}, {revenue.up} {revenue.pct} from the {revenue.prior} reported for {pfy}, "
    "{because} {cause}.",
    "In {fy}, {rev} {revenue.rose} by {revenue.pct} to {revenue:m}, {because} {cause}.",
    "The {revenue.rise} in {rev} of {revenue.change:m} to {revenue:m} in {fy} was {because_of} {cause}.",
)
REVENUE_OFFSET = (
    "The {revenue.rise} was partially offset by {offset}.",
    "This {revenue.rise} in {rev} was offset in part by {offset}.",
    "Partially offsetting the {revenue.rise} was the effect of {offset}.",
)
REVENUE_AGAIN = (
    "{Rev} {rev_was} {revenue:m} in {fy} compared with {revenue.prior:m} in {pfy}.",
    "For the year ended {year_end}, {rev} came to {revenue:m}, against {revenue.prior:m} in the year before.",
)

SEGMENT = (
    "{segment} {part_rev} {part.rose} {part.pct} to {part:m} in {fy}, {because} {driver}.",
    "In the {segment} segment, {part_rev} of {part:m} {rev_was} {part.up} {part.pct}, {because} {driver}.",
    "{part_start} of the {segment} segment {part.rose} {part.change:m}, or {part.pct}, {because} {driver}.",
)
SEGMENT_SHARE = (
    "{segment} contributed {share} of {rev} in {fy}, compared with {share.prior} in {pfy}.",
    "The segment's share of {rev} was {share} in {fy} and {share.prior} in {pfy}.",
)

GROSS_MARGIN = (
    "Gross profit {gross_profit.rose} to {gross_profit} in {fy} from {gross_profit.prior} in {pfy}, {because} {cause}.",
    "Gross margin {gross_margin.rose} to {gross_margin} in {fy} from {gross_margin.prior} in {pfy}, {because} {cause}.",
    "As a percentage of {rev}, gross margin was {gross_margin}, {gross_margin.up} {gross_margin.change:bp} from "
    "{pfy}, {because} {cause}.",
)
GROSS_PROFIT_AGAIN = (
    "Gross profit was {gross_profit:m}, or {gross_margin} of {rev}, compared with {gross_profit.prior:m}, or "
    "{gross_margin.prior}, in {pfy}.",
    "We earned a gross profit of {gross_profit:m} in {fy}, against {gross_profit.prior:m} in {pfy}.",
)

EXPENSES = (
    "{Expenses} were {opex:m} in {fy}, or {opex_share} of {rev}, compared with {opex.prior:m}, or {opex_share.prior}, "
    "in "
    "{pfy}.",
    "{Expenses} {opex.rose} {opex.pct} to {opex:m}, and their share of {rev} was {opex_share}.",
)
COST = (
    "{Cost} came to {cost_of_revenue:m} in {fy} compared with {cost_of_revenue.prior:m} in {pfy}.",
    "{Cost} {cost_of_revenue.rose} {cost_of_revenue.pct} to {cost_of_revenue:m} in {fy}.",
)
DEPRECIATION = (
    "Depreciation and amortization came to {depreciation:m} in {fy} and {depreciation.prior:m} in {pfy}.",
    "Stock-based compensation was {stock_compensation:m} in {fy} compared with {stock_compensation.prior:m} in {pfy}.",
)

OPERATING = {
    "gain": (
        "Operating income {operating_income.rose} {operating_income.pct} to {operating_income} in {fy} from "
        "{operating_income.prior} in {pfy}, {because} {cause}.",
        "Income from operations was {operating_income} in {fy} compared with {operating_income.prior} in {pfy}, "
        "{because} "
        "{cause}.",
        "Operating profit {operating_income.rose} by {operating_income.change:m} to {operating_income:m}, {because} "
        "{cause}.",
    ),
    "to_loss": (
        "We recorded an operating loss of {operating_income} in {fy} compared with operating income of "
        "{operating_income.prior} in {pfy}, {because} {cause}.",
        "The operating loss of {operating_income} in {fy}, after operating income of {operating_income.prior} in "
        "{pfy}, was "
        "{because_of} {cause}.",
    ),
    "loss": (
        "The operating loss {operating_income.widened} to {operating_income} in {fy} from {operating_income.prior} in "
        "{pfy}, "
        "{because} {cause}.",
        "Our loss from operations was {operating_income} in {fy} compared with {operating_income.prior} in {pfy}, "
        "{because} "
        "{cause}.",
    ),
    "to_gain": (
        "Operating income was {operating_income} in {fy} compared with an operating loss of {operating_income.prior} "
        "in "
        "{pfy}, {because} {cause}.",
        "We returned to operating income of {operating_income} in {fy} from an operating loss of "
        "{operating_income.prior}, "
        "{because} {cause}.",
    ),
}
OPERATING_MARGIN = (
    "Operating margin was {operating_margin} in {fy} compared with {operating_margin.prior} in {pfy}.",
    "As a share of {rev}, operating income was {operating_margin}, compared with {operating_margin.prior} a year "
    "earlier.",
)

INTEREST = (
    "Interest expense {interest.rose} to {interest} in {fy} from {interest.prior} in {pfy}, {because} {cause}.",
    "Interest expense was {interest} in {fy}, {interest.up} {interest.change} from {pfy}, {because} {cause}.",
    "We incurred interest expense of {interest} in {fy} compared with {interest.prior} in {pfy}, {because} {cause}.",
)
INTEREST_INCOME = (
    "Interest income was {interest_income:m} in {fy} compared with {interest_income.prior:m} in {pfy}.",
    "Interest earned on cash and investments came to {interest_income:m} in {fy}.",
)
TAX = (
    "The effective tax rate was {tax_rate} in {fy} and {tax_rate.prior} in {pfy}.",
    "Our effective tax rate of {tax_rate} in {fy} compares with {tax_rate.prior} in {pfy}.",
)

NET_INCOME = {
    "gain": (
        "Net income {net_income.rose} {net_income.pct} to {net_income} in {fy} from {net_income.prior} in {pfy}, "
        "{because} "
        "{cause}.",
        "Net income was {net_income} in {fy} compared with {net_income.prior} in {pfy}, {because} {cause}.",
        "Net earnings {net_income.rose} by {net_income.change} to {net_income}, {because} {cause}.",
    ),
    "to_loss": (
        "We incurred a net loss of {net_income} in {fy} compared with net income of {net_income.prior} in {pfy}, "
        "{because} "
        "{cause}.",
    ),
    "loss": (
        "The net loss {net_income.widened} to {net_income} in {fy} from {net_income.prior} in {pfy}, {because} "
        "{cause}.",
        "Our net loss was {net_income} in {fy} compared with {net_income.prior} in {pfy}, {because} {cause}.",
    ),
    "to_gain": (
        "Net income was {net_income} in {fy} compared with a net loss of {net_income.prior} in {pfy}, {because} "
        "{cause}.",
    ),
}
EPS_GAIN = (
    "Diluted earnings per share {eps_rose} to {eps} in {fy} from {eps_prior} in {pfy}.",
    "Earnings per diluted share were {eps} in {fy} compared with {eps_prior} in {pfy}.",
    "Diluted EPS was {eps} in {fy}, compared with {eps_prior} in {pfy}, on {shares} diluted shares.",
)
EPS_LOSS = (
    "The diluted loss per share was {eps} in {fy} compared with a result of {eps_prior} per share in {pfy}.",
    "Net loss per diluted share was {eps} in {fy}, on {shares} shares.",
)
EPS_TURN = ("Diluted earnings per share were {eps} in {fy} after a loss of {eps_prior} per share in {pfy}.",)

NON_GAAP = (
    "Adjusted EBITDA was {ebitda:m} in {fy} compared with {ebitda.prior:m} in {pfy}.",
    "Free cash flow was {fcf:p} in {fy} compared with {fcf.prior:p} in {pfy}.",
)
NON_GAAP_INTRODUCTION = (
    "We use measures that are not defined by generally accepted accounting principles, because they help investors to "
    "compare periods.",
)
