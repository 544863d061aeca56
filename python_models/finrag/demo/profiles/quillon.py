"""Quillon Semiconductor: a designer and maker of analog and power chips."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="quillon",
    cik=9000002,
    name="Quillon Semiconductor Corporation",
    ticker="QLSC",
    exchange="NASDAQ",
    sic="3674",
    industry="semiconductors",
    state="DE",
    location="AZ",
    city="Saltbush, Arizona",
    founded=1994,
    year_end=(12, 31),
    layout="finsights",
    heading="merged",
    revenue="Revenue",
    revenue_plural=False,
    cost="Cost of revenue",
    expenses="Selling, general and administrative expenses",
    money_style="m",
    shape=Shape(
        revenue_2017=14_804,
        growth=(1_252, -834, 968, 3_141, 1_824, -1_158),
        gross=(5_212, 5_341, 5_083, 5_262, 5_694, 5_821, 5_433),
        operating=(1_841, 2_012, 1_371, 1_724, 2_583, 2_712, 1_894),
        research=1_820,
        depreciation=640,
        capex=(710, 880, 690, 740, 1_120, 1_480, 1_310),
        working_capital=(-120, -240, 180, 60, -310, -260, 220),
        tax=1_460,
        debt_2017=6_200,
        debt_moves=(-400, -400, 1_500, 3_000, -500, 1_200),
        rate=(388, 391, 396, 362, 341, 372, 428),
        shares=(1_186, 1_179, 1_168, 1_171, 1_182, 1_176, 1_161),
    ),
    segments=(
        Segment(
            "Automotive and Industrial",
            4_610,
            130,
            (
                "a larger number of our power chips in each electric vehicle",
                "orders from makers of factory equipment",
                "new design wins in battery management",
            ),
            (
                "the correction of inventories at distributors",
                "lower production by carmakers",
                "weak orders for factory equipment",
            ),
        ),
        Segment(
            "Consumer Devices",
            3_270,
            -110,
            (
                "the launch of our fast-charging controllers",
                "higher volumes for wearable devices",
                "strong demand for laptops and tablets",
            ),
            (
                "lower shipments of smartphones by our largest customer",
                "weaker demand for laptops",
                "falling average selling prices",
            ),
        ),
        Segment(
            "Data Center and Communications",
            2_120,
            -20,
            (
                "spending on servers by operators of cloud services",
                "the rollout of 5G base stations",
                "adoption of our 48-volt power modules",
            ),
            (
                "a pause in spending by operators of cloud services",
                "the end of a base station program",
                "customers working down inventories",
            ),
        ),
    ),
    series={
        "patents": (1_142, 1_236, 1_318, 1_402, 1_497, 1_611, 1_688),
        "employees": (4_120, 4_480, 4_510, 4_630, 5_240, 5_910, 5_780),
        "top_customer": (21, 19, 17, 18, 15, 14, 13),
        "lead_time": (14, 18, 11, 12, 38, 31, 15),
        "backlog": ("412.6", "468.1", "371.9", "436.2", "912.7", "1,044.3", "688.4"),
        "wafers": (62, 68, 61, 66, 79, 88, 81),
    },
    revenue_causes=(
        "higher unit volume in power management and a richer mix of automotive products",
        "the correction of inventories at distributors and restrictions on exports to two customers",
        "the rollout of 5G base stations and new design wins in laptops",
        "broad demand that exceeded supply in every end market",
        "price increases and the first full year of production on our second 300-millimeter line",
        "lower demand for consumer devices as customers worked down their inventories",
    ),
    revenue_offsets=(
        "a decline in average selling prices of legacy controllers",
        "growth in automotive units",
        "lower sales of automotive products while carmakers halted production",
        "shortages of substrates",
        "a weaker Japanese yen",
        "resilient orders for electric vehicles",
    ),
    operating_causes=(
        "the higher volume of wafers started in our own fabs",
        "underutilization charges at the Saltbush fab and continued spending on research",
        "better utilization in the second half of the year",
        "record factory utilization and favorable pricing",
        "price increases that exceeded the rise in the cost of silicon wafers",
        "lower factory utilization and a $[[21.0-29.9]] million write-down of inventories",
    ),
    business=(
        "{name} designs and manufactures analog, mixed-signal and power management semiconductors.",
        "Our chips convert, regulate and measure power in vehicles, machines, servers and consumer devices.",
        "We operate two wafer fabs in the United States and one assembly and test site in Malaysia.",
        "About a third of our wafers are made by outside foundries under agreements that reserve capacity.",
        "Products have long lives, and some parts designed in the 1990s still ship in volume.",
        "We sell through distributors and directly to about 600 manufacturers.",
        "Research is directed at wide-bandgap materials, digital power and precision sensing.",
        "Our competitors include large analog suppliers with broader catalogs and greater resources.",
        "Patents expire between now and 2042, and no single patent is material to the business.",
        "Export rules limit the products that we may ship to certain customers and countries.",
    ),
    business_yearly=(
        "We held {patents:,} patents at {year_end}, compared with {patents_prior:,} a year earlier.",
        "Our largest customer accounted for {top_customer}% of {rev} in {fy} and {top_customer_prior}% in {pfy}.",
        "Average lead times were {lead_time} weeks at {year_end}, compared with {lead_time_prior} weeks a year "
        "earlier.",
        "Orders for delivery within twelve months stood at ${backlog} million at {year_end}.",
        "Shipments to customers in Asia were [[58.0-66.0]]% of {rev} in {fy}.",
    ),
    risks=(
        RiskFactor(
            "operational_supply_chain",
            "We depend on a small number of foundries and on equipment that takes more than a year to obtain.",
            (
                "A foundry that gives priority to larger customers could leave us without wafers for critical parts.",
                "An earthquake, a water shortage or a power failure at our fabs would halt manufacturing for weeks.",
                "Substrates, lead frames and specialty gases come from few suppliers, some of which are sole sources.",
                "Yields fall whenever a new process is introduced, and they do not always recover on schedule.",
            ),
        ),
        RiskFactor(
            "market_competitive",
            "The semiconductor industry is cyclical and fiercely competitive.",
            (
                "Customers order more than they need when chips are scarce and cancel when supply returns.",
                "Competitors have announced new factories, and excess capacity would cause pricing pressure.",
                "A design that loses one competition may be shut out of a platform for five years or more.",
            ),
        ),
        RiskFactor(
            "regulatory",
            "Export controls and tariffs can close markets to us with little notice.",
            (
                "Regulations administered by the U.S. Department of Commerce restrict sales of certain power devices.",
                "A violation of export rules, even an unintended one, may bring fines and the loss of export "
                "privileges.",
                "Governments abroad subsidize local suppliers and may require customers to buy from them.",
            ),
        ),
        RiskFactor(
            "legal_ip_litigation",
            "We may be sued for infringing patents, and our own patents may prove hard to enforce.",
            (
                "Companies that make no products acquire patents in order to bring lawsuits against chip makers.",
                "An injunction against a single controller could stop the shipments of a customer's whole product "
                "line.",
                "Trade secrets in our process recipes could be copied by former employees or by foundry partners.",
            ),
        ),
    ),
    risk_yearly=(
        "Our ten largest customers accounted for [[44.0-52.0]]% of {rev} in {fy}.",
        "Distributors held [[6-13]] weeks of our products at {year_end}.",
        "Outside foundries supplied [[31.0-37.0]]% of the wafers that we used in {fy}.",
    ),
    properties=(
        "Our principal fab and headquarters stand on land that we own in {city}.",
        "The assembly and test site in Penang is held under a land lease that ends in 2051.",
    ),
    properties_yearly=(
        "Our fabs had capacity for about {wafers} thousand wafers a month at {year_end}.",
        "During {fy} the utilization of our fabs averaged [[71.0-96.0]]%.",
    ),
    legal=(
        "Orrin Licensing LLC sued the company in the District of Delaware, alleging that our charging controllers "
        "infringe "
        "three of its patents.",
    ),
    legal_yearly=(
        "The patent office has instituted review of [[11-29]] of the claims asserted by Orrin Licensing LLC.",
        "We had accrued $[[1.2-6.8]] million for intellectual property matters at {year_end}.",
    ),
    seasonality=(
        "Shipments to makers of consumer devices are strongest in the third quarter.",
        "The cycle of the industry has more influence on our results than the season.",
    ),
    market_risk=("We hedge forecast expenses in ringgit and yen with forward contracts of up to twelve months.",),
    market_risk_yearly=(
        "A 10% change in the ringgit would have changed manufacturing costs by about $[[4.2-8.8]] million in {fy}.",
        "The notional amount of our currency forwards was $[[88.0-164.0]] million at {year_end}.",
    ),
    policies=(
        "Revenue is recognized when control of the product passes to the customer or distributor, usually at shipment.",
        "Price protection and stock rotation granted to distributors are estimated and deducted at the time of sale.",
        "Inventories in excess of twelve months of forecast demand are written down.",
    ),
    results_yearly=(
        "Units shipped {revenue.rose} [[2.4-14.9]]% in {fy}, while average selling prices changed by less than "
        "[[2.0-4.0]]%.",
        "Factory utilization averaged [[70.0-95.0]]% in {fy}.",
        "Research and development expenses {research.rose} to {research} in {fy} from {research.prior} in {pfy}, "
        "reflecting "
        "headcount and mask costs.",
        "Days of inventory on hand were [[96-148]] at {year_end}.",
    ),
    definitions=(
        "Free cash flow is defined as net cash provided by operating activities less purchases of property and "
        "equipment.",
        "We define backlog as orders scheduled for delivery within twelve months, whether or not they may be "
        "cancelled.",
    ),
    attributions={
        2018: (
            "A stronger dollar reduced sales in Japan by $9.4 million in 2018, because customers there pay in yen.",
        ),
        2020: (
            "Automotive revenue fell in the second quarter of 2020 as carmakers halted production during the pandemic.",
        ),
        2021: (
            "Shipments fell short of demand throughout 2021 as a result of shortages in the supply chain for "
            "substrates.",
        ),
        2022: (
            "Foreign currency exchange rates cost us $24.7 million in 2022, primarily due to the weaker Japanese yen.",
        ),
        2023: ("Supply chain conditions normalized in 2023, and lead times fell to fifteen weeks.",),
    },
)
