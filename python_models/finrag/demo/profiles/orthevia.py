"""Orthevia Medical Devices: implants and instruments for the spine and the joints."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="orthevia",
    cik=9000009,
    name="Orthevia Medical Devices, Inc.",
    ticker="ORVM",
    exchange="NYSE",
    sic="3841",
    industry="medical devices",
    state="MN",
    location="MN",
    city="Osprey Lake, Minnesota",
    founded=1998,
    year_end=(12, 31),
    layout="edgar_crawler",
    heading="Item {item}.\n{title}",
    revenue="Net sales",
    revenue_plural=True,
    cost="Cost of sales",
    expenses="Selling, general and administrative expenses",
    money_style="m",
    bullets_apart=True,
    shape=Shape(
        revenue_2017=9_342,
        growth=(718, 613, -942, 1_684, 487, 872),
        gross=(6_614, 6_642, 6_587, 6_281, 6_523, 6_372, 6_491),
        operating=(1_483, 1_521, 1_462, 788, 1_413, 1_221, 1_383),
        research=740,
        depreciation=590,
        capex=(540, 560, 610, 430, 480, 620, 570),
        working_capital=(-140, -90, -180, 240, -60, -380, -70),
        tax=1_830,
        debt_2017=4_800,
        debt_moves=(-300, 1_200, 0, 900, -700, -400),
        rate=(372, 379, 383, 364, 351, 388, 446),
        shares=(531, 527, 522, 520, 518, 512, 506),
    ),
    segments=(
        Segment(
            "Spine",
            4_820,
            -60,
            (
                "the launch of the Vertigrip fixation system",
                "more procedures with our navigation software",
                "new surgeon customers in Germany",
            ),
            (
                "elective procedures that were postponed",
                "lower prices under group contracts",
                "the recall of a screw driver",
            ),
        ),
        Segment(
            "Joint Repair",
            3_930,
            20,
            (
                "demand for the Kestrel knee",
                "the shift of procedures to surgery centers",
                "the approval of the Kestrel knee in Japan",
            ),
            (
                "elective procedures that were postponed",
                "shortages of sterile packaging",
                "competition from robotic systems",
            ),
        ),
        Segment(
            "Enabling Technologies",
            1_250,
            40,
            (
                "placements of navigation systems",
                "growth in disposables used with navigation systems",
                "service contracts on a larger installed base",
            ),
            ("hospitals delaying purchases of equipment", "fewer placements of systems", "lower sales of disposables"),
        ),
    ),
    series={
        "employees": (3_410, 3_520, 3_640, 3_450, 3_590, 3_710, 3_760),
        "representatives": (612, 634, 655, 641, 662, 684, 701),
        "countries": (38, 41, 43, 44, 46, 47, 49),
        "procedures": (214, 228, 241, 212, 246, 259, 283),
        "clearances": (9, 12, 11, 7, 10, 13, 12),
        "installed": (186, 231, 288, 316, 371, 422, 488),
    },
    revenue_causes=(
        "the launch of the Vertigrip fixation system",
        "growth in procedures and the shift to surgery centers",
        "the postponement of elective procedures in the second quarter",
        "the recovery of elective procedures",
        "demand for the Kestrel knee and placements of navigation systems",
        "higher procedure volumes as hospitals reduced their waiting lists",
    ),
    revenue_offsets=(
        "lower prices under contracts with purchasing groups",
        "a stronger dollar",
        "growth in disposables used with navigation systems",
        "shortages of staff at hospitals",
        "unfavorable exchange rates",
        "lower prices in China after central purchasing",
    ),
    operating_causes=(
        "higher sales of Vertigrip and lower costs of instrument sets",
        "higher sales, net of the cost of complying with the European Medical Device Regulation",
        "lower sales and unabsorbed overhead at the Osprey Lake plant",
        "the recovery of sales and lower travel expenses",
        "inflation of titanium, freight and wages",
        "higher sales and the closing of the Verdant plant",
    ),
    business=(
        "{name} designs, makes and sells implants and instruments for surgery of the spine, the knee and the shoulder.",
        "Implants are sold to hospitals and surgery centers by our own representatives and by distributors abroad.",
        "Instrument sets are lent to hospitals for each procedure and returned for cleaning.",
        "We machine most implants ourselves from titanium, cobalt chrome and polymer.",
        "Products must be cleared by the FDA in the United States and certified by notified bodies in Europe.",
        "Surgeons take part in the design of many of our products and are paid royalties or fees under written "
        "agreements.",
        "Hospitals are reimbursed for procedures by Medicare and by private insurers.",
        "We hold patents on fixation, instruments and navigation, the last of which expires in 2039.",
        "Three competitors are much larger than we are and offer robotic systems.",
        "Quality systems at our plants are certified under ISO 13485.",
    ),
    business_yearly=(
        "Our products were used in about {procedures} thousand procedures in {fy}, compared with {procedures_prior} "
        "thousand "
        "in {pfy}.",
        "We received {clearances} clearances from the FDA during {fy}.",
        "At {year_end}, {representatives} representatives sold our products, which were available in {countries} "
        "countries.",
        "The installed base of navigation systems was {installed} at {year_end}.",
        "Surgery centers accounted for [[14.0-29.0]]% of {rev} in the United States in {fy}.",
    ),
    risks=(
        RiskFactor(
            "regulatory",
            "Our products cannot be sold without clearances that are costly to obtain and easy to lose.",
            (
                "The FDA may find that a change to a cleared product requires a new submission.",
                "The European Medical Device Regulation requires new clinical evidence for products sold for many "
                "years.",
                "Inspections of our plants may lead to warning letters, recalls and fines.",
                "Laws against kickbacks limit the ways in which we may pay surgeons for their advice.",
            ),
        ),
        RiskFactor(
            "legal_ip_litigation",
            "Patients may sue us over implants, and competitors may sue us over patents.",
            (
                "Product liability lawsuits can be brought many years after an implant is sold.",
                "Patent litigation among makers of implants is common and expensive.",
                "A verdict above our insurance would have to be paid from our own funds.",
            ),
        ),
        RiskFactor(
            "operational_supply_chain",
            "Titanium, packaging and sterilization come from very few suppliers.",
            (
                "Only two plants in the United States sterilize our implants, and one may close under emission rules.",
                "A shortage of sterile packaging has stopped shipments before and may do so again.",
                "Lead times for titanium bar exceed a year when aircraft makers order heavily.",
            ),
        ),
        RiskFactor(
            "market_competitive",
            "Larger competitors tie their implants to robotic systems that we do not offer.",
            (
                "Hospitals that buy a robot from a competitor tend to buy its implants as well.",
                "Purchasing groups award contracts to two or three suppliers and press for lower prices.",
                "Surgeons trained on the systems of competitors may not return to ours.",
            ),
        ),
    ),
    risk_yearly=(
        "Contracts with purchasing groups covered [[57.0-68.0]]% of {rev} in the United States in {fy}.",
        "Our largest supplier of titanium provided [[61.0-74.0]]% of our requirements in {fy}.",
        "Sales outside the United States were [[31.0-37.0]]% of {rev} in {fy}.",
    ),
    properties=("We own plants in {city} and lease a distribution center in Tilburg, the Netherlands.",),
    properties_yearly=(
        "Our plants had [[402-448]] thousand square feet at {year_end}.",
        "The Osprey Lake plant ran [[2-3]] shifts and was [[66.0-91.0]]% utilized in {fy}.",
    ),
    legal=("Patients implanted with an early version of the Kestrel knee have sued us in state courts.",),
    legal_yearly=(
        "At {year_end}, [[41-126]] lawsuits over the Kestrel knee were pending.",
        "Insurers reimbursed $[[0.9-4.8]] million of defense costs in {fy}.",
    ),
    seasonality=(
        "Procedures are fewer in the third quarter, when patients and surgeons take vacations.",
        "The fourth quarter benefits from patients who have met their insurance deductibles.",
    ),
    market_risk=("About a third of our sales are in euros, yen and pounds.",),
    market_risk_yearly=(
        "A 10% strengthening of the dollar would have reduced sales by [[2.8-3.7]]% in {fy}.",
        "Forward contracts with a notional amount of $[[61.0-118.0]] million were outstanding at {year_end}.",
    ),
    policies=(
        "Sales of implants held at hospitals are recognized when the implant is used.",
        "Instrument sets are capitalized and depreciated over five years.",
        "Inventories include slow-moving sizes that every set must contain, and a reserve is kept against them.",
    ),
    results_yearly=(
        "Procedures with our products {revenue.rose} to {procedures} thousand in {fy} from {procedures_prior} "
        "thousand.",
        "Average selling prices fell [[1.1-3.2]]% in {fy}.",
        "Research and development expenses {research.rose} to {research} in {fy} from {research.prior} in {pfy}, "
        "reflecting "
        "the pace of clinical work for Europe.",
        "We placed [[31-66]] navigation systems during {fy}.",
    ),
    definitions=(
        "Adjusted EBITDA is defined as operating income before depreciation, amortization and stock-based "
        "compensation.",
        "We define constant currency growth as growth computed at the exchange rates of the prior year.",
    ),
    attributions={
        2019: ("The recall of a screw driver cost $8.8 million in 2019, because every set had to be replaced.",),
        2020: (
            "Net sales fell in the second quarter of 2020 as a result of elective procedures postponed in the "
            "pandemic.",
        ),
        2021: ("Hospital purchases of equipment resumed in 2021 as the pandemic eased.",),
        2022: (
            "Foreign currency cost us $31.4 million in 2022, primarily due to the weaker euro and yen.",
            "Inventories rose in 2022 owing to supply chain shortages that kept finished sets incomplete.",
        ),
        2023: ("Interest on the term loan rose in 2023, driven by higher benchmark interest rates.",),
    },
)
