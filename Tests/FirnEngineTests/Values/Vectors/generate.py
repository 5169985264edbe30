#!/usr/bin/env python3
"""Writes decimals.txt beside this file: what Python's decimal module says in the context of IEEE 754-2008 decimal128.

One vector a line, operands and result apart by spaces:
  p TEXT SIGN COEFFICIENT EXPONENT   reading; or inf, -inf, nan for the last three
  + - * / A B RESULT                 arithmetic, results with their exponents
  < A B ORDER                        -1, 0, 1
  t A TEXT                           the text: fractional zeros removed
  d A BITS                           the nearest double, its bits in hexadecimal
  f BITS A                           a double as a decimal
  i A INTEGER                        the number without its fraction as Int64, or nil
"""
import pathlib
import random
import struct
from decimal import Context, Decimal, ROUND_DOWN, ROUND_HALF_EVEN

context = Context(prec=34, Emin=-6143, Emax=6144, clamp=1, rounding=ROUND_HALF_EVEN, traps=[])
wide = Context(prec=20000, Emin=-999999, Emax=999999, rounding=ROUND_DOWN, traps=[])
generator = random.Random(754)
lines = []


def text(value):
    return "NaN" if value.is_nan() else str(value)


def shown(text):
    """Without the plus of an exponent when the digits fit 64 bits, as RealmSwift has it."""
    digits = "".join(character for character in text.split("E")[0] if character.isdigit())
    return text.replace("E+", "E") if "E+" in text and int(digits) < 2**64 else text


def number(digits, exponent):
    coefficient = generator.randrange(10 ** (digits - 1), 10**digits)
    if generator.random() < 0.2:
        coefficient = 10**digits - 1
    if generator.random() < 0.1:
        coefficient = 5 * 10 ** (digits - 1)
    return context.create_decimal((generator.randrange(2), tuple(map(int, str(coefficient))), exponent))


def random_number():
    digits = generator.choice([1, 2, 5, 17, 33, 34, generator.randrange(1, 35)])
    exponent = generator.choice([0, -2, generator.randrange(-40, 41), generator.randrange(-40, 41),
                                 generator.randrange(-6176, 6112), generator.choice([-6176, -6170, 6111, 6100])])
    return number(digits, exponent)


edges = [context.create_decimal(t) for t in [
    "0", "-0", "0E-6176", "-0E+6111", "1", "-1", "1.00", "7", "3", "0.1", "1E-6176", "-1E-6143",
    "9" * 34, "9." + "9" * 33 + "E+6144", "-9." + "9" * 33 + "E+6144", "1E+6144", "5E-6176", "Infinity", "-Infinity",
    "NaN"]]
operations = {"+": context.add, "-": context.subtract, "*": context.multiply, "/": context.divide}

# Reading.
texts = ["0", "-0", "+1", "1.", ".5", "00012.500", "1e5", "1E+5", "1e-5", "-1.5E-10", "inf", "-INF", "Infinity", "+iNfInItY",
         "nan", "NAN", "-nan", "1e6144", "1e6145", "9.9e6200", "1e-6176", "4e-6177", "5e-6177", "6e-6177", "15e-6177",
         "1e-99999999999999999999", "1e99999999999999999999", "0e99999999999", "0e-99999999999", "0.000", "000",
         "1" * 34 + "5", "1" * 33 + "25", "1" * 33 + "35", "1" * 33 + "250000000001", "9" * 35, "9" * 34 + ".5",
         "1" + "0" * 60, "0." + "0" * 60 + "1234567890" * 6, "1" * 100, "5" + "0" * 40 + "e-6216",
         "1.000000000000000000000000000000000E+6144", "10E+6143", "123E+6120", "1E+6112"]
for t in texts + [("%d" % generator.randrange(10 ** generator.randrange(1, 60))) + generator.choice(["", ".5", "e-3", "E7"])
                  for _ in range(100)]:
    value = context.create_decimal(t)
    if value.is_nan():
        parts = "nan"
    elif value.is_infinite():
        parts = "-inf" if value < 0 else "inf"
    else:
        sign, digits, exponent = value.as_tuple()
        parts = "%s %s %d" % ("-" if sign else "+", int("".join(map(str, digits))), exponent)
    lines.append("p %s %s" % (t, parts))

# Arithmetic and order.
pairs = [(a, b) for a in edges for b in edges]
for _ in range(400):
    pairs.append((random_number(), random_number()))
for _ in range(200):
    # Near each other: sums that cancel, or that have to be rounded.
    a = random_number()
    exponent = max(-6176, min(6111, a.as_tuple()[2] + generator.randrange(-36, 37)))
    pairs.append((a, number(generator.randrange(1, 35), exponent)))
for _ in range(40):
    # Exact halves.
    a = number(34, generator.randrange(-30, 30))
    pairs.append((a, context.create_decimal((generator.randrange(2), (5,), a.as_tuple()[2] - 1))))
for index, (a, b) in enumerate(pairs):
    for name, operation in operations.items():
        if index < len(edges) ** 2 or generator.random() < 0.6:
            lines.append("%s %s %s %s" % (name, text(a), text(b), text(operation(a, b))))
    if a.is_nan() or b.is_nan():
        order = int(b.is_nan()) - int(a.is_nan())
    else:
        order = int(wide.compare(a, b))
    lines.append("< %s %s %d" % (text(a), text(b), order))


# Texts.
def plain(value):
    if value.is_nan():
        return "NaN"
    sign = "-" if value.is_signed() else ""
    if value.is_infinite():
        return sign + "Inf"
    if value == 0:
        return sign + "0"
    s, digits, exponent = value.as_tuple()
    digits = list(digits)
    while exponent < 0 and digits[-1] == 0:
        digits.pop()
        exponent += 1
    return str(Decimal((s, tuple(digits), exponent)))


samples = edges + [context.create_decimal(t) for t in [
    "1.50", "100", "1E+2", "1.2300E+5", "0.000001", "0.0000001", "0.00000150", "123456.789000", "1E+33", "12E-8"]]
samples += [random_number() for _ in range(120)]
for value in samples:
    lines.append("t %s %s" % (text(value), shown(plain(value))))
    if value.is_nan():
        continue
    lines.append("d %s %016x" % (text(value), struct.unpack(">Q", struct.pack(">d", float(value)))[0]))
    whole = None if value.is_infinite() else int(value) if value == 0 or value.adjusted() < 40 else None
    lines.append("i %s %s" % (text(value), "nil" if whole is None or not -(2**63) <= whole < 2**63 else whole))
for t in ["9223372036854775807", "-9223372036854775808", "9223372036854775808", "-9223372036854775809.5", "9223372036854775807.9"]:
    value = int(Decimal(t))
    lines.append("i %s %s" % (t, value if -(2**63) <= value < 2**63 else "nil"))

# Binary numbers.
doubles = [0.1, -0.1, 1.5, 1e22, 1e23, 5e-324, 1.7976931348623157e308, 2.0**53, 2.0**60, -(2.0**63), 2.0**64, 0.30000000000000004]
doubles += [struct.unpack(">d", struct.pack(">Q", generator.getrandbits(64)))[0] for _ in range(60)]
for value in doubles:
    if value != value or value in (float("inf"), float("-inf")):
        continue
    exact = value == int(value) and -(2**63) <= int(value) < 2**63
    lines.append("f %016x %s" % (struct.unpack(">Q", struct.pack(">d", value))[0],
                                 text(context.create_decimal(int(value) if exact else repr(value)))))

path = pathlib.Path(__file__).with_name("decimals.txt")
path.write_text("\n".join(lines) + "\n")
print(len(lines), "vectors,", path.stat().st_size, "bytes")
