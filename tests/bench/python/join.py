"""SetSimilaritySearch on sets of numbers, one a line: all pairs with a Jaccard of 0.9. Prints times and counts as one JSON object."""

import json
import sys
import time

from SetSimilaritySearch import all_pairs

with open(sys.argv[1], encoding="ascii") as lines:
    sets = [[int(number) for number in line.split()] for line in lines]

wall, cpu = time.perf_counter(), time.process_time()
pairs = sum(1 for _ in all_pairs(sets, similarity_func_name="jaccard", similarity_threshold=0.9))
print(json.dumps({"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu, "pairs": pairs}))
