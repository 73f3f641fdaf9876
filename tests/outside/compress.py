#!/usr/bin/env python3
"""Compares dejaview's reader of .Z files with ncompress.

Usage: compress.py DEJAVIEW        (pip install ncompress)

Packs texts, numbers and noise of several lengths, lets dejaview read them as documents, and compares what `show --raw`
prints with what was packed. Long files fill the table of codes, so that ncompress clears it.
"""

import os
import random
import subprocess
import sys
import tempfile

import ncompress

dejaview = os.path.abspath(sys.argv[1])
draw = random.Random(7)
words = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(2, 9))) for _ in range(5000)]


def text(length):
    out = []
    while length > 0:
        out.append(draw.choice(words))
        length -= len(out[-1]) + 1
    return " ".join(out).encode()


def noise(length):
    return bytes(draw.choices(range(32, 127), k=length))


cases = {f"text-{n}": text(n) for n in (1, 10, 511, 5000, 300_000, 3_000_000, 9_000_000)}
cases |= {f"noise-{n}": noise(n) for n in (2, 257, 9000, 200_000, 2_000_000)}
cases["turns"] = (text(800_000) + noise(800_000)) * 3
cases["one-letter"] = b"a" * 1_000_000
with tempfile.TemporaryDirectory() as folder:
    for name, data in cases.items():
        with open(os.path.join(folder, name + ".txt.Z"), "wb") as file:
            file.write(ncompress.compress(data))
    with open(os.path.join(folder, "study.toml"), "w") as file:
        file.write('name = "compress"\nkeep = "all"\n[source]\ndocuments = [{ glob = "*.Z", format = "text" }]\n')
        file.write('[[target]]\ndocuments = [{ glob = "*.Z", format = "text" }]\n')
        file.write('[[configuration]]\nmethod = "exact-jaccard"\n')
    subprocess.run([dejaview, "run", folder], check=True, capture_output=True)
    wrong = 0
    for name, data in cases.items():
        shown = subprocess.run([dejaview, "show", folder, name + ".txt.Z", "--raw"], capture_output=True)
        same = shown.stdout == data
        wrong += not same
        print(f"{name}\t{len(data)}\t{'same' if same else 'DIFFERENT ' + shown.stderr.decode()}")
sys.exit(1 if wrong else 0)
