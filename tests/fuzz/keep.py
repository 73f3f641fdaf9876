#!/usr/bin/env python3
"""Packs what the fuzzer learned into tests/fixtures/fuzz: for each law one file of inputs that `cargo test` tries again.

    python3 keep.py [LAW…]

libFuzzer leaves out inputs that reach nothing new; of the rest the shortest are kept, up to some kilobytes for each law. Inputs
that broke a law once (`broke/LAW-…`) are always kept. A file is gzip; inside, each input stands behind its length, 4 bytes,
little-endian.
"""

import gzip
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FIXTURES = HERE.parent / "fixtures/fuzz"
# Bytes of one law before they are packed.
MOST = 60_000

laws = sys.argv[1:] or re.findall(r'^    law\("([a-z-]+)"', (HERE / "laws/mod.rs").read_text(), re.M)
FIXTURES.mkdir(parents=True, exist_ok=True)
[fuzzer] = HERE.glob("target/*/release/laws")
for law in laws:
    broke = sorted(HERE.glob(f"broke/{law}-*"))
    with tempfile.TemporaryDirectory() as folder:
        command = [fuzzer, "-merge=1", "-max_len=4096", "-timeout=10", folder, HERE / "corpus" / law]
        subprocess.run(command, env={**os.environ, "DEJAVIEW_LAW": law}, check=False, capture_output=True)
        inputs = sorted((path.read_bytes() for path in pathlib.Path(folder).iterdir()), key=lambda data: (len(data), data))
    kept, size = [path.read_bytes() for path in broke], 0
    for data in inputs:
        size += len(data) + 4
        if size > MOST:
            break
        if data not in kept:
            kept.append(data)
    packed = b"".join(len(data).to_bytes(4, "little") + data for data in kept)
    (FIXTURES / f"{law}.gz").write_bytes(gzip.compress(packed, 9, mtime=0))
    print(f"{law}\t{len(kept)} of {len(inputs)} inputs\t{(FIXTURES / f'{law}.gz').stat().st_size} bytes")
