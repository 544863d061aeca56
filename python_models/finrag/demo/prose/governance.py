"""The short items: 1B, 4, 5, 6, 9, 9A, 9B and 10 to 15."""

STAFF_COMMENTS = ("None.",)
MINE_SAFETY = ("Not applicable.",)
OTHER_INFORMATION = ("None.",)
ACCOUNTANTS = ("None.",)

PROPERTIES = ("We believe that our properties are well maintained and adequate for our present needs.",)
PROPERTIES_YEARLY = ("At {year_end} we occupied [[38-212]] sites, of which [[11-37]] were owned.",)

LEGAL = (
    "We are party to legal proceedings that arise in the ordinary course of business.",
    "We do not believe that the outcome of these proceedings will have a material adverse effect on our financial "
    "position.",
    "For a description of our material legal proceedings, see Note 6, Commitments and Contingencies, in Item 8 of this "
    "report.",
)

STOCK = (
    "Our common stock is listed on the {exchange} under the symbol {ticker}.",
    "The declaration of dividends is at the discretion of our board of directors.",
)
STOCK_NO_DIVIDENDS = ("We have never paid a cash dividend and do not expect to pay one in the foreseeable future.",)
STOCK_YEARLY = (
    "There were [[310-4890]] holders of record of our common stock at {year_end}.",
    "The closing price of our stock on the last trading day of {fy} was $[[11.20-148.60]].",
    "In the fourth quarter we withheld [[0.1-0.9]] million shares to cover taxes on vested awards.",
    "At {year_end}, [[1.2-9.7]] million shares remained available for grants.",
    "A stockholder who had invested $100 five years before {year_end} would have held $[[61-263]].",
)

SELECTED = (
    "The selected financial data should be read in conjunction with Item 7 and Item 8 of this report.",
    "(In thousands) {Rev} {revenue:k} and net income {net_income:k}.",
    "Total assets were [[88.0-141.0%rev]] at {year_end}.",
)
SELECTED_LOSS = (
    "The selected financial data should be read in conjunction with Item 7 and Item 8 of this report.",
    "(In thousands) {Rev} {revenue:k} and net loss ({net_income:k}).",
    "Total assets were [[88.0-141.0%rev]] at {year_end}.",
)
RESERVED = ("[Reserved]",)

CONTROLS = (
    "Our management, with the participation of the Chief Executive Officer and the Chief Financial Officer, evaluated "
    "the "
    "effectiveness of our disclosure controls and procedures.",
    "Based on that evaluation, they concluded that our disclosure controls and procedures were effective at the "
    "reasonable "
    "assurance level.",
    "Management is responsible for establishing and maintaining adequate internal control over financial reporting.",
    "Management assessed internal control using the criteria of the Committee of Sponsoring Organizations of the "
    "Treadway "
    "Commission.",
    "There were no changes in the last quarter that have materially affected our internal control over financial "
    "reporting.",
)
CONTROLS_YEARLY = (
    "The assessment as of {year_end} covered [[212-640]] key controls.",
    "Businesses acquired in {fy}, which held [[1.0-4.0]]% of total assets, were excluded from the assessment.",
    "We moved [[3-18]] entities to our new financial system during {fy}.",
)

PROXY = {
    "ITEM_10": (
        "The information required by this Item is incorporated by reference to the proxy statement for our {next_year} "
        "annual meeting of stockholders.",
        "We have adopted a code of ethics that applies to our senior financial officers.",
    ),
    "ITEM_11": ("Information about executive compensation is incorporated by reference to the proxy statement.",),
    "ITEM_12": ("Information about the ownership of our stock is incorporated by reference to the proxy statement.",),
    "ITEM_13": ("Information about related party transactions is incorporated by reference to the proxy statement.",),
    "ITEM_14": ("Information about the fees of our auditor is incorporated by reference to the proxy statement.",),
}

EXHIBITS = (
    "The following documents are filed as part of this report.",
    "Schedules are omitted because they are not applicable or the information is given elsewhere.",
    "3.1 Restated Certificate of Incorporation of {name} as amended.",
    "3.2 Bylaws of {name} as amended and restated.",
    "4.1 Description of Securities.",
    "21.1 Subsidiaries of the registrant.",
    "23.1 Consent of Independent Registered Public Accounting Firm.",
    "31.1 Certification of the Chief Executive Officer under Section 302 of the Sarbanes-Oxley Act.",
    "31.2 Certification of the Chief Financial Officer under Section 302 of the Sarbanes-Oxley Act.",
    "32.1 Certification under Section 906 of the Sarbanes-Oxley Act.",
)
EXHIBITS_YEARLY = (
    "10.[[1-9]] Form of Restricted Stock Unit Agreement for {fy}.",
    "10.[[11-19]] Amendment No. [[2-7]] to the Credit Agreement dated June {year}.",
    "10.[[21-29]] Executive Incentive Plan for {fy}.",
    "101 Interactive data of {name} for the year ended {year_end}.",
)
