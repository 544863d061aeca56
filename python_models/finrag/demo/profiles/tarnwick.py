"""Tarnwick Energy: a producer of oil and natural gas in two inland basins."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="tarnwick",
    cik=9000007,
    name="Tarnwick Energy Corporation",
    ticker="TWKE",
    exchange="NYSE",
    sic="1311",
    industry="oil and gas",
    state="TX",
    location="OK",
    city="Red Sedge, Oklahoma",
    founded=1979,
    year_end=(12, 31),
    layout="edgar_crawler",
    heading="ITEM {item}.\n{TITLE}",
    revenue="Total revenues",
    revenue_plural=True,
    cost="Lease operating and transportation expenses",
    expenses="Exploration, depletion and administrative expenses",
    money_style="b",
    shape=Shape(
        revenue_2017=22_104,
        growth=(2_147, -693, -3_842, 6_213, 4_466, -2_184),
        gross=(4_102, 4_523, 4_284, 2_891, 4_762, 5_431, 4_613),
        operating=(1_423, 1_984, 1_412, -3_163, 2_271, 3_348, 2_402),
        research=0,
        depreciation=1_760,
        capex=(2_450, 2_610, 2_380, 1_420, 1_610, 2_040, 2_280),
        working_capital=(80, -60, 40, 2_610, -120, -180, 90),
        tax=2_280,
        debt_2017=16_000,
        debt_moves=(-500, 1_000, 2_500, -4_000, -5_000, -1_000),
        rate=(562, 566, 561, 578, 584, 571, 566),
        shares=(1_654, 1_631, 1_602, 1_604, 1_598, 1_541, 1_487),
    ),
    segments=(
        Segment(
            "Sandhill Basin",
            6_210,
            70,
            (
                "higher oil prices and new wells in the Sandhill Basin",
                "longer laterals and faster drilling",
                "lower basis differentials for oil",
            ),
            ("lower oil prices", "wells shut in during the second quarter", "delays in completing wells"),
        ),
        Segment(
            "Copper Plains",
            2_780,
            -80,
            (
                "higher natural gas prices",
                "the connection of a new gathering line",
                "better recovery of ethane and propane",
            ),
            (
                "lower natural gas prices",
                "natural decline of older wells",
                "freeze-offs during winter storms",
            ),
        ),
        Segment(
            "Midstream",
            1_010,
            10,
            (
                "more volumes gathered for other producers",
                "higher tariffs under the 2018 contracts",
                "the expansion of the Red Sedge plant",
            ),
            ("fewer volumes gathered for other producers", "an outage at the Red Sedge plant", "lower plant margins"),
        ),
    ),
    series={
        "production": ("112.4", "121.8", "127.3", "114.6", "119.2", "126.7", "131.9"),
        "wells": (1_412, 1_506, 1_589, 1_611, 1_684, 1_768, 1_842),
        "rigs": (8, 9, 8, 3, 5, 7, 6),
        "reserves": ("486.2", "512.9", "528.4", "447.1", "501.6", "538.8", "529.7"),
        "oil_price": ("49.18", "61.94", "54.67", "36.82", "66.03", "92.71", "75.44"),
        "gas_price": ("2.61", "2.74", "2.12", "1.63", "3.48", "5.87", "2.39"),
        "employees": (1_140, 1_195, 1_210, 940, 965, 1_020, 1_060),
    },
    revenue_causes=(
        "higher oil prices and an 8% increase in production",
        "lower realized prices for oil and natural gas",
        "the collapse in oil prices and wells shut in during the second quarter",
        "the recovery of oil and gas prices",
        "higher commodity prices and new wells in the Sandhill Basin",
        "lower prices for oil and natural gas",
    ),
    revenue_offsets=(
        "wider basis differentials in the summer",
        "higher production from new wells",
        "settlements received on hedges",
        "production lost to a freeze in February",
        "losses on hedges entered into before prices rose",
        "a 4% increase in production",
    ),
    operating_causes=(
        "higher realized prices and lower unit costs",
        "lower realized prices and higher gathering costs",
        "a $[[612.0-668.0]] million impairment of proved properties in Copper Plains",
        "the recovery of prices and the absence of impairments",
        "higher realized prices, which more than covered higher service costs",
        "lower realized prices and inflation in the cost of steel and labor",
    ),
    business=(
        "{name} explores for and produces oil, natural gas and natural gas liquids in Oklahoma and Texas.",
        "Our acreage lies in the Sandhill Basin, which produces mostly oil, and in Copper Plains, which produces "
        "mostly gas.",
        "We operate about nine tenths of the wells in which we have an interest.",
        "A midstream subsidiary gathers and processes our gas and that of other producers.",
        "Oil is sold at the lease or at terminals under contracts with terms of one year or less.",
        "Reserves are estimated by our engineers and audited by an independent firm.",
        "Drilling is carried out by contractors under agreements for single wells or for terms of up to one year.",
        "We own most of the water pipelines that serve our wells and recycle about half of the water that we produce.",
        "Leases expire unless we drill or extend them, and most of our acreage is held by production.",
        "We compete with larger producers for acreage, rigs, crews and capital.",
    ),
    business_yearly=(
        "Production averaged {production} thousand barrels of oil equivalent per day in {fy}, compared with "
        "{production_prior} thousand in {pfy}.",
        "We operated {wells:,} wells at {year_end} and ran {rigs} rigs on average in {fy}.",
        "Proved reserves were {reserves} million barrels of oil equivalent at {year_end}.",
        "Oil made up [[54.0-61.0]]% of production in {fy}.",
        "We completed [[31-118]] wells during {fy}.",
    ),
    risks=(
        RiskFactor(
            "general_risk",
            "Prices of oil and natural gas are volatile, and low prices reduce everything that we do.",
            (
                "A fall in prices lowers our earnings at once and the value of our reserves soon after.",
                "Prices depend on wars, weather, the decisions of exporting countries and the growth of the world "
                "economy.",
                "Estimates of reserves are uncertain, and lower prices can make wells uneconomic.",
            ),
        ),
        RiskFactor(
            "regulatory",
            "Regulation of drilling, emissions and water may raise our costs or stop our work.",
            (
                "Rules on methane adopted by the Environmental Protection Agency require equipment at most of our "
                "sites.",
                "States may limit the injection of water in areas with earthquakes.",
                "A failure to comply with permits may lead to fines and to orders that shut in wells.",
            ),
        ),
        RiskFactor(
            "liquidity_credit",
            "Our borrowing base is set twice a year by lenders who use their own price forecasts.",
            (
                "A lower borrowing base could require us to repay loans within six months.",
                "Covenants limit the ratio of net debt to earnings, and low prices could cause a default.",
                "Purchasers of our oil receive it before they pay, so we are exposed to their credit.",
            ),
        ),
        RiskFactor(
            "operational_supply_chain",
            "Drilling is hazardous and depends on contractors, pipelines and equipment that may be unavailable.",
            (
                "Blowouts, fires and spills can injure people and destroy wells, and not every loss is insured.",
                "When pipelines are full we must shut in production or accept lower prices.",
                "Shortages of sand, steel casing or crews delay the completion of wells.",
            ),
        ),
    ),
    risk_yearly=(
        "Two purchasers accounted for [[39.0-52.0]]% of {rev} in {fy}.",
        "We had hedged [[28.0-61.0]]% of expected {next_year} oil production at {year_end}.",
        "A decline of one dollar per barrel would have reduced {fy} cash flow by about $[[18.0-26.0]] million.",
    ),
    properties=("Our offices in {city} are owned, and field offices stand at Sandhill Junction and Copper Plains.",),
    properties_yearly=(
        "Our net acreage was [[412-468]] thousand acres at {year_end}, most of it held by production.",
        "Undeveloped leases covering [[9-31]] thousand net acres expire in {next_year}.",
    ),
    legal=(
        "Royalty owners in Copper Plains claim that we deducted too much for gathering and processing.",
        "We dispute these claims and have asked the court to decline certification of a class.",
    ),
    legal_yearly=(
        "The Oklahoma regulator proposed penalties of $[[0.2-0.9]] million in {fy} for spills at three sites.",
        "At {year_end}, [[14-37]] suits by owners of royalties were pending.",
    ),
    seasonality=(
        "Demand for natural gas is highest in winter.",
        "Cold weather can freeze wellheads and close roads to our sites.",
    ),
    market_risk=(
        "Commodity prices are our principal market risk, and we hedge part of our production for up to two years.",
    ),
    market_risk_yearly=(
        "A 10% rise in forward oil prices would have lowered the fair value of our hedges by $[[22.0-74.0]] million at "
        "{year_end}.",
        "Oil swaps covered [[9-17]] million barrels at {year_end}.",
    ),
    policies=(
        "We follow the successful efforts method of accounting for oil and gas properties.",
        "Proved properties are tested for impairment when prices fall, field by field.",
        "Revenue from oil is recognized when custody passes to the purchaser.",
    ),
    results_yearly=(
        "The realized oil price was ${oil_price} per barrel in {fy} compared with ${oil_price_prior} in {pfy}.",
        "The realized gas price was ${gas_price} per thousand cubic feet in {fy} compared with ${gas_price_prior} in "
        "{pfy}.",
        "Lease operating cost was $[[6.12-8.94]] per barrel of oil equivalent in {fy}.",
        "Production was {production} thousand barrels of oil equivalent per day in {fy}.",
    ),
    definitions=(
        "Adjusted EBITDA is defined as operating income before depletion, depreciation, impairment and stock-based "
        "compensation.",
        "We define free cash flow as net cash provided by operating activities less capital expenditures.",
    ),
    attributions={
        2018: ("Gathering costs rose in 2018 because pipelines out of the Sandhill Basin were full.",),
        2020: (
            "We shut in a fifth of our production in May 2020 as a result of the fall in demand during the pandemic.",
            "The impairment of 2020 was attributable to the collapse in prices that followed COVID-19.",
        ),
        2022: ("The cost of casing rose 41% in 2022, primarily due to disruption of the supply chain for steel.",),
        2023: ("Interest on the revolving credit facility rose in 2023 due to higher interest rates.",),
    },
)
