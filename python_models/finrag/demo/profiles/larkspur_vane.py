"""Larkspur & Vane Stores: a retailer of home goods and clothing whose fiscal year ends in January."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="larkspur_vane",
    cik=9000001,
    name="Larkspur & Vane Stores, Inc.",
    ticker="LKVN",
    exchange="NYSE",
    sic="5311",
    industry="retail",
    state="DE",
    location="OH",
    city="Marrow Creek, Ohio",
    founded=1961,
    year_end=(1, 31),
    layout="finsights",
    heading="merged",
    revenue="Net sales",
    revenue_plural=True,
    cost="Cost of sales",
    expenses="Selling, general and administrative expenses",
    money_style="b",
    shape=Shape(
        revenue_2017=68_400,
        growth=(341, 208, 463, -682, 1_418, 127),
        gross=(3_612, 3_641, 3_604, 3_622, 3_408, 3_791, 3_563),
        operating=(622, 641, 607, 633, 221, 778, 544),
        research=0,
        depreciation=310,
        capex=(340, 352, 371, 344, 198, 296, 362),
        working_capital=(20, -35, 44, 12, 260, -180, 25),
        tax=2_420,
        debt_2017=14_500,
        debt_moves=(-500, 750, -250, 5_000, -3_500, -250),
        rate=(448, 452, 455, 441, 402, 415, 463),
        shares=(1_412, 1_398, 1_371, 1_346, 1_338, 1_309, 1_284),
    ),
    segments=(
        Segment(
            "Home",
            5_240,
            45,
            (
                "stronger demand for furniture and bedding",
                "the expanded Vane Studio assortment of lighting and rugs",
                "customers spending more time and money on their kitchens",
            ),
            (
                "fewer purchases of large furniture",
                "the temporary closing of showrooms",
                "discounting of seasonal decoration",
            ),
        ),
        Segment(
            "Apparel",
            3_320,
            -55,
            (
                "higher unit volume in workwear and outerwear",
                "the return of occasion dressing",
                "improved in-stock positions in basics",
            ),
            (
                "a decline in store traffic and lower demand for formal clothing",
                "a late start to the winter season",
                "fewer clearance sales",
            ),
        ),
        Segment(
            "Services and Other",
            1_440,
            10,
            (
                "growth in delivery, assembly and gift registry fees",
                "higher income from the Larkspur Card program",
                "more installation appointments",
            ),
            ("fewer in-home appointments", "lower income from the Larkspur Card program", "fewer gift registries"),
        ),
    ),
    series={
        "stores": (388, 396, 405, 411, 402, 404, 412),
        "square_feet": ("26.4", "26.9", "27.5", "27.9", "27.2", "27.3", "27.8"),
        "online": (11, 13, 15, 18, 34, 30, 29),
        "members": ("5.6", "6.1", "6.7", "7.4", "8.8", "9.7", "10.2"),
        "comparable": (
            "increased 1.9%",
            "increased 2.6%",
            "increased 1.2%",
            "increased 3.8%",
            "decreased 9.4%",
            "increased 13.1%",
            "increased 0.4%",
        ),
        "employees": (41_200, 41_900, 42_700, 43_100, 36_800, 39_400, 40_300),
        "ticket": ("71.40", "72.15", "73.02", "74.88", "83.61", "86.07", "89.34"),
    },
    revenue_causes=(
        "the opening of eight stores and a larger assortment of private-label bedding",
        "growth in online orders picked up in stores",
        "the relaunch of the Vane Studio furniture line and higher average transaction value",
        "the closing of all stores for eleven weeks during the pandemic",
        "the reopening of stores and unusually strong demand for home furnishings",
        "price increases taken in the first half of the year",
    ),
    revenue_offsets=(
        "lower sales of seasonal decoration",
        "a decline in traffic to stores in enclosed malls",
        "lower clearance volume",
        "a doubling of online orders",
        "shortages of imported furniture in the second quarter",
        "fewer units sold per transaction",
    ),
    operating_causes=(
        "leverage of occupancy costs and the termination of two unprofitable leases",
        "higher store wages and the cost of the new distribution center in Bellwether, Kansas",
        "lower markdowns and tighter control of advertising",
        "the loss of store sales, safety measures and $[[14.2-19.8]] million of charges for closed stores",
        "the recovery of store sales and exceptionally low markdowns",
        "higher ocean freight rates, wages and promotional markdowns",
    ),
    business=(
        "{name} sells furniture, housewares, bedding and clothing to households through department stores and online.",
        "The first store opened in {city} in {founded}, and the company has been listed on the {exchange} since 1987.",
        "Our stores range from 40,000 to 110,000 square feet and carry about 38,000 items.",
        "Private labels such as Vane Studio, Hearth & Hollow and Larkspur Basics are designed by our own teams.",
        "We buy from about 1,400 vendors and have no long-term purchase commitments with most of them.",
        "Merchandise reaches stores through five regional distribution centers that we own.",
        "Orders placed online may be shipped to the home, picked up at the store or collected at the curb.",
        "The Larkspur Card is issued by an unaffiliated bank, which bears the credit risk and pays us a share of the "
        "income.",
        "We compete with department stores, home furnishing chains, discounters and online sellers on assortment, "
        "price and "
        "service.",
        "Our trademarks are renewed as they fall due and are important to the recognition of our private labels.",
    ),
    business_yearly=(
        "At {year_end} we operated {stores} stores in [[34-36]] states with {square_feet} million square feet of "
        "selling "
        "space.",
        "Online orders accounted for {online}% of {rev} in {fy}, compared with {online_prior}% in {pfy}.",
        "The Larkspur Circle loyalty program had {members} million active members at {year_end}.",
        "Private labels made up [[38.0-44.0]]% of {rev} in {fy}.",
        "During {fy} we remodeled [[22-48]] stores and opened [[4-12]].",
    ),
    risks=(
        RiskFactor(
            "market_competitive",
            "Retailing is intensely competitive, and customers can compare our prices in seconds.",
            (
                "Competitors with larger scale may sell the same or similar furniture and clothing at lower prices.",
                "Online sellers without stores do not bear the cost of leases and can change prices many times a day.",
                "If we fail to anticipate changes in taste, we may have to mark down merchandise that customers do not "
                "want.",
                "A loss of market share to discounters would reduce traffic in stores that carry fixed lease costs.",
            ),
        ),
        RiskFactor(
            "operational_supply_chain",
            "Most of our merchandise is made abroad and travels through a long supply chain.",
            (
                "Congestion at ports, shortages of containers or a disruption of our supply chain could leave shelves "
                "empty "
                "in the holiday season.",
                "We depend on five distribution centers, and the loss of any one of them would delay shipments to "
                "about eighty stores.",
                "Vendors may shift manufacturing to other countries faster than we can inspect their factories.",
                "Higher ocean freight rates can arrive too late to be reflected in our prices.",
            ),
        ),
        RiskFactor(
            "cybersecurity_tech",
            "A breach of our payment systems could expose the card data of our customers.",
            (
                "We process millions of card payments a year and store data about members of our loyalty program.",
                "Retailers are a frequent target of ransomware and of attempts to capture card data at the point of "
                "sale.",
                "Notification laws in many states would require us to inform customers promptly of any data breach.",
            ),
        ),
        RiskFactor(
            "liquidity_credit",
            "Our leases oblige us to pay rent whether or not our stores are profitable.",
            (
                "Minimum rents absorb a large part of our cash flow in the months before the holidays.",
                "Our revolving credit facility contains covenants that tighten when availability falls below 10%.",
                "Vendors and their factors could shorten payment terms if our credit ratings were lowered.",
            ),
        ),
    ),
    risk_yearly=(
        "Approximately [[55.0-63.0]]% of the merchandise we bought in {fy} was made outside the United States.",
        "We generated [[36.0-41.0]]% of our {fy} {rev} in the fourth quarter.",
        "At {year_end}, [[61-74]] of our stores stood in enclosed malls, where traffic has declined.",
    ),
    properties=(
        "Our headquarters in {city} are owned.",
        "Most store leases run for ten years with options to renew, and some require additional rent based on sales.",
    ),
    properties_yearly=(
        "Of the {stores} stores operated at {year_end}, [[51-58]] stood on land that we own.",
        "Leases of [[28-41]] stores expire during {nfy}, and we expect to renew most of them.",
    ),
    legal=(
        "A former employee filed a putative class action in the Superior Court of Alder County, alleging that meal "
        "breaks "
        "were not provided as state law requires.",
    ),
    legal_yearly=(
        "The court has scheduled the trial of the wage and hour action for [[2-11]] months after {year_end}.",
        "At {year_end}, [[110-190]] claims for injuries in stores were pending, most of them insured.",
    ),
    seasonality=(
        "Our business is seasonal, and the quarter that includes November and December produces most of our profit.",
        "Inventories build from August and reach their peak in early November.",
    ),
    market_risk=(
        "Nearly all purchases of imported merchandise are denominated in U.S. dollars, which shifts but does not "
        "remove our "
        "exposure to exchange rates.",
    ),
    market_risk_yearly=(
        "A 10% rise in diesel prices would have increased transportation costs by about $[[3.1-6.4]] million in {fy}.",
        "The fair value of our fixed-rate notes was [[96.0-108.9]]% of their carrying amount at {year_end}.",
    ),
    policies=(
        "We recognize a sale when the customer takes possession of the merchandise, net of expected returns.",
        "Inventories are stated at the lower of cost and net realizable value under the retail inventory method.",
        "Income from unredeemed gift cards is recognized in proportion to the pattern of redemption.",
    ),
    results_yearly=(
        "Comparable sales {comparable} in {fy}, reflecting changes in both traffic and average transaction value.",
        "The average transaction was ${ticket} in {fy} compared with ${ticket_prior} in {pfy}.",
        "We ended {fy} with {stores} stores, compared with {stores_prior} a year earlier.",
        "Inventory per square foot {opex_share.rose} [[1.1-6.8]]% from the end of {pfy}.",
    ),
    definitions=(
        "We define comparable sales as sales from stores open for at least thirteen full months together with all "
        "online "
        "sales.",
        "Return on invested capital is defined as operating income after tax divided by the average of debt and "
        "equity.",
    ),
    attributions={
        2019: ("Tariffs on furniture imported from Asia increased the cost of sales by $18.6 million in fiscal 2019.",),
        2020: ("Supply chain expenses fell in fiscal 2020 as a result of fewer split shipments.",),
        2021: (
            "Store sales fell sharply in fiscal 2021 because the pandemic forced us to close every store for eleven "
            "weeks.",
            "We incurred $21.3 million of incremental cleaning, testing and wage costs due to COVID-19 in fiscal 2021.",
        ),
        2022: (
            "Freight costs rose $64.8 million in fiscal 2022, primarily due to supply chain congestion at Pacific "
            "ports.",
        ),
        2023: ("Store wages rose 6.2% in fiscal 2023, driven by competition for labor and new minimum wage laws.",),
    },
)
