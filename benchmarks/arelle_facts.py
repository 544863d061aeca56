"""Run by an interpreter that has Arelle: the numeric facts of an inline XBRL file that are seen, as Arelle reads them.

Without the network and so without the taxonomy: which contexts, units and values there are needs none of it.
"""

import json
import sys


def main() -> None:
    from arelle import Cntlr

    controller = Cntlr.Cntlr(logFileName="logToBuffer")
    controller.webCache.workOffline = True
    model = controller.modelManager.load(sys.argv[1])
    rows = [row(fact) for fact in model.modelDocument.xmlRootElement.iter("{*}nonFraction") if not is_hidden(fact)]
    json.dump(rows, sys.stdout)


def is_hidden(fact) -> bool:
    return any(True for _ in fact.iterancestors("{*}hidden"))


def row(fact) -> list:
    """concept, first day or null, last day, dimensions, unit, value or null where it is nil."""
    context, unit = fact.context, fact.unit
    above, below = ["*".join(str(measure) for measure in side) for side in unit.measures]
    dimensions = sorted(f"{name}={member(value)}" for name, value in context.qnameDims.items())
    days = context.period
    texts = {part.localName: part.textValue.strip()[:10] for part in days.iterchildren()}
    end = texts.get("instant") or texts.get("endDate")
    value = None if fact.isNil else fact.value
    return [
        str(fact.qname),
        texts.get("startDate"),
        end,
        "; ".join(dimensions),
        above + "/" * bool(below) + below,
        value,
    ]


def member(dimension) -> str:
    return str(dimension.memberQname if dimension.isExplicit else dimension.typedMember.textValue)


if __name__ == "__main__":
    main()
