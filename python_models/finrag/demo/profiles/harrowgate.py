"""Harrowgate Insurance Group: a property and casualty insurer with a small savings bank."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="harrowgate",
    cik=9000003,
    name="Harrowgate Insurance Group, Inc.",
    ticker="HGIG",
    exchange="NYSE",
    sic="6331",
    industry="insurance",
    state="CT",
    location="CT",
    city="Harrowgate, Connecticut",
    founded=1908,
    year_end=(12, 31),
    layout="finsights",
    heading="merged",
    revenue="Total revenues",
    revenue_plural=True,
    cost="Losses and loss adjustment expenses",
    expenses="Underwriting and other expenses",
    money_style="b",
    shape=Shape(
        revenue_2017=39_207,
        growth=(412, 524, 273, 641, 788, 931),
        gross=None,
        operating=(983, 812, 1_021, 908, 1_143, 523, 871),
        research=0,
        depreciation=140,
        capex=(92, 96, 88, 74, 81, 85, 93),
        working_capital=(420, 510, 460, 640, 580, 390, 520),
        tax=1_920,
        debt_2017=7_500,
        debt_moves=(0, 500, 0, 1_000, 0, 1_500),
        rate=(512, 511, 506, 471, 462, 466, 489),
        shares=(742, 738, 731, 729, 718, 706, 701),
    ),
    segments=(
        Segment(
            "Personal Lines",
            4_480,
            -20,
            (
                "rate increases and growth in policies in force",
                "higher retention of homeowners customers",
                "the expansion into three mountain states",
            ),
            (
                "fewer new automobile policies",
                "premium credits granted to drivers",
                "our withdrawal from coastal counties",
            ),
        ),
        Segment(
            "Commercial Lines",
            4_190,
            30,
            (
                "rate increases in property and workers' compensation",
                "higher payrolls of insured businesses",
                "growth in small commercial packages",
            ),
            (
                "lower payrolls of insured businesses",
                "the non-renewal of large property accounts",
                "softer rates in casualty",
            ),
        ),
        Segment(
            "Investments and Banking",
            1_330,
            -10,
            (
                "higher yields on newly invested fixed maturities",
                "growth in the average balance of invested assets",
                "realized gains on equity securities",
            ),
            (
                "realized losses on equity securities",
                "lower yields on short-term investments",
                "smaller distributions from limited partnerships",
            ),
        ),
    ),
    series={
        "policies": ("3.42", "3.51", "3.63", "3.68", "3.79", "3.88", "3.97"),
        "combined": ("97.4", "98.8", "96.9", "97.9", "95.8", "101.6", "98.3"),
        "combined_change": (
            "deteriorated 0.9 points",
            "deteriorated 1.4 points",
            "improved 1.9 points",
            "deteriorated 1.0 point",
            "improved 2.1 points",
            "deteriorated 5.8 points",
            "improved 3.3 points",
        ),
        "catastrophes": ("148.2", "203.6", "139.7", "211.4", "176.9", "342.8", "268.1"),
        "agencies": (2_140, 2_180, 2_215, 2_230, 2_264, 2_301, 2_318),
        "employees": (7_850, 7_910, 8_040, 7_980, 7_890, 8_010, 8_120),
        "retention": ("84.1", "83.8", "84.6", "85.9", "85.2", "83.1", "82.7"),
    },
    revenue_causes=(
        "rate increases in homeowners and growth in policies in force",
        "higher earned premiums in commercial lines and a larger investment portfolio",
        "growth in small commercial packages",
        "rate increases in commercial property and gains on equity securities",
        "double-digit rate increases in automobile and property lines",
        "rate increases across all lines and higher yields on fixed maturities",
    ),
    revenue_offsets=(
        "realized losses on equity securities in the fourth quarter",
        "the non-renewal of unprofitable coastal policies",
        "premium credits of $48.5 million granted to drivers during the pandemic",
        "lower yields on short-term investments",
        "realized losses on equity securities",
        "a decline in policy retention",
    ),
    operating_causes=(
        "hurricane losses and adverse development in commercial automobile",
        "a quieter catastrophe season and better results in workers' compensation",
        "wildfire losses and a provision for business interruption claims",
        "favorable development of prior-year reserves and strong investment income",
        "the winter storm of December 2022 and the rising cost of vehicle repairs",
        "earned rate increases that outpaced loss cost inflation",
    ),
    business=(
        "{name} is a holding company whose subsidiaries insure homes, vehicles and businesses in 31 states.",
        "The first subsidiary was founded by mill owners in {founded} to insure one another against fire.",
        "Policies are sold by independent agents, who are paid commissions on premiums and on profitability.",
        "Harrowgate Savings Bank takes deposits from agents and policyholders in Connecticut and Rhode Island.",
        "We buy reinsurance against catastrophes, and the program is renewed on June 1 of each year.",
        "Rates and policy forms must be filed with the insurance department of each state.",
        "Claims are handled by our own adjusters, who work from eleven regional offices.",
        "The investment portfolio consists mainly of fixed maturities of investment grade.",
        "We compete with national direct writers, regional mutuals and specialty insurers.",
        "Insurance subsidiaries are rated by independent agencies, and a lower rating would cost us agents.",
    ),
    business_yearly=(
        "We insured {policies} million policies at {year_end} and worked with {agencies:,} independent agencies.",
        "The reinsurance program for {next_year} covers $[[410-690]] million of losses above a retention of $[[60-95]] "
        "million.",
        "Policy retention in personal lines was {retention}% in {fy} compared with {retention_prior}% in {pfy}.",
        "Three states accounted for [[37.0-43.0]]% of direct premiums written in {fy}.",
        "Filed rate changes averaged [[2.1-9.8]]% in {fy}.",
    ),
    risks=(
        RiskFactor(
            "general_risk",
            "Catastrophes are unpredictable and may exhaust our reinsurance.",
            (
                "Hurricanes, wildfires, hail and winter storms can produce losses far above those of an average year.",
                "Models of catastrophes are uncertain and have understated losses from hail and wildfire in the past.",
                "A change in climate may make events more frequent than the experience on which our rates are based.",
            ),
        ),
        RiskFactor(
            "liquidity_credit",
            "We depend on dividends from insurance subsidiaries, and regulators may restrict them.",
            (
                "The holding company has no operations of its own and needs these dividends to pay interest on its "
                "notes.",
                "A downgrade of our financial strength rating could trigger collateral requirements and reduce our "
                "liquidity.",
                "Reinsurers may default on recoverables just when a large catastrophe makes us depend on them.",
                "A rapid rise in claims could force us to sell bonds at a loss to meet cash flow needs.",
            ),
        ),
        RiskFactor(
            "regulatory",
            "State insurance regulation limits the rates we may charge and the states we may leave.",
            (
                "Insurance departments may reject, delay or reduce rate increases that our loss experience supports.",
                "Several states require insurers to take part in assigned risk pools whatever their losses.",
                "New laws on privacy and on the use of credit data could prohibit factors that we use in pricing.",
            ),
        ),
        RiskFactor(
            "market_competitive",
            "Direct writers and new entrants compete for our best customers.",
            (
                "Competitors that sell over the internet pay no commissions to agents and may undercut our prices.",
                "Insurers with data from vehicles can select the safest drivers and leave the others to us.",
                "Price competition tends to intensify after years with few catastrophes.",
            ),
        ),
    ),
    risk_yearly=(
        "Catastrophe losses before reinsurance were ${catastrophes} million in {fy} compared with "
        "${catastrophes_prior} "
        "million in {pfy}.",
        "Our three largest reinsurers owed us [[41.0-57.0]]% of all recoverables at {year_end}.",
        "Bonds rated below investment grade were [[3.1-5.9]]% of the portfolio at {year_end}.",
    ),
    properties=("We own our headquarters in {city}, a campus of four buildings.",),
    properties_yearly=(
        "Regional claims offices occupied [[118-164]] thousand square feet of leased space at {year_end}.",
        "The savings bank operated [[9-12]] branches at {year_end}, all of them leased.",
    ),
    legal=(
        "Like other insurers, our subsidiaries are defendants in lawsuits over coverage that arise in the ordinary "
        "course.",
        "A restaurant owner seeks to represent a class of policyholders whose claims for business interruption were "
        "denied.",
    ),
    legal_yearly=(
        "At {year_end}, [[19-64]] coverage actions concerning business interruption were pending.",
        "The appellate court heard argument in the roofing depreciation case [[3-10]] months before {year_end}.",
    ),
    seasonality=(
        "Storm losses are heaviest in the second and third quarters.",
        "Winter weather affects losses in the first quarter of most years.",
    ),
    market_risk=("Our largest market risk is the effect of interest rates on the fair value of fixed maturities.",),
    market_risk_yearly=(
        "The duration of the fixed maturity portfolio was [[3.6-4.9]] years at {year_end}.",
        "A rise of 100 basis points would have lowered the fair value of fixed maturities by [[3.4-4.8]]% at "
        "{year_end}.",
    ),
    policies=(
        "Premiums are earned ratably over the terms of the policies.",
        "Reserves for losses are estimates of the ultimate cost of claims that have occurred, reported or not.",
        "Deferred acquisition costs are amortized over the period in which the premiums are earned.",
    ),
    results_yearly=(
        "The combined ratio {combined_change} to {combined}% in {fy}.",
        "Catastrophe losses net of reinsurance contributed [[4.1-9.8]] points to the combined ratio in {fy}.",
        "Reserves of earlier accident years developed favorably by $[[8.4-61.9]] million in {fy}.",
        "Policies in force {revenue.rose} to {policies} million at {year_end}.",
    ),
    definitions=(
        "The combined ratio is defined as the sum of losses, loss adjustment expenses and underwriting expenses "
        "divided by "
        "earned premiums.",
        "We define retention as the share of policies due for renewal that were renewed.",
    ),
    attributions={
        2018: ("Net investment income fell short of plan in 2018 because of lower distributions from partnerships.",),
        2020: (
            "Automobile claims declined in 2020 because the pandemic kept drivers at home.",
            "Premium credits of $48.5 million were granted in 2020 as a result of COVID-19.",
        ),
        2022: ("Unrealized losses on fixed maturities arose in 2022, primarily due to the rise in interest rates.",),
        2023: ("Net investment income rose 22.4% in 2023, driven by higher interest rates on new purchases of bonds.",),
    },
)
