"""rensa on the words of a file, a document a line: word 5-grams, then 84 minima. Prints times as one JSON object."""

import json
import sys
import time

from rensa import RMinHash

with open(sys.argv[1], encoding="utf-8") as lines:
    documents = [line.split() for line in lines]

wall, cpu = time.perf_counter(), time.process_time()
update_wall = update_cpu = 0.0
for words in documents:
    shingles = [" ".join(words[i : i + 5]) for i in range(len(words) - 4)]
    started = time.perf_counter(), time.process_time()
    minima = RMinHash(num_perm=84, seed=1)
    minima.update(shingles)
    minima.digest()
    update_wall += time.perf_counter() - started[0]
    update_cpu += time.process_time() - started[1]
print(
    json.dumps(
        {
            "wall": time.perf_counter() - wall,
            "cpu": time.process_time() - cpu,
            "update_wall": update_wall,
            "update_cpu": update_cpu,
            "words": sum(map(len, documents)),
        }
    )
)
