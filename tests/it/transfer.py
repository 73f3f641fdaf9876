"""Recounts a published transfer of judgments from its files alone: transfer.py QRELS PAIRS.jsonl.gz NEW.qrels LEDGER.tsv

Prints JSON: what a transfer by the first and by the best target comes to, and what the written files hold."""

import gzip
import json
import sys
from collections import defaultdict

qrels, pairs, written, ledger = sys.argv[1:]

judged = []
for line in open(qrels):
    if line.strip():
        topic, _, document, grade = line.split()
        judged.append((topic, document, grade))

targets = defaultdict(list)
for line in gzip.open(pairs, "rt"):
    record = json.loads(line)
    for target in record["targetDocs"]:
        targets[record["sourceDocument"]].append((target["targetId"], target["s3Score"]))

carried = first_not_best = 0
reached, used_first, used_best = defaultdict(set), set(), set()
widest = 0
for topic, document, grade in judged:
    listed = targets.get(document)
    if not listed:
        continue
    carried += 1
    score = {}
    for target, s3 in listed:
        score[target] = max(s3, score.get(target, s3))
    first, highest = listed[0][0], max(score.values())
    first_not_best += score[first] < highest
    order = list(dict.fromkeys(target for target, _ in listed))
    best = next(target for target in order if score[target] == highest)
    used_first.add((topic, first))
    used_best.add((topic, best))
    widest = max(widest, len(score))
    for target in score:
        reached[topic, target].add(grade)

lines = [line.split() for line in open(written)]
with open(ledger) as file:
    head = file.readline().rstrip("\n").split("\t")
    rows = [dict(zip(head, line.rstrip("\n").split("\t"))) for line in file]
print(json.dumps({
    "judgments": len(judged),
    "transferred": carried,
    "first_not_best": first_not_best,
    "unused_first": len(set(reached) - used_first),
    "unused_best": len(set(reached) - used_best),
    "conflicting": sorted([topic, target] for (topic, target), grades in reached.items() if len(grades) > 1),
    "fan_out_max": widest,
    "qrels_first": sorted([topic, target] for topic, target in used_first),
    "qrels_best": sorted([topic, target] for topic, target in used_best),
    "written": sorted([line[0], line[2]] for line in lines),
    "ledger_judgments": len({(row["topic"], row["source"]) for row in rows}),
    "ledger_left": sum(row["status"] == "left" for row in rows),
    "wrong_grades": sum(
        grade not in reached[topic, target] for topic, _, target, grade in lines
    ),
}))
