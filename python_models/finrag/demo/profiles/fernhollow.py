"""Fernhollow Logistics: trucking, brokerage and warehouses."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="fernhollow",
    cik=9000010,
    name="Fernhollow Logistics Corporation",
    ticker="FNHL",
    exchange="NASDAQ",
    sic="4213",
    industry="logistics",
    state="IA",
    location="IA",
    city="Quarry Ford, Iowa",
    founded=1968,
    year_end=(12, 31),
    layout="edgar_corpus",
    heading="Item {item}. {title}",
    revenue="Revenue",
    revenue_plural=False,
    cost="Purchased transportation, fuel and driver wages",
    expenses="Other operating expenses",
    money_style="b2",
    shape=Shape(
        revenue_2017=28_603,
        growth=(1_134, 187, -423, 1_962, 1_481, -973),
        gross=(2_242, 2_297, 2_184, 2_108, 2_361, 2_418, 2_087),
        operating=(682, 793, 621, 538, 881, 957, 512),
        research=0,
        depreciation=580,
        capex=(720, 840, 690, 460, 780, 910, 640),
        working_capital=(-110, -180, 90, 60, -240, -130, 210),
        tax=2_410,
        debt_2017=8_600,
        debt_moves=(900, -300, -600, 500, 1_200, -800),
        rate=(398, 407, 411, 372, 358, 401, 487),
        shares=(812, 806, 797, 791, 786, 774, 766),
    ),
    segments=(
        Segment(
            "Truckload",
            5_410,
            -90,
            (
                "higher contract rates and more miles per truck",
                "dedicated fleets started for three retailers",
                "tight capacity in the spot market",
            ),
            ("lower contract rates", "fewer seated trucks", "weaker freight demand from retailers"),
        ),
        Segment(
            "Brokerage",
            3_120,
            40,
            (
                "more loads and higher revenue per load",
                "new customers on our digital platform",
                "capacity shortages that sent shippers to brokers",
            ),
            ("lower revenue per load", "fewer loads", "excess capacity in the spot market"),
        ),
        Segment(
            "Warehousing",
            1_470,
            50,
            (
                "the opening of two warehouses for online retailers",
                "higher storage volumes",
                "rate increases under long-term agreements",
            ),
            ("the loss of a food customer", "lower handling volumes", "the closing of a warehouse"),
        ),
    ),
    series={
        "trucks": (6_240, 6_510, 6_480, 6_190, 6_340, 6_720, 6_410),
        "trailers": (18_900, 19_600, 19_800, 19_400, 20_700, 22_300, 22_100),
        "loads": (412, 451, 463, 449, 528, 574, 537),
        "driver_turnover": (88, 94, 86, 81, 97, 92, 78),
        "warehouses": (17, 18, 18, 19, 21, 23, 22),
        "diesel": ("2.65", "3.18", "3.06", "2.56", "3.29", "5.01", "4.22"),
        "employees": (9_840, 10_310, 10_220, 9_760, 10_140, 10_890, 10_420),
    },
    revenue_causes=(
        "higher contract rates and tight capacity in the spot market",
        "growth in brokerage loads",
        "lower freight demand from manufacturers in the second quarter",
        "strong demand from retailers and capacity shortages",
        "higher fuel surcharges and the opening of two warehouses",
        "lower contract rates and fewer brokerage loads",
    ),
    revenue_offsets=(
        "fewer seated trucks in the fourth quarter",
        "lower revenue per load in brokerage",
        "growth in freight for grocers",
        "trucks parked for want of drivers",
        "the loss of a food customer",
        "growth in warehousing",
    ),
    operating_causes=(
        "rate increases that exceeded driver pay",
        "lower spot rates and the cost of adding trailers",
        "lower miles per truck and a $[[6.2-9.8]] million claim settlement",
        "rate increases and gains on the sale of used tractors",
        "higher margins in warehousing and gains on equipment sales",
        "lower contract rates that fell faster than the cost of drivers",
    ),
    business=(
        "{name} moves and stores freight for retailers, food companies and manufacturers in North America.",
        "Truckload carries freight in our own trucks, and Brokerage arranges transport by other carriers.",
        "Warehousing operates buildings close to railheads in the Midwest and the Southeast.",
        "Most truckload revenue comes from contracts of one year, with rates set lane by lane.",
        "Fuel surcharges recover most, but not all, of the changes in diesel prices.",
        "Drivers are paid by the mile or by the hour and are home every week on most of our routes.",
        "Brokerage uses about 14,000 approved carriers.",
        "The industry is fragmented, and the largest carriers hold a small share of it.",
        "The U.S. Department of Transportation regulates hours of service, equipment and the fitness of drivers.",
        "Tractors are traded after about four years and trailers after about twelve.",
    ),
    business_yearly=(
        "We operated {trucks:,} tractors and {trailers:,} trailers at {year_end}.",
        "Brokerage arranged {loads} thousand loads in {fy} compared with {loads_prior} thousand in {pfy}.",
        "Driver turnover was {driver_turnover}% in {fy} compared with {driver_turnover_prior}% in {pfy}.",
        "We operated {warehouses} warehouses at {year_end}.",
        "Our ten largest customers accounted for [[38.0-44.0]]% of {rev} in {fy}.",
    ),
    risks=(
        RiskFactor(
            "operational_supply_chain",
            "Drivers are scarce, and equipment arrives late.",
            (
                "A shortage of drivers leaves trucks parked and raises wages faster than rates.",
                "Makers of tractors have allocated production, and a disruption of their supply chain would age our "
                "fleet.",
                "Accidents, weather and congestion interrupt our operations and those of carriers that we hire.",
            ),
        ),
        RiskFactor(
            "market_competitive",
            "Freight is a commodity, and rates fall quickly when capacity is in excess.",
            (
                "Thousands of small carriers enter the market whenever rates are high.",
                "Digital brokers with large funds accept losses in order to gain market share.",
                "Customers put their lanes out to bid every year and may replace us with a competitor.",
            ),
        ),
        RiskFactor(
            "legal_ip_litigation",
            "A single accident can lead to a verdict many times our insurance.",
            (
                "Lawsuits after accidents increasingly seek damages meant to punish carriers.",
                "We retain the first part of each claim, and reserves may prove too low.",
                "Class actions over rest breaks and the status of contractors are costly to defend.",
            ),
        ),
        RiskFactor(
            "cybersecurity_tech",
            "An attack on our dispatch systems would stop trucks within hours.",
            (
                "Trucking companies have been targets of ransomware, and some were unable to dispatch for days.",
                "Thieves who take over the account of a carrier can divert loads.",
                "Electronic logging devices are a path into vehicles that we cannot fully secure.",
            ),
        ),
    ),
    risk_yearly=(
        "One retailer accounted for [[9.0-14.0]]% of {rev} in {fy}.",
        "Our self-insured retention was $[[2.0-5.0]] million per accident in {fy}.",
        "The average price of diesel was ${diesel} per gallon in {fy} compared with ${diesel_prior} in {pfy}.",
    ),
    properties=("Our terminal in {city} holds offices, a training school and the largest of our shops.",),
    properties_yearly=(
        "Terminals numbered [[24-29]] at {year_end}, of which we own about half.",
        "Our {warehouses} warehouses had [[5.1-7.4]] million square feet at {year_end}.",
    ),
    legal=("Drivers in California claim that they were not paid for rest periods and inspections.",),
    legal_yearly=(
        "A jury awarded $[[7.1-19.6]] million in {fy} to a motorist injured in {prior_year}, and we have appealed.",
        "At {year_end}, [[61-98]] accident claims exceeded our retention.",
    ),
    seasonality=(
        "Freight demand is weakest in the first quarter and strongest from August to December.",
        "Winter weather raises fuel and maintenance costs.",
    ),
    market_risk=("The price of diesel is our principal commodity exposure, most of which surcharges recover.",),
    market_risk_yearly=(
        "A change of ten cents per gallon would have changed fuel costs after surcharges by $[[1.1-2.6]] million in "
        "{fy}.",
        "Fuel surcharges recovered [[78.0-91.0]]% of the change in diesel prices in {fy}.",
    ),
    policies=(
        "Truckload revenue is recognized over the time that a load is in transit.",
        "Brokerage revenue is recorded gross, because we are responsible to the shipper for the service.",
        "Claims reserves are estimated with the help of an actuary and are not discounted.",
    ),
    results_yearly=(
        "The rate per loaded mile, without fuel surcharge, was $[[1.91-2.84]] in {fy}.",
        "Miles per truck per week averaged [[1710-1920]] in {fy}.",
        "Loads arranged by Brokerage came to {loads} thousand in {fy} compared with {loads_prior} thousand in {pfy}.",
        "Gains on sales of equipment were $[[3.2-24.8]] million in {fy}.",
    ),
    definitions=(
        "We define the operating ratio as operating expenses, net of fuel surcharges, divided by revenue before "
        "surcharges.",
        "Free cash flow is defined as net cash provided by operating activities less capital expenditures net of "
        "proceeds "
        "from equipment sales.",
    ),
    attributions={
        2018: ("Driver pay rose 9.3% in 2018, primarily due to the shortage of drivers.",),
        2020: ("Freight for manufacturers fell in April 2020 as a result of plants closed in the pandemic.",),
        2021: ("Brokerage loads rose in 2021, driven by supply chain congestion at ports.",),
        2022: ("Fuel expense rose $88.2 million in 2022 because diesel reached five dollars per gallon.",),
        2023: ("Interest on equipment loans rose in 2023 due to higher interest rates.",),
    },
)
