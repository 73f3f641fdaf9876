"""faiss on the fingerprints in two files: pairs within k bits, k = 3 or as told. Prints times and counts as one JSON object."""

import json
import sys
import time

import faiss
import numpy

faiss.omp_set_num_threads(1)
distance = int(sys.argv[3]) if len(sys.argv) > 3 else 3
source, target = (numpy.fromfile(path, dtype=numpy.uint8).reshape(-1, 8) for path in sys.argv[1:3])

wall, cpu = time.perf_counter(), time.process_time()
# One hash more than bits may differ: some hash agrees, so every pair is found.
index = faiss.IndexBinaryMultiHash(64, distance + 1, 64 // (distance + 1))
index.add(source)
times = {"index": time.perf_counter() - wall, "index_cpu": time.process_time() - cpu}

wall, cpu = time.perf_counter(), time.process_time()
# faiss reports distances below the radius.
limits, distances, labels = index.range_search(target, distance + 1)
times |= {"search": time.perf_counter() - wall, "search_cpu": time.process_time() - cpu}

print(json.dumps(times | {"pairs": int(limits[-1]), "distances": int(distances.sum()), "version": faiss.__version__}))
