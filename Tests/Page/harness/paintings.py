"""Pictures made of arithmetic: photos to send that are nobody's."""

import math
import struct
import zlib


def png(width, height, color):
    """A PNG whose pixel at (x, y), both from 0 to 1, has the color `color(x, y)`, three numbers from 0 to 1."""
    rows = bytearray()
    for row in range(height):
        rows.append(0)
        for column in range(width):
            rows += bytes(max(0, min(255, round(part * 255))) for part in color((column + 0.5) / width, (row + 0.5) / height))

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(rows), 6)) + chunk(b"IEND", b"")


def mix(one, other, share):
    share = max(0.0, min(1.0, share))
    return tuple(a + (b - a) * share for a, b in zip(one, other))


def sea(top, low, water, sun=(0.68, 0.3), sail=None):
    """A sea under a sky, perhaps with a sail."""

    def color(x, y):
        horizon = 0.6
        if y < horizon:
            shade = mix(top, low, y / horizon)
            distance = math.hypot((x - sun[0]) * 1.4, y - sun[1])
            shade = mix((1, 0.95, 0.84), shade, (distance - 0.055) * 9)
        else:
            depth = (y - horizon) / (1 - horizon)
            wave = math.sin(y * 190 + math.sin(x * 9 + depth * 20) * 2.4) * 0.5 + 0.5
            glitter = max(0.0, 1 - abs(x - sun[0]) * (6 - 4 * depth)) * wave * 0.55
            shade = mix(mix(low, water, 0.35 + depth * 0.65), (1, 0.94, 0.82), glitter)
            shade = mix(shade, (0, 0, 0), (1 - wave) * 0.07)
        if sail:
            x0, y0 = (x - sail) / 0.11, (y - 0.27) / 0.34
            if 0 < y0 < 1 and -0.62 * y0 < x0 < -0.05:
                return mix((0.97, 0.95, 0.9), (0.78, 0.74, 0.7), y0)
            if 0.12 < y0 < 1 and 0.05 < x0 < 0.85 * (y0 - 0.12):
                return mix((0.93, 0.9, 0.85), (0.72, 0.68, 0.66), y0)
            if 1.02 < y0 < 1.16 and abs(x0) < 0.95 - (y0 - 1.02) * 2.2:
                return (0.32, 0.18, 0.13)
        return shade

    return color


def chart():
    """A sea chart: land, depth lines, a course."""

    def color(x, y):
        height = math.sin(x * 5.1 + 1) * math.cos(y * 4.3) + 0.5 * math.sin(x * 11 + y * 9) + (x - 0.4) * 1.2
        shade = (0.96, 0.92, 0.8) if height > 0.75 else mix((0.72, 0.85, 0.9), (0.88, 0.95, 0.96), (height + 1) / 1.8)
        if abs(height - 0.75) < 0.025 or abs(height % 0.4 - 0.2) < 0.012:
            shade = mix(shade, (0.25, 0.4, 0.5), 0.55)
        course = 0.82 - 0.7 * x + 0.05 * math.sin(x * 9)
        if abs(y - course) < 0.006 and (x * 40) % 2 < 1.3:
            return (0.72, 0.16, 0.2)
        return shade

    return color


def face(ground, hair, skin, shirt):
    """Somebody, in four colors."""

    def color(x, y):
        if math.hypot(x - 0.5, (y - 0.45) * 0.92) < 0.2:
            return skin if y > 0.36 + 0.05 * math.sin(x * 14) else hair
        if math.hypot((x - 0.5) * 0.98, y - 0.41) < 0.245 and y < 0.62:
            return hair
        if math.hypot((x - 0.5) * 0.8, y - 1.05) < 0.34:
            return shirt
        if abs(x - 0.5) < 0.07 and 0.5 < y < 0.8:
            return mix(skin, (0, 0, 0), 0.12)
        return mix(ground, (1, 1, 1), 0.25 * (1 - y))

    return color


FACES = {
    "Alice": face((0.95, 0.76, 0.5), (0.35, 0.2, 0.12), (0.96, 0.8, 0.68), (0.2, 0.35, 0.5)),
    "Bob": face((0.55, 0.72, 0.78), (0.12, 0.1, 0.1), (0.62, 0.43, 0.32), (0.85, 0.55, 0.25)),
    "Carol": face((0.72, 0.66, 0.85), (0.78, 0.36, 0.16), (0.97, 0.84, 0.75), (0.25, 0.5, 0.4)),
}

PHOTOS = {
    "morning.png": (900, 600, sea((0.47, 0.64, 0.85), (0.98, 0.84, 0.72), (0.13, 0.33, 0.46), sail=0.34)),
    "evening.png": (900, 600, sea((0.23, 0.2, 0.42), (0.97, 0.55, 0.36), (0.12, 0.14, 0.28), sun=(0.35, 0.48))),
    "chart.png": (800, 800, chart()),
    "fog.png": (900, 600, sea((0.72, 0.76, 0.8), (0.86, 0.88, 0.88), (0.5, 0.58, 0.6), sun=(0.5, 0.2), sail=0.66)),
    "noon.png": (600, 900, sea((0.2, 0.5, 0.85), (0.72, 0.88, 0.97), (0.04, 0.36, 0.52), sun=(0.75, 0.12), sail=0.5)),
}
