"""Risk factors that companies share word for word, and sentences on what happened in a year.

COMMON is grouped by topic. A company keeps the same selection in all years, as filers do.
"""

from finrag.demo.profile import RiskFactor

INTRODUCTION = (
    "You should consider carefully the risks described below together with the other information in this report.",
    "If any of these risks occurs, our business, financial condition and results could be materially and adversely "
    "affected.",
)

COMMON = (
    RiskFactor(
        "general_risk",
        "Weak economic conditions could reduce demand for what we sell.",
        (
            "Demand depends on employment, confidence and the availability of credit, none of which we control.",
            "Inflation may raise our expenses faster than we can raise our prices.",
            "Volatility in financial markets makes it hard to predict our results and may depress the price of our "
            "stock.",
        ),
    ),
    RiskFactor(
        "general_risk",
        "We depend on key personnel and may be unable to replace them.",
        (
            "The loss of members of senior management could delay important decisions.",
            "Uncertainty about the plans of leaders may unsettle employees and investors.",
        ),
    ),
    RiskFactor(
        "cybersecurity_tech",
        "A failure of our information systems or a breach of their security could disrupt our business.",
        (
            "Cyber attacks are growing in number and skill, and attackers may remain undetected for months.",
            "A data breach could lead to claims, investigations, remediation costs and harm to our reputation.",
            "Phishing messages have deceived employees in the past and may do so again.",
            "Our insurance against cyber events has limits and exclusions.",
        ),
    ),
    RiskFactor(
        "regulatory",
        "We are subject to laws and regulations whose violation could be costly.",
        (
            "Compliance with new regulations may require spending that brings no revenue.",
            "Government agencies may investigate us, impose fines or restrict the way in which we do business.",
            "Changes in tax law could raise our effective tax rate.",
            "Anti-corruption laws apply to us and to agents who act on our behalf.",
        ),
    ),
    RiskFactor(
        "liquidity_credit",
        "Our indebtedness could limit our flexibility and expose us to default.",
        (
            "We must use a part of our cash flow to pay interest and principal.",
            "Our credit agreement contains financial covenants, and a breach could make all borrowings due at once.",
            "We may be unable to refinance maturing notes on acceptable terms.",
            "A downgrade of our credit ratings would raise the cost of borrowing and limit access to liquidity.",
        ),
    ),
    RiskFactor(
        "legal_ip_litigation",
        "Legal proceedings could result in significant liabilities.",
        (
            "The outcome of litigation is inherently uncertain, and even successful defenses are expensive.",
            "Class action lawsuits may be filed after a fall in the price of our stock.",
            "We may be unable to protect our trademarks, patents and other intellectual property.",
        ),
    ),
    RiskFactor(
        "market_competitive",
        "We face strong competition and may lose market share.",
        (
            "Some competitors have greater financial resources, longer histories and better known names.",
            "Pricing pressure could reduce our margins even if our volumes hold.",
            "Consolidation among competitors may give them advantages of scale.",
        ),
    ),
    RiskFactor(
        "operational_supply_chain",
        "Interruptions of our operations or of our supply chain could prevent us from serving customers.",
        (
            "Natural disasters, strikes, power failures and public health emergencies may close our facilities.",
            "Suppliers may fail to deliver on time or may go out of business.",
            "Business continuity plans cannot foresee every event.",
        ),
    ),
    RiskFactor(
        "general_risk",
        "Acquisitions may not bring the benefits that we expect.",
        (
            "Integration takes the time of managers and may cost more than planned.",
            "Goodwill recorded in acquisitions is subject to impairment, which would reduce our earnings.",
        ),
    ),
    RiskFactor(
        "general_risk",
        "The price of our common stock may be volatile.",
        (
            "Our results may differ from the expectations of analysts and investors.",
            "Sales of large numbers of shares could depress the price of our stock.",
        ),
    ),
)

HAPPENED = {
    "cybersecurity_tech": (
        "In {fy} we blocked [[3-9]] attempts to plant ransomware, all resulting from stolen credentials of vendors.",
        "Spending on information security rose [[11.0-38.0]]% in {fy} because of the growing number of phishing "
        "attacks.",
        "In {fy} an outage of [[4-19]] hours affected our ordering systems as a result of a faulty software update.",
        "We notified [[1200-9800]] people of a data breach in {fy}, attributable to a compromised service provider.",
        "Cyber insurance premiums rose [[14.0-62.0]]% in {fy}, driven by losses across the insurance market.",
        "Multi-factor authentication was extended to [[81.0-99.0]]% of our users in {fy} owing to an increase in cyber "
        "attacks.",
        "In {fy} a denial-of-service attack slowed our websites for [[2-11]] hours due to unpatched network equipment.",
    ),
    "regulatory": (
        "Compliance costs rose by $[[0.6-6.9]] million in {fy} due to new regulations on privacy.",
        "In {fy} we paid $[[0.2-2.9]] million of fines because of late filings with regulatory agencies.",
        "An inquiry by the Securities and Exchange Commission, or SEC, was closed in {fy} after [[7-25]] months.",
        "Permits for [[2-9]] projects were delayed in {fy} as a result of new regulatory reviews.",
        "In {fy}, [[3-14]] states adopted laws on data protection that apply to us, which added to the cost of "
        "compliance.",
        "Import duties cost us $[[0.7-9.8]] million in {fy}, driven by changes in trade regulations.",
    ),
    "liquidity_credit": (
        "In {fy} one agency lowered its outlook on our credit ratings owing to weaker cash flow.",
        "Our commitment fees rose [[5.0-24.0]]% in {fy} because lenders tightened the terms of revolving credit.",
        "We amended a covenant in {fy} as a result of the adoption of new lease accounting, with consent of [[6-14]] "
        "lenders.",
        "Customers representing [[1.0-5.0]]% of receivables defaulted in {fy} due to bankruptcies.",
        "Access to the commercial paper market was closed for [[6-31]] days in {fy}, reflecting stress in money "
        "markets.",
        "In {fy} we refinanced a facility [[5-14]] months before its maturity because liquidity in credit markets was "
        "favorable.",
    ),
    "operational_supply_chain": (
        "Deliveries from [[9-48]] suppliers were late in {fy} because of shortages in the supply chain.",
        "A fire closed one of our facilities for [[5-41]] days in {fy}, resulting in the loss of production.",
        "Lead times for critical parts rose by [[2-13]] weeks in {fy} as a result of congestion at ports.",
        "In {fy} we qualified [[2-11]] additional suppliers owing to dependence on sole sources.",
        "Absences of employees reached [[4.0-17.0]]% in some weeks of {fy} due to illness.",
        "Weather closed [[3-37]] of our sites for at least a day in {fy}, which disrupted operations and shipments.",
    ),
    "market_competitive": (
        "In {fy} we lost [[2-9]] large customers to competitors, driven by aggressive pricing.",
        "At least [[2-6]] new competitors entered our markets in {fy} because barriers to entry have fallen.",
        "We reduced prices on [[3.0-16.0]]% of what we sell in {fy} as a result of competitive pressure.",
        "Surveys put our market share at [[7.0-24.0]]% in {fy}, a change attributable to consolidation among "
        "competitors.",
        "Advertising by our largest competitor rose [[9.0-46.0]]% in {fy}, reflecting its entry into our core markets.",
        "Bids won were [[21.0-44.0]]% of bids made in {fy}, lower than planned due to pricing pressure.",
    ),
    "legal_ip_litigation": (
        "Legal fees rose [[8.0-41.0]]% in {fy} due to patent litigation.",
        "We were served with [[4-29]] new lawsuits in {fy}, most of them resulting from wage claims.",
        "A settlement of $[[0.9-9.6]] million was reached in {fy} because of the uncertainty of a jury trial.",
        "In {fy} we abandoned [[2-19]] trademarks as a result of objections by other owners.",
        "The renewal premium for liability insurance rose [[6.0-33.0]]% in {fy}, driven by large verdicts.",
        "Two of our patents were held invalid in {fy} owing to earlier publications found after [[3-12]] years.",
    ),
}
"""What happened in the year, by topic: mostly causal sentences, a different one each year."""
