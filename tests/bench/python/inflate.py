"""Decoders of other projects on the members of a gzip file. Prints times and sizes as one JSON object."""

import json
import sys
import time
import zlib

import deflate
from isal import isal_zlib
from zlib_ng import zlib_ng

with open(sys.argv[1], "rb") as file:
    data = file.read()

# Where members begin, and how long they are inflated.
members = []
rest = data
while rest:
    decoder = zlib.decompressobj(wbits=31)
    size = len(decoder.decompress(rest))
    members.append((rest[: len(rest) - len(decoder.unused_data)], size))
    rest = decoder.unused_data

decoders = {
    "zlib": lambda member, size: zlib.decompress(member, wbits=31, bufsize=size),
    "zlib-ng": lambda member, size: zlib_ng.decompress(member, wbits=31, bufsize=size),
    "ISA-L": lambda member, size: isal_zlib.decompress(member, wbits=31, bufsize=size),
    "libdeflate": lambda member, size: deflate.gzip_decompress(member, size),
}
results = {}
for name, decode in decoders.items():
    wall, cpu = time.perf_counter(), time.process_time()
    inflated = sum(len(decode(member, size)) for member, size in members)
    results[name] = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "bytes": inflated}
print(json.dumps(results))
