"""Skyfennel Airways Holdings: an airline with a network around two inland hubs."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="skyfennel",
    cik=9000005,
    name="Skyfennel Airways Holdings, Inc.",
    ticker="SKFN",
    exchange="NASDAQ",
    sic="4512",
    industry="airline",
    state="NV",
    location="MO",
    city="Fennel Field, Missouri",
    founded=1983,
    year_end=(12, 31),
    layout="finsights",
    heading="own",
    revenue="Operating revenues",
    revenue_plural=True,
    cost="Aircraft fuel, wages and landing fees",
    expenses="Other operating expenses",
    money_style="b",
    lower_case_items=True,
    straight_quotes=True,
    shape=Shape(
        revenue_2017=47_306,
        growth=(624, 437, -5_871, 4_128, 6_394, 1_117),
        gross=None,
        operating=(912, 803, 882, -4_652, -1_243, 561, 834),
        research=0,
        depreciation=720,
        capex=(1_140, 1_210, 1_080, 620, 540, 870, 960),
        working_capital=(260, 310, 240, -680, 1_420, 620, 280),
        tax=2_330,
        debt_2017=18_500,
        debt_moves=(1_000, 750, 16_000, 5_500, -4_000, -3_000),
        rate=(421, 426, 424, 447, 486, 493, 517),
        shares=(1_028, 1_011, 992, 1_047, 1_164, 1_171, 1_176),
    ),
    segments=(
        Segment(
            "Mainline",
            7_480,
            -20,
            (
                "more seats flown and a higher load factor",
                "higher average fares in business markets",
                "growth at the Fennel Field hub",
            ),
            (
                "the collapse in bookings and the grounding of 61 aircraft",
                "fewer business travelers",
                "cancellations during winter storms",
            ),
        ),
        Segment(
            "Regional",
            1_690,
            10,
            (
                "new routes to small cities",
                "the delivery of nine regional jets",
                "higher fares on connecting itineraries",
            ),
            ("the suspension of service to 24 cities", "a shortage of pilots", "the retirement of 50-seat jets"),
        ),
        Segment(
            "Loyalty and Cargo",
            830,
            10,
            (
                "sales of miles to our card partner",
                "cargo carried for online retailers",
                "growth in cardholders of Fennel Miles",
            ),
            ("lower spending on partner cards", "less belly capacity for cargo", "lower cargo yields"),
        ),
    ),
    series={
        "aircraft": (186, 193, 199, 141, 158, 187, 196),
        "passengers": ("31.2", "32.9", "34.1", "12.6", "19.8", "30.7", "33.5"),
        "load_factor": ("83.6", "84.2", "84.9", "52.3", "73.8", "84.4", "85.1"),
        "fuel_price": ("1.84", "2.27", "2.11", "1.48", "2.16", "3.59", "2.94"),
        "cities": (94, 98, 101, 77, 88, 96, 99),
        "employees": (15_400, 15_900, 16_300, 12_100, 13_200, 15_600, 16_800),
        "casm": ("11.42", "11.97", "11.88", "18.94", "15.21", "14.07", "13.86"),
    },
    revenue_causes=(
        "a larger fleet and higher average fares in business markets",
        "higher load factors and growth in sales of miles",
        "the collapse of air travel from March 2020 as a result of travel restrictions",
        "the return of leisure travel after vaccines became available",
        "the recovery of business travel and higher fares",
        "more seats flown with the delivery of nine regional jets",
    ),
    revenue_offsets=(
        "the cancellation of 2,900 flights in September storms",
        "lower cargo yields",
        "a rise in cargo carried for online retailers",
        "weak demand for business travel",
        "flights removed from the schedule for want of pilots",
        "softer domestic fares in the second half of the year",
    ),
    operating_causes=(
        "higher fuel prices and the new contract with our pilots",
        "lower fuel prices and the retirement of older aircraft",
        "the loss of passenger revenue and an impairment of 38 retired aircraft",
        "government payroll support and the gradual return of passengers",
        "the recovery of passenger revenue, which outweighed much higher fuel prices",
        "lower fuel prices, partly absorbed by higher wages",
    ),
    business=(
        "{name} owns Skyfennel Airways, which carries passengers and cargo through hubs at Fennel Field and Dry Lake.",
        "The airline began service in {founded} with three aircraft and now serves cities in the United States, Mexico "
        "and "
        "the Caribbean.",
        "Regional flights are operated by a subsidiary and by one contract carrier.",
        "Fennel Miles, our loyalty program, sells miles to a bank that issues co-branded cards.",
        "About 84% of our employees are represented by labor unions.",
        "Fuel and wages are our two largest expenses.",
        "Airlines compete on fares, schedules, reliability, seats and loyalty programs.",
        "The Federal Aviation Administration, or FAA, certifies our aircraft, our crews and our maintenance.",
        "Slots limit the number of flights at three of the airports that we serve.",
        "Maintenance is performed at our base in Dry Lake and by approved repair stations.",
    ),
    business_yearly=(
        "We operated {aircraft} aircraft to {cities} cities at {year_end}, compared with {aircraft_prior} aircraft a "
        "year "
        "earlier.",
        "We carried {passengers} million passengers in {fy} compared with {passengers_prior} million in {pfy}.",
        "The average age of the fleet was [[9.1-12.4]] years at {year_end}.",
        "Collective bargaining agreements covering [[1900-5200]] employees become amendable in {next_year}.",
        "On-time arrivals were [[76.0-86.0]]% of flights in {fy}.",
    ),
    risks=(
        RiskFactor(
            "operational_supply_chain",
            "Our operations depend on two hubs, on aircraft delivered on time and on scarce pilots.",
            (
                "Weather, air traffic control staffing or a failure at either hub can disrupt our whole network.",
                "Manufacturers have delivered aircraft and engines late, and spare parts are scarce.",
                "A shortage of pilots could force us to ground regional jets and suspend routes.",
            ),
        ),
        RiskFactor(
            "liquidity_credit",
            "We have substantial indebtedness and fixed obligations for aircraft.",
            (
                "A decline in cash flow could leave us unable to meet the minimum liquidity covenant in our credit "
                "agreement.",
                "Card processors may hold back cash from ticket sales if our financial condition worsens.",
                "Most aircraft are pledged as collateral, which limits our ability to borrow in a crisis.",
                "Higher interest rates increase the cost of refinancing aircraft.",
            ),
        ),
        RiskFactor(
            "regulatory",
            "Airlines are subject to extensive regulation that raises costs and limits our freedom to operate.",
            (
                "The FAA may ground aircraft, require inspections or impose fines for lapses in maintenance.",
                "Rules on compensation for delays, on emissions and on noise are becoming stricter.",
                "Taxes and security fees make up a growing share of the price of a ticket.",
            ),
        ),
        RiskFactor(
            "market_competitive",
            "Fares are visible to everyone, and low-cost carriers keep adding seats in our markets.",
            (
                "A competitor with lower costs may enter our best routes and hold fares down for years.",
                "Mergers among competitors could give them networks that we cannot match.",
                "Excess capacity leads to fare wars, because an empty seat earns nothing after departure.",
            ),
        ),
    ),
    risk_yearly=(
        "Fuel was [[19.0-33.0]]% of operating expenses in {fy}, at an average price of ${fuel_price} per gallon.",
        "Flights to and from Fennel Field were [[46.0-55.0]]% of departures in {fy}.",
        "A one-cent change in the price of a gallon of fuel would have changed expenses by $[[2.1-4.4]] million in "
        "{fy}.",
    ),
    properties=(
        "Terminals and gates are leased from airport authorities, most of them under agreements that end by 2035.",
    ),
    properties_yearly=(
        "Of our {aircraft} aircraft, [[92-118]] were owned at {year_end} and the others leased.",
        "We held [[38-61]] gates at our two hubs at {year_end}.",
    ),
    legal=(
        "Passengers whose flights were cancelled filed a putative class action that seeks refunds in place of credits.",
    ),
    legal_yearly=(
        "The FAA proposed civil penalties of $[[0.3-1.9]] million in {fy} for errors in maintenance records.",
        "Arbitration of the pilots' scheduling grievance is set for [[4-10]] months after {year_end}.",
    ),
    seasonality=(
        "Travel is strongest in June, July and the weeks around holidays.",
        "The first quarter is our weakest and is often affected by winter storms.",
    ),
    market_risk=("The price of jet fuel is our largest market risk, and we do not hedge it.",),
    market_risk_yearly=(
        "A 10% rise in the price of fuel would have increased expenses by $[[38.0-98.0]] million in {fy}.",
        "We paid an average of ${fuel_price} per gallon in {fy} compared with ${fuel_price_prior} in {pfy}.",
    ),
    policies=(
        "Ticket sales are recorded as air traffic liability and recognized when the passenger travels.",
        "Miles sold to our card partner are separated into transportation and marketing at their relative prices.",
        "Major overhauls of engines are capitalized and amortized until the next overhaul is due.",
    ),
    results_yearly=(
        "The load factor was {load_factor}% in {fy} compared with {load_factor_prior}% in {pfy}.",
        "Unit cost was {casm} cents per available seat mile in {fy} compared with {casm_prior} cents in {pfy}.",
        "Passengers carried {revenue.rose} to {passengers} million from {passengers_prior} million in {pfy}.",
        "The average price of fuel was ${fuel_price} per gallon in {fy} compared with ${fuel_price_prior} in {pfy}.",
    ),
    definitions=(
        "We define unit cost as operating expenses, excluding special items, divided by available seat miles.",
        "Liquidity is defined as the sum of cash, short-term investments and undrawn commitments.",
    ),
    attributions={
        2018: ("Fuel expense rose $94.3 million in 2018, primarily due to a 23% increase in the price per gallon.",),
        2020: (
            "Operating revenues collapsed in 2020 because of the COVID-19 pandemic and the restrictions that followed "
            "it.",
            "Interest expense rose in 2020 as a result of loans taken to survive the pandemic.",
        ),
        2021: ("Leisure bookings recovered in 2021 as the pandemic receded and vaccines became available.",),
        2022: ("Deliveries slipped in 2022 due to supply chain shortages at the makers of engines and seats.",),
        2023: ("Interest on variable-rate loans rose in 2023, driven by higher benchmark interest rates.",),
    },
)
