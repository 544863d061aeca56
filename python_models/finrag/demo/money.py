"""Amounts as whole numbers, and how a filing words them.

Money is counted in units of $100,000 so that one decimal of "million" is exact; dollars per share are counted in cents;
shares of something in basis points. Rounding is half up and never passes through a float.
"""

from __future__ import annotations

UNIT_USD = 100_000
BILLION = 10_000  # units in a billion dollars


def divide(numerator: int, denominator: int) -> int:
    """numerator / denominator to the nearest whole number, halves away from zero."""
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    quotient = (2 * abs(numerator) + denominator) // (2 * denominator)
    return quotient if numerator >= 0 else -quotient


def decimal(value: int, places: int) -> str:
    """A whole number of 10**-places as text, with thousands separators: decimal(23146, 1) is '2,314.6'."""
    if places == 0:
        return f"{value:,}"
    sign = "-" if value < 0 else ""
    whole, rest = divmod(abs(value), 10**places)
    return f"{sign}{whole:,}.{rest:0{places}d}"


class Amount:
    """Money; formats without its sign, because prose says 'loss' or 'decrease' instead.

    Format specs: m and m0 ($2,314.6 million, $2,315 million), b and b2 ($2.3 billion; millions below one billion),
    s ($2.3B), usd ($2,314,600,000), k (2,314,600, in thousands), x (2,314.6, in millions), p ($(12.3) million).
    Without a spec it takes the house style of the company.
    """

    def __init__(self, units: int, style: str = "m") -> None:
        self.units = units
        self.style = style

    def __format__(self, spec: str) -> str:
        return getattr(self, f"_{spec or self.style}")(abs(self.units))

    def __str__(self) -> str:
        return format(self)

    def _m(self, units: int) -> str:
        return f"${decimal(units, 1)} million"

    def _m0(self, units: int) -> str:
        return f"${decimal(divide(units, 10), 0)} million"

    def _b(self, units: int) -> str:
        return f"${decimal(divide(units, 1_000), 1)} billion" if units >= BILLION else self._m(units)

    def _b2(self, units: int) -> str:
        return f"${decimal(divide(units, 100), 2)} billion" if units >= BILLION else self._m(units)

    def _s(self, units: int) -> str:
        return f"${decimal(divide(units, 1_000), 1)}B" if units >= BILLION else f"${decimal(units, 1)}M"

    def _usd(self, units: int) -> str:
        return f"${decimal(units * UNIT_USD, 0)}"

    def _k(self, units: int) -> str:
        return decimal(units * UNIT_USD // 1_000, 0)

    def _x(self, units: int) -> str:
        return decimal(units, 1)

    def _p(self, units: int) -> str:
        return f"$({decimal(units, 1)}) million" if self.units < 0 else self._m(units)


class Percent:
    """A ratio, worded without its sign. Format specs: 1 (5.4%, the default), 0 (5%), bp (45 basis points).

    It keeps the ratio itself: rounding basis points once more to tenths of a percent would round twice.
    """

    def __init__(self, numerator: int, denominator: int = 10_000) -> None:
        self.numerator, self.denominator = numerator, denominator

    def scaled(self, parts: int) -> int:
        """The ratio in parts per one, to the nearest whole part."""
        return divide(self.numerator * parts, self.denominator)

    def __format__(self, spec: str) -> str:
        if spec == "bp":
            points = abs(self.scaled(10_000))
            return f"{points:,} basis point{'' if points == 1 else 's'}"
        places = int(spec or 1)
        return f"{decimal(abs(self.scaled(100 * 10**places)), places)}%"

    def __str__(self) -> str:
        return format(self)


class PerShare:
    """Dollars per share, in cents: $1.87; a loss per share stands in parentheses: $(0.41)."""

    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __format__(self, spec: str) -> str:
        text = decimal(abs(self.cents), 2)
        return f"$({text})" if self.cents < 0 and spec != "abs" else f"${text}"

    def __str__(self) -> str:
        return format(self)


class Metric:
    """A figure this year and last; verbs are the (rising, falling) pair that prose about it uses."""

    def __init__(self, now: int, prior: int, style: str, verbs: tuple[str, str] = ("increased", "decreased")) -> None:
        self.units, self.prior_units = now, prior
        self.now, self.prior, self.change = Amount(now, style), Amount(prior, style), Amount(now - prior, style)
        self.is_up = now >= prior
        self.rose = verbs[0] if self.is_up else verbs[1]
        self.rise = "increase" if self.is_up else "decrease"
        self.up = "up" if self.is_up else "down"
        self.widened = "widened" if abs(now) >= abs(prior) else "narrowed"

    @property
    def pct(self) -> Percent:
        """Change against last year, as a share of last year's absolute value."""
        return Percent(self.units - self.prior_units, abs(self.prior_units))

    @property
    def state(self) -> str:
        """'gain', 'loss', 'to_loss' or 'to_gain'."""
        if self.units < 0:
            return "loss" if self.prior_units < 0 else "to_loss"
        return "to_gain" if self.prior_units < 0 else "gain"

    def __format__(self, spec: str) -> str:
        return format(self.now, spec)
