"""Pinemarsh Power & Light: a regulated electric utility."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="pinemarsh",
    cik=9000012,
    name="Pinemarsh Power & Light Company",
    ticker="PMPL",
    exchange="NYSE",
    sic="4911",
    industry="electric utility",
    state="GA",
    location="GA",
    city="Pinemarsh, Georgia",
    founded=1926,
    year_end=(12, 31),
    layout="hf",
    heading="own",
    revenue="Operating revenues",
    revenue_plural=True,
    cost="Fuel and purchased power",
    expenses="Operation, maintenance and other expenses",
    money_style="m",
    shape=Shape(
        revenue_2017=19_612,
        growth=(221, -143, -284, 672, 1_291, -312),
        gross=None,
        operating=(1_964, 1_913, 1_982, 2_057, 1_868, 1_618, 1_951),
        research=0,
        depreciation=1_240,
        capex=(2_140, 2_260, 2_380, 2_210, 2_340, 2_470, 2_610),
        working_capital=(60, 40, 110, -90, -210, -180, 340),
        tax=1_640,
        debt_2017=27_500,
        debt_moves=(2_000, 1_500, 2_000, 2_500, 2_500, 2_000),
        rate=(442, 438, 431, 402, 386, 404, 441),
        shares=(786, 789, 794, 801, 808, 815, 821),
    ),
    segments=(
        Segment(
            "Residential",
            4_610,
            30,
            (
                "warmer summer weather and customer growth",
                "new base rates approved by the commission",
                "recovery of higher fuel costs through customer rates",
            ),
            ("mild winter weather", "lower fuel rates", "more efficient heat pumps"),
        ),
        Segment(
            "Commercial and Industrial",
            4_270,
            -40,
            (
                "the connection of two data centers",
                "recovery of higher fuel costs through customer rates",
                "higher sales to paper mills",
            ),
            ("the closing of offices and shops", "lower fuel rates", "an outage at a paper mill"),
        ),
        Segment(
            "Wholesale and Other",
            1_120,
            10,
            (
                "higher transmission rates",
                "sales of surplus power in cold weather",
                "a new contract with a municipal utility",
            ),
            ("the end of a contract with a municipal utility", "lower wholesale prices", "fewer pole attachments"),
        ),
    ),
    series={
        "customers": (742, 751, 761, 770, 782, 794, 806),
        "sales": ("18.42", "18.97", "18.61", "17.98", "18.54", "19.21", "19.06"),
        "peak": ("4,310", "4,385", "4,402", "4,276", "4,351", "4,498", "4,571"),
        "coal": (31, 28, 24, 19, 21, 18, 13),
        "renewable": (7, 9, 12, 15, 17, 20, 24),
        "employees": (2_960, 2_940, 2_910, 2_880, 2_850, 2_890, 2_930),
        "degree_days": ("4.2", "8.9", "3.1", "6.7", "2.2", "9.4", "5.8"),
    },
    revenue_causes=(
        "warmer summer weather and customer growth",
        "mild winter weather and lower fuel rates",
        "lower sales to commercial customers and a return of tax savings to customers",
        "new base rates and the recovery of fuel costs",
        "the recovery of higher natural gas costs through customer rates",
        "lower fuel rates as natural gas prices declined",
    ),
    revenue_offsets=(
        "lower rates that return tax savings to customers",
        "customer growth",
        "higher residential use while customers stayed at home",
        "milder weather in the fourth quarter",
        "more efficient heat pumps",
        "new base rates",
    ),
    operating_causes=(
        "storm restoration costs and higher vegetation management",
        "lower maintenance of coal units",
        "savings in operation and maintenance",
        "higher depreciation and storm restoration costs",
        "higher depreciation and maintenance of the transmission system",
        "new base rates, which recover the cost of the Heron Creek plant",
    ),
    business=(
        "{name} generates, transmits and distributes electricity in 27 counties of southern Georgia.",
        "The company was formed in {founded} from four municipal systems.",
        "Rates are set by the Georgia utility commission, which allows recovery of prudent costs and a return on "
        "equity.",
        "Fuel and purchased power are recovered from customers through a rate that is adjusted twice a year.",
        "Power comes from gas-fired plants, coal-fired plants, solar parks and purchases.",
        "The Federal Energy Regulatory Commission, or FERC, regulates transmission and wholesale sales.",
        "The Heron Creek gas plant entered service in 2022 and replaced two coal units.",
        "We hold exclusive franchises in our service area.",
        "The need for power peaks on summer afternoons and on the coldest winter mornings.",
        "Crews from neighboring utilities assist us after major storms under mutual aid agreements.",
    ),
    business_yearly=(
        "We served {customers} thousand customers at {year_end}, compared with {customers_prior} thousand a year "
        "earlier.",
        "Energy delivered was {sales} million megawatt-hours in {fy}, and the peak load was {peak} megawatts.",
        "Coal produced {coal}% and renewable sources produced {renewable}% of our energy in {fy}.",
        "Outages averaged [[82-141]] minutes per customer in {fy}, without major storms.",
        "We replaced [[3100-6400]] poles and trimmed [[1900-2800]] miles of line during {fy}.",
    ),
    risks=(
        RiskFactor(
            "regulatory",
            "Our earnings depend on decisions of the commission that sets our rates.",
            (
                "The commission may disallow costs, lower the allowed return or delay the recovery of investments.",
                "Environmental regulation may force the early closing of coal units.",
                "A failure to comply with reliability standards may lead to fines of more than a million dollars a "
                "day.",
            ),
        ),
        RiskFactor(
            "operational_supply_chain",
            "Storms, equipment failures and shortages can interrupt the supply of electricity.",
            (
                "Hurricanes have damaged thousands of poles in a single night.",
                "Transformers are scarce, and lead times in the supply chain have grown to two years.",
                "An outage of the pipeline that serves Heron Creek would force purchases of power at high prices.",
            ),
        ),
        RiskFactor(
            "liquidity_credit",
            "We need to borrow every year to pay for our construction program.",
            (
                "A downgrade of our credit ratings would raise the cost of refinancing.",
                "Under-recovered fuel costs reduce cash flow until rates are adjusted.",
                "Our mortgage bonds limit the property that we may pledge elsewhere.",
            ),
        ),
        RiskFactor(
            "cybersecurity_tech",
            "The electric grid is a target of cyber attacks by criminals and foreign states.",
            (
                "Malware placed in control systems could cut power to customers for days.",
                "Vendors with access to our substations may be compromised without our knowledge.",
                "A data breach could expose the bank details of customers who pay automatically.",
            ),
        ),
    ),
    risk_yearly=(
        "Under-recovered fuel costs were $[[8.0-96.0]] million at {year_end}.",
        "Natural gas fueled [[48.0-61.0]]% of our generation in {fy}.",
        "Our ten largest customers used [[17.0-23.0]]% of the energy that we delivered in {fy}.",
    ),
    properties=("Substantially all of our property is subject to the lien of our mortgage indenture.",),
    properties_yearly=(
        "Generating capacity was [[4610-5240]] megawatts at {year_end}.",
        "We owned [[3890-4060]] miles of transmission lines and [[31-33]] thousand miles of distribution lines at "
        "{year_end}.",
    ),
    legal=("A group of customers has appealed the order in our 2019 rate case.",),
    legal_yearly=(
        "Claims over the 2017 ash pond release were [[4-19]] in number at {year_end}.",
        "The state agency assessed $[[0.1-0.8]] million in {fy} for exceedances at the Alder Bluff plant.",
    ),
    seasonality=(
        "Sales are highest in the third quarter, when air conditioning is in use.",
        "A mild summer or winter can lower annual earnings materially.",
    ),
    market_risk=("Changes in fuel prices are passed on to customers and affect our cash more than our earnings.",),
    market_risk_yearly=(
        "Gas hedges covered [[31.0-58.0]]% of expected {next_year} burn at {year_end}.",
        "The pension fund held [[38.0-52.0]]% in equities at {year_end}.",
    ),
    policies=(
        "We apply regulatory accounting and defer costs that the commission is expected to allow in future rates.",
        "Revenues include an estimate of energy delivered but not yet billed.",
        "The cost of retiring property is charged to accumulated depreciation.",
    ),
    results_yearly=(
        "Cooling degree days were {degree_days}% above normal in {fy}.",
        "Energy delivered was {sales} million megawatt-hours in {fy} compared with {sales_prior} million in {pfy}.",
        "Customers numbered {customers} thousand at {year_end}, an increase of [[0.9-1.7]]%.",
        "The average price of gas delivered to our plants was $[[2.41-7.12]] per million Btu in {fy}.",
    ),
    definitions=(
        "We define weather-normalized sales as sales adjusted to the average temperatures of the past twenty years.",
        "Adjusted earnings are defined as net income excluding items that management regards as not indicative of "
        "ongoing "
        "operations.",
    ),
    attributions={
        2018: ("Maintenance expense rose $12.9 million in 2018 because of Tropical Storm Odalys.",),
        2020: ("Sales to commercial customers fell in 2020 as a result of the COVID-19 pandemic.",),
        2021: ("Bad debt expense rose in 2021 because disconnections were suspended during the pandemic.",),
        2022: ("Construction costs rose in 2022 owing to supply chain shortages of transformers.",),
        2023: ("Interest on commercial paper rose in 2023, driven by higher interest rates.",),
    },
)
