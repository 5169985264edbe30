#!/usr/bin/env python3
"""Writes shapes.txt: random shapes and points on the sphere, and what Google's S2 says of them.

    python3 -m venv venv && venv/bin/pip install s2geometry && venv/bin/python make.py > shapes.txt

One shape a line: its kind, its numbers, whether S2 takes it for valid (+ or !), and points. A point ends with + when S2
finds it in the shape, with - when not, and with ~ when it is so close to the border that rounding decides.
"""
import math
import random

import s2geometry as s2

random.seed(20240611)

def point(place):
    return s2.S2LatLng.FromDegrees(place[0], place[1]).ToPoint()


def components(place):
    v = point(place)
    return (v.x(), v.y(), v.z())


def xyz(place):
    lat, lng = math.radians(place[0]), math.radians(place[1])
    return (math.cos(lat) * math.cos(lng), math.cos(lat) * math.sin(lng), math.sin(lat))


def place(v):
    length = math.sqrt(sum(c * c for c in v))
    return (math.degrees(math.asin(max(-1, min(1, v[2] / length)))), math.degrees(math.atan2(v[1], v[0])))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def angle(a, b):
    c = cross(a, b)
    return math.atan2(math.sqrt(sum(x * x for x in c)), sum(x * y for x, y in zip(a, b)))


def unit(v):
    length = math.sqrt(sum(c * c for c in v))
    return tuple(c / length for c in v)


def moved(center, distance, bearing):
    """The place at a distance in radians and in some direction from another."""
    c = xyz(center)
    u = unit(cross(c, (0.36, 0.48, 0.8) if abs(c[0]) > 0.5 else (1, 0, 0)))
    v = cross(c, u)
    x, y = math.sin(distance) * math.cos(bearing), math.sin(distance) * math.sin(bearing)
    return place(tuple(math.cos(distance) * a + x * b + y * d for a, b, d in zip(c, u, v)))


def digits(size):
    return 4 if size > 0.05 else 6 if size > 0.0005 else 9


def rounded(p, size):
    return (round(p[0], digits(size)), round(p[1], digits(size)))


def anywhere():
    if random.random() < 0.3:
        return random.choice([(90, 0), (-90, 0), (0, 180), (10, -179.99), (-35, 180), (0, 0), (0, 90), (35.2643897, 45),
                              (89.99, 12), (-89.9, -170), (60, -180), (0, -90)])
    z = random.uniform(-1, 1)
    return (math.degrees(math.asin(z)), random.uniform(-180, 180))


def near_edge(p, ring):
    """Whether a place is within 1e-12 radians of an edge."""
    v = xyz(p)
    for a, b in zip(ring, ring[1:] + ring[:1]):
        a, b = xyz(a), xyz(b)
        if angle(v, a) < 1e-12 or angle(v, b) < 1e-12:
            return True
        n = unit(cross(tuple(x + y for x, y in zip(a, b)), tuple(y - x for x, y in zip(a, b))))
        if abs(sum(x * (y - z) for x, y, z in zip(n, v, a))) < 1e-12 and angle(a, v) + angle(v, b) < angle(a, b) + 1e-9:
            return True
    return False


def show(p):
    return "%s,%s" % tuple(repr(float(c)).removesuffix(".0") for c in p)


def ring_of(center, size, count, spiky=0.6):
    bearings = sorted(random.uniform(0, 2 * math.pi) for _ in range(count))
    return [rounded(moved(center, size * random.uniform(1 - spiky, 1), b), size) for b in bearings]


def merged(ring):
    """Without neighbours that are one point."""
    out = []
    for p in ring:
        if not out or components(out[-1]) != components(p):
            out.append(p)
    while len(out) > 1 and components(out[0]) == components(out[-1]):
        out.pop()
    return out


def polygon(rings):
    """The S2 polygon, or None when it is invalid, by the rules of GeoJSON."""
    loops = []
    for ring in rings:
        ring = merged(ring)
        if len(ring) < 3:
            return None
        loop = s2.S2Loop()
        loop.Init([point(p) for p in ring])
        if not loop.IsValid():
            return None
        loop.Normalize()
        loops.append(loop)
    outer = loops[0]
    for hole in loops[1:]:
        if not outer.Contains(hole):
            return None
    for a in range(1, len(loops)):
        for b in range(1, len(loops)):
            if a != b and loops[a].Intersects(loops[b]):
                return None
    seen = {}
    for number, loop in enumerate(loops):
        for i in range(loop.num_vertices()):
            v = loop.vertex(i)
            key = (v.x(), v.y(), v.z())
            seen.setdefault(key, set()).add(number)
    for a in range(len(loops)):
        for b in range(a + 1, len(loops)):
            if sum(1 for owners in seen.values() if a in owners and b in owners) > 1:
                return None
    return loops


def contains(loops, p):
    v = point(p)
    return loops[0].Contains(v) and not any(hole.Contains(v) for hole in loops[1:])


def samples(rings, size, center, count):
    points = []
    for _ in range(count):
        kind = random.random()
        if kind < 0.45:
            p = rounded(moved(center, size * random.uniform(0, 1.3), random.uniform(0, 7)), size)
        elif kind < 0.7:
            # Close to an edge.
            ring = random.choice(rings)
            i = random.randrange(len(ring))
            a, b = xyz(ring[i]), xyz(ring[(i + 1) % len(ring)])
            t = random.random()
            on = place(tuple(x + t * (y - x) for x, y in zip(a, b)))
            p = rounded(moved(on, size * 10 ** random.uniform(-4, -1), random.uniform(0, 7)), size / 100)
        elif kind < 0.8:
            p = random.choice(random.choice(rings))
        else:
            p = rounded(anywhere(), 1)
        points.append(p)
    return points


def line(kind, shape, loops, rings, size, center, count=7):
    if loops is None:
        print(kind, shape, "!")
        return
    out = []
    for p in samples(rings, size, center, count):
        if any(near_edge(p, merged(ring)) for ring in rings):
            out.append(show(p) + "~")
        else:
            out.append(show(p) + ("+" if contains(loops, p) else "-"))
    print(kind, shape, "+", *out)


def box():
    center = anywhere()
    size = 10 ** random.uniform(-7, 0.4)
    height, width = math.degrees(size * random.uniform(0.1, 1)), math.degrees(size * random.uniform(0.1, 1))
    width /= max(0.02, math.cos(math.radians(center[0])))
    if random.random() < 0.15:
        width = random.uniform(150, 359)
    south, north = max(-90, center[0] - height / 2), min(90, center[0] + height / 2)
    west = center[1] - min(359, width) / 2
    east = west + min(359, width)
    wrap = lambda lng: (lng + 540) % 360 - 180
    corner, other = rounded((south, wrap(west)), size), rounded((north, wrap(east)), size)
    # A pole is one point, and so is each place on the antimeridian; to S2 they are several, up to 1e-16 apart.
    if abs(corner[0]) == 90 and abs(other[0]) == 90:
        return
    ring = [corner, (other[0], corner[1]), other, (corner[0], other[1])]
    line("box", show(corner) + " " + show(other), polygon([ring]), [ring], size, center)


def simple():
    center = anywhere()
    size = 10 ** random.uniform(-7, 0.17)
    ring = ring_of(center, size, random.randint(3, 12))
    if random.random() < 0.3:
        ring.reverse()
    if random.random() < 0.1:
        random.shuffle(ring)
    if random.random() < 0.05:
        ring.insert(1, ring[0])
    if random.random() < 0.03:
        ring.insert(2, ring[-1])
    line("polygon", " ".join(map(show, ring)), polygon([ring]), [ring], size, center)


def holed():
    center = anywhere()
    size = 10 ** random.uniform(-5, 0.1)
    rings = [ring_of(center, size, random.randint(4, 20), 0.3)]
    for _ in range(random.randint(1, 3)):
        at = moved(center, size * random.uniform(0, 0.6), random.uniform(0, 7))
        hole = ring_of(at, size * random.uniform(0.02, 0.3), random.randint(3, 8))
        kind = random.random()
        if kind < 0.15:
            hole[0] = random.choice(rings[0])
        elif kind < 0.2:
            i = random.randrange(len(rings[0]) - 1)
            hole[0:2] = rings[0][i:i + 2]
        rings.append(hole)
    text = " / ".join(" ".join(map(show, ring)) for ring in rings)
    line("polygon", text, polygon(rings), rings, size, center)


def large():
    center = anywhere()
    size = 10 ** random.uniform(-5, 0)
    ring = ring_of(center, size, 400, 0.05)
    line("polygon", " ".join(map(show, ring)), polygon([ring]), [ring], size, center, 40)


def circle():
    center = rounded(anywhere(), 1)
    radius = random.choice([10 ** random.uniform(-8, 0.49), 0, math.pi / 2, math.pi, 3.5, random.uniform(1.5, 3.14)])
    cap = s2.S2Cap(point(center), s2.S1Angle.Radians(min(radius, math.pi)))
    out = []
    for _ in range(12):
        if random.random() < 0.7:
            away = radius * (1 + random.choice([-1, 1]) * 10 ** random.uniform(-4, -0.3))
            p = rounded(moved(center, min(away, math.pi), random.uniform(0, 7)), max(radius, 1e-6) / 1000)
        else:
            p = rounded(anywhere(), 1)
        distance = angle(xyz(center), xyz(p))
        margin = 1e-12 if distance < 3.1 else 1e-7
        if abs(distance - radius) < margin and radius < math.pi:
            out.append(show(p) + "~")
        else:
            out.append(show(p) + ("+" if cap.Contains(point(p)) else "-"))
    print("circle", show(center), repr(float(radius)), "+", *out)


for _ in range(700):
    box()
for _ in range(800):
    simple()
for _ in range(500):
    holed()
for _ in range(6):
    large()
for _ in range(500):
    circle()
