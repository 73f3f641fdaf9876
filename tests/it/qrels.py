"""Counts judgments from the files alone: qrels.py FILES… prints JSON by track, the file's name up to the first dot."""

import gzip
import json
import os
import sys
from collections import Counter, defaultdict

tracks = defaultdict(list)
for path in sys.argv[1:]:
    with (gzip.open if path.endswith(".gz") else open)(path, "rt") as file:
        for line in file:
            words = line.split()
            if words:
                topic, document, grade = (words[0], *words[1:3]) if len(words) == 5 else (words[0], *words[2:4])
                tracks[os.path.basename(path).split(".")[0]].append((topic, document, grade))


def counted(rows):
    return {
        "lines": len(rows),
        "documents": len({document for _, document, _ in rows}),
        "grades": dict(Counter(grade for _, _, grade in rows)),
    }


everything = [row for rows in tracks.values() for row in rows]
print(json.dumps({**counted(everything), "tracks": {name: counted(rows) for name, rows in tracks.items()}}))
