"""Item 1: what companies say about people, information and forward-looking statements."""

FORWARD_LOOKING = (
    "This report contains forward-looking statements within the meaning of the Private Securities Litigation Reform "
    "Act "
    "of 1995.",
    "Words such as “expect,” “plan,” “believe” and “may” identify forward-looking statements.",
    "Actual results could differ materially from those projected, for reasons that include the risks described in Item "
    "1A.",
)
AVAILABLE_INFORMATION = (
    "Our annual, quarterly and current reports are available free of charge on our website soon after they are filed.",
    "The SEC maintains a website that contains reports, proxy statements and other information.",
)
PEOPLE_YEARLY = (
    "We employed {employees:,} people at {year_end}, compared with {employees_prior:,} a year earlier.",
    "Women made up [[31.0-52.0]]% of our managers at {year_end}.",
    "Employees completed an average of [[11-34]] hours of training in {fy}.",
    "The rate of recordable injuries was [[0.6-4.9]] per 200,000 hours worked in {fy}, compared with [[<1]] in {pfy}.",
    "In our {fy} survey, [[68.0-88.0]]% of employees said that they would recommend us as an employer.",
    "About [[22.0-71.0]]% of eligible employees took part in the stock purchase plan in {fy}.",
)
PEOPLE = ("We offer health insurance, retirement plans and paid leave to full-time employees.",)
MARKET_YEARLY = (
    "We estimate that the markets in which we sell grew by [[1.1-8.9]]% in {fy}.",
    "Expenditures for advertising were [[0.3-2.9%rev]] in {fy} compared with [[<1]] in {pfy}.",
    "Energy used in our facilities fell by [[1.2-6.8]]% per unit of output in {fy}.",
    "Emissions under our direct control were [[3.0-19.0]]% below their level of 2015 at {year_end}.",
    "We bought goods and services from [[3100-9900]] suppliers in {fy}.",
)
