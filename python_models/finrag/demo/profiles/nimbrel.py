"""Nimbrel Software: subscriptions for planning and field service, with a fiscal year that ends in June."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="nimbrel",
    cik=9000006,
    name="Nimbrel Software, Inc.",
    ticker="NMSW",
    exchange="NASDAQ",
    sic="7372",
    industry="software",
    state="DE",
    location="OR",
    city="Cinder Falls, Oregon",
    founded=2003,
    year_end=(6, 30),
    layout="hf",
    heading="own",
    revenue="Total revenue",
    revenue_plural=False,
    cost="Cost of revenue",
    expenses="Sales, marketing and administrative expenses",
    money_style="m",
    straight_quotes=True,
    shape=Shape(
        revenue_2017=5_204,
        growth=(2_412, 2_263, 1_981, 1_743, 1_592, 1_128),
        gross=(7_423, 7_506, 7_581, 7_642, 7_693, 7_728, 7_814),
        operating=(413, 562, 721, 994, 1_283, 1_148, 1_417),
        research=1_980,
        depreciation=430,
        capex=(310, 340, 360, 280, 240, 260, 230),
        working_capital=(680, 740, 720, 810, 760, 640, 590),
        tax=1_790,
        debt_2017=2_300,
        debt_moves=(0, 1_150, -250, 0, 2_000, -500),
        rate=(188, 192, 241, 236, 201, 264, 312),
        shares=(948, 961, 969, 981, 992, 986, 974),
        pays_dividends=False,
    ),
    segments=(
        Segment(
            "Planning Cloud",
            5_510,
            90,
            (
                "new customers and the expansion of existing subscriptions",
                "the migration of on-premises customers to the cloud",
                "higher renewal rates among large enterprises",
            ),
            ("longer sales cycles", "fewer seats at renewal", "the loss of a government customer"),
        ),
        Segment(
            "Field Service",
            2_780,
            40,
            (
                "the acquisition of Routewise and new utility customers",
                "more technicians per customer",
                "the release of the mobile offline edition",
            ),
            ("fewer technicians per customer", "delayed deployments", "the end of a reseller agreement"),
        ),
        Segment(
            "Services and Support",
            1_710,
            -130,
            (
                "larger deployments for enterprise customers",
                "higher demand for training",
                "premium support contracts",
            ),
            (
                "the shift of implementation work to partners",
                "the decline of maintenance on perpetual licenses",
                "deployments carried out remotely",
            ),
        ),
    ),
    series={
        "customers": (2_310, 2_740, 3_190, 3_620, 4_080, 4_510, 4_790),
        "large_customers": (212, 268, 331, 402, 489, 568, 624),
        "retention_rate": (111, 112, 113, 112, 114, 111, 107),
        "employees": (2_140, 2_490, 2_870, 3_120, 3_540, 4_080, 3_910),
        "arr": ("548.2", "681.9", "836.4", "1,001.7", "1,174.9", "1,352.6", "1,498.3"),
        "availability": ("99.93", "99.95", "99.91", "99.97", "99.96", "99.98", "99.97"),
        "partners": (140, 166, 189, 214, 238, 251, 263),
    },
    revenue_causes=(
        "new subscriptions for Planning Cloud and the expansion of existing contracts",
        "the acquisition of Routewise in September 2018 and growth in enterprise customers",
        "higher renewal rates and the migration of on-premises customers",
        "demand for remote planning tools during the pandemic",
        "growth in customers with contracts above $500,000 a year",
        "price increases at renewal and the sale of forecasting modules",
    ),
    revenue_offsets=(
        "lower maintenance on perpetual licenses",
        "the shift of implementation work to partners",
        "delayed deployments in the fourth quarter",
        "fewer training courses held on site",
        "a stronger dollar",
        "longer sales cycles in Europe",
    ),
    operating_causes=(
        "growth in subscription revenue on a largely fixed cost of hosting",
        "lower hosting cost per customer after the move to a second provider",
        "slower hiring in the fourth quarter",
        "savings on travel, events and office space",
        "higher gross profit, partly reinvested in the sales force",
        "the workforce reduction announced in November 2022",
    ),
    business=(
        "{name} sells software for supply and workforce planning and for the management of field technicians.",
        "Customers subscribe to our cloud products, usually for three years with annual billing in advance.",
        "Planning Cloud forecasts demand and assigns people, stock and machines to it.",
        "Field Service schedules technicians and guides them on the job, with or without a connection.",
        "We release new versions to all customers three times a year.",
        "Hosting is provided by two operators of public clouds in nine regions.",
        "Partners carry out most implementation projects.",
        "We protect our source code by copyright, trade secret law and agreements with employees.",
        "Competition comes from large vendors of enterprise suites and from specialists in each of our markets.",
        "We have been profitable under generally accepted accounting principles since fiscal 2015.",
    ),
    business_yearly=(
        "We had {customers:,} customers at {year_end}, of which {large_customers} paid more than $500,000 a year.",
        "Our network comprised {partners} implementation partners at {year_end}.",
        "The availability of our cloud products was {availability}% in {fy}.",
        "Customers outside the United States generated [[31.0-38.0]]% of {rev} in {fy}.",
        "Research staff made up [[33.0-38.0]]% of our employees at {year_end}.",
    ),
    risks=(
        RiskFactor(
            "cybersecurity_tech",
            "A security breach or an outage of our cloud products would harm our customers and our reputation.",
            (
                "Attackers who enter our systems could read or alter the plans of thousands of companies.",
                "Vulnerabilities in open source components are found every year, and some reach us before they are "
                "patched.",
                "An outage at either hosting provider would stop our service in the regions that it serves.",
                "Customers may be entitled to credits, and may terminate, if availability falls below our commitments.",
            ),
        ),
        RiskFactor(
            "market_competitive",
            "Larger vendors bundle planning software with suites that our customers already own.",
            (
                "A competitor may offer a module similar to Planning Cloud at no additional price.",
                "New entrants use artificial intelligence to automate tasks for which our customers pay us per user.",
                "If renewal rates fall, growth will suffer for years because subscriptions are recognized over time.",
            ),
        ),
        RiskFactor(
            "legal_ip_litigation",
            "Others may claim that our software infringes their intellectual property.",
            (
                "Our agreements oblige us to indemnify customers against claims of infringement.",
                "The use of open source software under certain licenses could oblige us to publish our own code.",
                "Litigation distracts engineers, who must collect evidence and testify.",
            ),
        ),
        RiskFactor(
            "regulatory",
            "Laws on privacy and on the transfer of personal data affect how we may serve customers abroad.",
            (
                "The General Data Protection Regulation allows fines of up to 4% of worldwide turnover.",
                "Rules that require data to stay in a country would make us open further hosting regions.",
                "Government customers impose certifications whose compliance takes many months.",
            ),
        ),
    ),
    risk_yearly=(
        "Our largest hosting provider ran [[68.0-81.0]]% of our workloads in {fy}.",
        "Net revenue retention was {retention_rate}% in {fy} compared with {retention_rate_prior}% in {pfy}.",
        "Contracts representing [[28.0-35.0]]% of annual recurring subscriptions come up for renewal in {nfy}.",
    ),
    properties=("We lease our headquarters in {city} under a lease that ends in 2029.",),
    properties_yearly=(
        "Offices in [[11-19]] cities came to [[290-410]] thousand square feet at {year_end}.",
        "We sublet [[12-46]] thousand square feet during {fy}.",
    ),
    legal=("We are from time to time party to disputes over contracts, employment and intellectual property.",),
    legal_yearly=(
        "A former reseller claims commissions of $[[1.1-4.9]] million, which we dispute.",
        "No accrual for litigation exceeded $[[0.4-1.9]] million at {year_end}.",
    ),
    seasonality=(
        "Bookings are strongest in our fourth fiscal quarter, when the quotas of the sales force expire.",
        "Billings follow bookings, so that cash receipts peak in our first fiscal quarter.",
    ),
    market_risk=("We bill customers in euros and pounds, and part of our engineers are paid in zloty.",),
    market_risk_yearly=(
        "A 10% change in the euro and the pound would have changed billings by [[1.9-3.1]]% in {fy}.",
        "Cash equivalents had an average maturity of [[21-58]] days at {year_end}.",
    ),
    policies=(
        "Subscription revenue is recognized ratably over the term of the contract.",
        "Commissions are capitalized and amortized over an expected benefit period of five years.",
        "Costs of developing internal-use software are capitalized once the preliminary stage is complete.",
    ),
    results_yearly=(
        "Annual recurring subscriptions reached ${arr} million at {year_end}, compared with ${arr_prior} million a "
        "year "
        "earlier.",
        "The number of customers grew to {customers:,} from {customers_prior:,}.",
        "Research and development expenses {research.rose} {research.pct} to {research} in {fy}, reflecting hiring and "
        "the "
        "forecasting modules.",
        "Deferred subscription billings covered [[71.0-83.0]]% of the next year's plan at {year_end}.",
    ),
    definitions=(
        "We define annual recurring subscriptions as the annualized value of subscription contracts in force on the "
        "last "
        "day of the period.",
        "Free cash flow is defined as net cash provided by operating activities less capital expenditures and "
        "capitalized "
        "software.",
    ),
    attributions={
        2019: (
            "The integration of Routewise cost $6.2 million in fiscal 2019, because two platforms had to be merged.",
        ),
        2020: ("Travel expenses fell in the fourth quarter of fiscal 2020 as a result of the COVID-19 pandemic.",),
        2021: ("Bookings rose in fiscal 2021, driven by demand for remote planning tools during the pandemic.",),
        2022: (
            "Foreign currency slowed our growth by 1.8 percentage points in fiscal 2022 due to the stronger dollar.",
        ),
        2023: ("Interest income rose in fiscal 2023, primarily due to higher interest rates on our investments.",),
    },
)
