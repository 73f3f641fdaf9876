#!/usr/bin/env python3
"""Counts the records that could be documents in WARC files, as warcio reads them.

Usage: warcio_count.py FILE...        (pip install warcio)

Prints `file <TAB> n` where n is the number of response, resource and conversion records before warcio stops. The
table in tests/it/corpus_data.rs was made with it (warcio 1.8).
"""

import sys

from warcio.archiveiterator import ArchiveIterator

for path in sys.argv[1:]:
    kinds = {}
    note = ""
    with open(path, "rb") as stream:
        try:
            for record in ArchiveIterator(stream, no_record_parse=False):
                record.raw_stream.read()
                kinds[record.rec_type] = kinds.get(record.rec_type, 0) + 1
        except Exception as error:  # what warcio says of damaged files is worth printing too
            note = f"\tstopped: {type(error).__name__}: {error}".replace("\n", " ")
    documents = sum(kinds.get(kind, 0) for kind in ("response", "resource", "conversion"))
    print(f"{path}\t{documents}{note}")
