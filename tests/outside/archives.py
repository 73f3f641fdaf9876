#!/usr/bin/env python3
"""Lists the pages of ARC files as warcio reads them, and of other archives as FastWARC does.

Usage: archives.py FILE...        (pip install warcio fastwarc)

Prints file, URL, media type and length of every response. The table OTHERS in tests/it/corpus_data.rs was made with it.
"""

import sys

from fastwarc.warc import ArchiveIterator as FastIterator
from warcio.archiveiterator import ArchiveIterator

for path in sys.argv[1:]:
    try:
        if ".arc" in path:
            with open(path, "rb") as stream:
                for record in ArchiveIterator(stream):
                    if record.rec_type == "response":
                        kind = record.http_headers.get_header("Content-Type")
                        length = len(record.content_stream().read())
                        print(path, record.rec_headers.get_header("uri"), kind, length, sep="\t")
        else:
            for record in FastIterator(path, parse_http=True):
                if record.headers.get("WARC-Type") == "response":
                    length = len(record.reader.read())
                    print(path, record.headers.get("WARC-Target-URI"), record.http_content_type, length, sep="\t")
    except Exception as error:  # what the readers say of damaged files is worth printing too
        print(path, f"stopped: {type(error).__name__}: {error}".replace("\n", " "), sep="\t")
