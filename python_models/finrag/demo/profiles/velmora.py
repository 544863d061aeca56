"""Velmora Therapeutics: a maker of medicines for rare diseases of the kidney and the eye."""

from finrag.demo.profile import Profile, RiskFactor, Segment, Shape

PROFILE = Profile(
    key="velmora",
    cik=9000004,
    name="Velmora Therapeutics, Inc.",
    ticker="VLMT",
    exchange="NASDAQ",
    sic="2834",
    industry="pharmaceuticals",
    state="DE",
    location="MA",
    city="Tern Harbor, Massachusetts",
    founded=2006,
    year_end=(12, 31),
    layout="finsights",
    heading="merged",
    revenue="Net product revenues",
    revenue_plural=True,
    cost="Cost of product revenues",
    expenses="Selling, general and administrative expenses",
    money_style="m",
    lower_case_items=True,
    shape=Shape(
        revenue_2017=6_118,
        growth=(843, 1_791, 2_234, 1_262, 608, 1_483),
        gross=(8_104, 8_052, 8_231, 8_297, 8_213, 8_142, 8_279),
        operating=(-602, -413, 324, 981, 1_263, 891, 1_427),
        research=3_350,
        depreciation=510,
        capex=(420, 610, 540, 460, 380, 350, 410),
        working_capital=(-90, 40, -160, -70, 120, -140, 60),
        tax=1_240,
        debt_2017=3_500,
        debt_moves=(500, 0, 1_750, 0, -1_000, -250),
        rate=(212, 218, 224, 231, 232, 236, 241),
        shares=(842, 861, 878, 904, 921, 917, 926),
        pays_dividends=False,
    ),
    segments=(
        Segment(
            "Nephrology",
            5_820,
            -120,
            (
                "more patients treated with Renvalta",
                "the approval of Renvalta for adolescents",
                "higher demand for Renvalta in Europe",
            ),
            (
                "a price reduction for Renvalta in Germany",
                "inventory drawn down by wholesalers",
                "larger Medicaid rebates",
            ),
        ),
        Segment(
            "Ophthalmology",
            2_940,
            150,
            (
                "the launch of Ocusend eye drops in eleven countries",
                "longer persistence of patients on Ocusend",
                "a new reimbursement code for Ocusend",
            ),
            ("fewer visits to eye clinics", "competition from a generic eye drop", "larger co-payment assistance"),
        ),
        Segment(
            "Partnered Products",
            1_240,
            -30,
            (
                "royalties on partnered sales in Japan",
                "shipments of clinical supply to partners",
                "a milestone earned from our partner in Korea",
            ),
            ("the end of a supply agreement", "lower royalties from Japan", "the timing of milestones"),
        ),
    ),
    series={
        "employees": (1_210, 1_335, 1_460, 1_590, 1_680, 1_790, 1_845),
        "patients": (6_100, 7_000, 8_300, 9_600, 10_900, 11_700, 13_100),
        "countries": (21, 24, 27, 29, 31, 34, 37),
        "trials": (11, 13, 14, 12, 15, 16, 14),
        "programs": (7, 8, 9, 9, 8, 10, 11),
        "wholesalers": (86, 87, 88, 87, 89, 88, 90),
    },
    revenue_causes=(
        "growth in the number of patients treated with Renvalta",
        "the launch of Ocusend and the approval of Renvalta in Europe",
        "the approval of Renvalta for adolescents and continued uptake of Ocusend",
        "longer persistence of patients and net price increases",
        "growth in unit volume outside the United States",
        "the new reimbursement code for Ocusend and launches in three countries",
    ),
    revenue_offsets=(
        "higher rebates to government programs",
        "wholesalers drawing down inventories in the first quarter",
        "fewer diagnoses while clinics were closed",
        "a price reduction in Germany",
        "unfavorable exchange rates",
        "larger discounts to pharmacy benefit managers",
    ),
    operating_causes=(
        "lower spending on the discontinued VL-207 program",
        "growth in product revenues on a stable cost base",
        "lower travel and conference costs and a milestone from our partner in Korea",
        "higher gross profit from Renvalta",
        "the start of two late-stage trials and higher selling expenses for Ocusend",
        "higher gross profit and the completion of the AURORA trial",
    ),
    business=(
        "{name} develops and sells medicines for rare diseases of the kidney and the eye.",
        "Our marketed products are Renvalta, a tablet for a hereditary kidney disease, and Ocusend, an eye drop.",
        "Both products have orphan designation in the United States and the European Union.",
        "Drug substance is made by two contract manufacturers, and tablets are finished at our site in Tern Harbor.",
        "Physicians at about 900 specialist centers prescribe most of our products.",
        "Patients receive Renvalta through a network of specialty pharmacies.",
        "The U.S. Food and Drug Administration, or FDA, regulates the testing, making and promotion of our products.",
        "Composition patents for Renvalta expire in 2033 in the United States and in 2034 in Europe.",
        "We collaborate with partners in Japan and Korea, who pay us royalties and milestones.",
        "Larger companies with more clinical and commercial resources pursue the same diseases.",
    ),
    business_yearly=(
        "About {patients:,} patients were being treated with our products at {year_end}, compared with "
        "{patients_prior:,} a "
        "year earlier.",
        "Our products were sold in {countries} countries at {year_end}.",
        "At {year_end} we were conducting {trials} clinical trials in {programs} programs.",
        "Three wholesalers accounted for {wholesalers}% of gross product sales in {fy}.",
        "We enrolled [[240-690]] patients in clinical trials during {fy}.",
    ),
    risks=(
        RiskFactor(
            "regulatory",
            "Our medicines may be sold only as long as regulators are satisfied with their safety and effectiveness.",
            (
                "The FDA may require further trials, narrow an approved label or withdraw an approval.",
                "A failure to comply with rules on manufacturing could lead to warning letters, recalls and fines.",
                "Promotion beyond the approved label may bring civil and criminal penalties.",
                "Legislation may cap the prices of our medicines or shorten orphan exclusivity.",
            ),
        ),
        RiskFactor(
            "legal_ip_litigation",
            "Generic manufacturers may challenge the patents that protect Renvalta.",
            (
                "A generic company may file an application that asserts our patents to be invalid or not infringed.",
                "Patent litigation is costly, and the outcome of a trial cannot be predicted.",
                "Third parties may claim that our manufacturing process uses their intellectual property.",
            ),
        ),
        RiskFactor(
            "operational_supply_chain",
            "We rely on two contract manufacturers for the drug substance in all of our products.",
            (
                "A failure at either manufacturer could interrupt supply for longer than our safety stocks last.",
                "Transferring a process to another facility takes about two years and requires approval by regulators.",
                "Shipments of eye drops must stay between two and eight degrees, and a break in cooling destroys them.",
            ),
        ),
        RiskFactor(
            "liquidity_credit",
            "We have incurred losses in the past and may need to raise capital on poor terms.",
            (
                "Our convertible notes mature in 2027, and we may be unable to refinance them.",
                "The term loan contains covenants that limit acquisitions, dividends and further borrowing.",
                "A delay in reimbursement by government payers would reduce our cash flow.",
            ),
        ),
    ),
    risk_yearly=(
        "Renvalta accounted for [[51.0-59.0]]% of {rev} in {fy}.",
        "Government programs paid for [[38.0-46.0]]% of the units sold in the United States in {fy}.",
        "We held safety stocks of drug substance for [[5-11]] months at {year_end}.",
    ),
    properties=("We lease laboratories and offices in {city} under a lease that ends in 2031.",),
    properties_yearly=(
        "Our leased space in {city} came to [[212-268]] thousand square feet at {year_end}.",
        "The finishing plant operated at [[52.0-83.0]]% of its capacity in {fy}.",
    ),
    legal=(
        "Two generic manufacturers have filed applications to sell copies of Renvalta, and we sued each within 45 "
        "days.",
        "A stockholder filed a derivative action in Massachusetts over statements about the VL-207 trial.",
    ),
    legal_yearly=(
        "The stay of approval in the Renvalta cases ends [[14-28]] months after {year_end}.",
        "We spent $[[2.1-9.4]] million on patent litigation in {fy}.",
    ),
    seasonality=(
        "Sales in the first quarter are often lower, because patients change insurance plans and wholesalers reduce "
        "stocks.",
        "Eye clinics see fewer patients in August, which slows new starts on Ocusend.",
    ),
    market_risk=("We sell in euros, yen and Swiss francs and hedge part of this exposure with options.",),
    market_risk_yearly=(
        "A 10% strengthening of the dollar would have reduced operating results by $[[2.2-7.9]] million in {fy}.",
        "The average maturity of our marketable securities was [[7-14]] months at {year_end}.",
    ),
    policies=(
        "Product revenues are recorded net of rebates, chargebacks, discounts and returns.",
        "Milestones from partners are recognized when it is probable that they will not be reversed.",
        "Research costs are expensed as incurred, including payments to contract research organizations.",
    ),
    results_yearly=(
        "Gross-to-net adjustments were [[21.0-31.0]]% of gross product sales in {fy}.",
        "Research and development expenses {research.rose} to {research} in {fy}, reflecting {trials} active trials.",
        "About [[1150-2350]] patients started treatment during {fy}.",
        "Selling expenses in Europe {revenue.rose} [[4.2-17.8]]% in {fy} as launches continued.",
    ),
    definitions=(
        "Adjusted EBITDA is defined as operating income or loss before depreciation, amortization and stock-based "
        "compensation.",
        "Non-GAAP research expense excludes stock-based compensation and payments for acquired licenses.",
    ),
    attributions={
        2018: ("Spending on VL-207 ended in 2018 because the trial missed its primary endpoint.",),
        2020: (
            "New patient starts slowed in 2020 as a result of the COVID-19 pandemic and the closing of eye clinics.",
            "Travel and conference costs fell $11.8 million in 2020, primarily due to the pandemic.",
        ),
        2021: (
            "Supply chain delays at a contract manufacturer reduced shipments of Ocusend in the third quarter of 2021.",
        ),
        2022: ("Foreign currency exchange rates cost us $19.6 million in 2022, because the euro was weak.",),
        2023: ("Interest on the term loan rose in 2023 due to higher benchmark interest rates.",),
    },
)
