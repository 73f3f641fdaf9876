"""resiliparse and rensa on an archive: the text of every page, its word 5-grams, 84 minima. One process.

Prints times and counts as one JSON object. Reading is fastwarc's. Pairs are not looked for: less than a run does.
"""

import json
import re
import sys
import time

from fastwarc.warc import ArchiveIterator, WarcRecordType
from rensa import RMinHash
from resiliparse.extract.html2text import extract_plain_text
from resiliparse.parse.encoding import bytes_to_str, detect_encoding

WORDS = re.compile(r"[^\W_]+")

wall, cpu = time.perf_counter(), time.process_time()
documents = words_seen = 0
slowest = 0.0
for record in ArchiveIterator(sys.argv[1], record_types=WarcRecordType.response):
    body = record.reader.read()
    start = time.process_time()
    text = extract_plain_text(bytes_to_str(body, detect_encoding(body)))
    words = WORDS.findall(text.lower())
    minima = RMinHash(num_perm=84, seed=1)
    minima.update([" ".join(words[i : i + 5]) for i in range(len(words) - 4)])
    minima.digest()
    slowest = max(slowest, time.process_time() - start)
    documents += 1
    words_seen += len(words)
print(
    json.dumps(
        {
            "wall": time.perf_counter() - wall,
            "cpu": time.process_time() - cpu,
            "slowest": slowest,
            "documents": documents,
            "words": words_seen,
        }
    )
)
