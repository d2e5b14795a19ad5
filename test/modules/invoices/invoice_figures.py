"""Reckons invoices by the decimal module alone. Reads one JSON list of invoices, and writes their figures."""

import json
import sys
from decimal import ROUND_HALF_UP, Decimal, getcontext

getcontext().prec = 200
ONE = Decimal(1)


def share(amount, bps):
    return (amount * Decimal(bps) / Decimal(10000)).quantize(ONE, rounding=ROUND_HALF_UP)


def line_figures(line):
    subtotal = Decimal(line["quantity"]) * Decimal(line["unit_amount"])
    discount = share(subtotal, line["discount_bps"])
    tax = share(subtotal - discount, line["tax_bps"])
    return [subtotal, discount, tax, subtotal - discount + tax]


def invoice_figures(lines):
    each = [line_figures(line) for line in lines]
    total = [sum(column) for column in zip(*each)]
    return {"lines": [[format(f, "f") for f in line] for line in each], "total": [format(f, "f") for f in total]}


json.dump([invoice_figures(lines) for lines in json.load(sys.stdin)], sys.stdout)
