#!/usr/bin/env python3
"""How often do the intervals cover? Whole studies through the command line: sample, labels import, evaluate.

    cargo build --release
    python tests/outside/coverage.py target/release/dejaview [--seeds 2000] [--jobs 2] [--only NAME,…] [--old DEJAVIEW]

The truth of every pair of the sample study is known (sample-corpus/truth.tsv), so every estimate can be held against what it
is an estimate of. Each design is drawn with as many seeds as asked for, labelled by the truth (or by two annotators who err),
and evaluated. For each interval: how often it covers, how wide it is in the mean, and whether it covers significantly less
than 95 % (exact binomial test, Holm over all cells; for intervals that promise never to cover less, at 1 % each).
With --old the same designs are also run with an earlier version, for the widths in the column "old".

Results are kept in tests/outside/results/coverage.tsv with their date. Only the standard library is needed.
"""

import argparse
import concurrent.futures
import datetime
import json
import math
import pathlib
import random
import shutil
import subprocess
import tempfile
from collections import defaultdict

HERE = pathlib.Path(__file__).resolve().parent
CORPUS = HERE.parent.parent / "sample-corpus"
NEAR = {"exact-copy", "moved", "date-changed", "boilerplate-changed", "light-edit"}
CUTS = [0.5, 0.7, 0.9]


def call(program, *args):
    done = subprocess.run([program, *map(str, args)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{args}: {done.stderr}")
    return done.stdout


class Study:
    """The pairs of a study and their truth, counted once."""

    def __init__(self, program, folder):
        self.found = defaultdict(set)
        self.jaccard = {}
        for line in call(program, "pairs", folder, "--json").splitlines():
            pair = json.loads(line)
            ids = (pair["source"], pair["target"])
            self.found[pair["configuration"]].add(ids)
            self.jaccard[ids] = pair["jaccard"]
        rows = (CORPUS / "truth.tsv").read_text().splitlines()[1:]
        kinds = {tuple(row.split("\t")[:2]): row.split("\t")[2] for row in rows}
        self.true = {ids for ids, kind in kinds.items() if kind in NEAR}
        self.pool = set().union(*self.found.values())

    def truths(self, names, audit, cut=0.0):
        """Precision, recall and F of each configuration, as a sample of these should estimate them."""
        pool = self.pool if audit else set().union(*(self.found[name] for name in names))
        truths = {}
        for name, pairs in self.found.items():
            pairs = {ids for ids in pairs if self.jaccard[ids] >= cut}
            right = len(pairs & self.true)
            everything = self.true if audit else self.true & pool
            truths[name] = {
                "precision": right / max(len(pairs), 1),
                "recall in the pool": right / max(len(self.true & pool), 1),
                "recall of all": right / len(self.true),
                "F": 2 * right / (len(pairs) + len(everything)),
            }
        return truths

    def by_document(self, name):
        """Share of documents: each counts once, with the share of its pairs that are true."""
        documents = defaultdict(list)
        for ids in self.found[name]:
            documents[ids[0]].append(ids in self.true)
        return sum(sum(all_) / len(all_) for all_ in documents.values()) / len(documents)


class Design:
    def __init__(self, name, sample, configurations, *, compare=None, rail=None, audit=False, unit="pairs", doubt=0.0):
        self.name, self.sample, self.configurations = name, sample, configurations
        self.compare, self.rail, self.audit, self.unit, self.doubt = compare, rail, audit, unit, doubt


ALL = "all"
DESIGNS = [
    Design("best by agreement, 60", ["--by", "agreement", "--size", 60], "best"),
    Design("best by jaccard, equal, 60", ["--by", "jaccard", "--allocation", "equal", "--size", 60], "best", rail="best"),
    Design("best by jaccard, equal, 100", ["--by", "jaccard", "--allocation", "equal", "--size", 100], "best"),
    Design("three by agreement, 60", ["--by", "agreement", "--size", 60], "best,tfidf,simhash-2", compare="best,tfidf"),
    Design("three by agreement, equal, 100", ["--by", "agreement", "--allocation", "equal", "--size", 100],
           "best,tfidf,simhash-2", compare="best,simhash-2", rail="simhash-2"),
    Design("three by jaccard, equal, 100", ["--by", "jaccard", "--allocation", "equal", "--size", 100],
           "best,tfidf,simhash-2", compare="tfidf,simhash-2"),
    Design("three with audit, 100 + 100", ["--size", 100, "--audit", 100], "best,tfidf,simhash-2", rail="best", audit=True,
           compare="best,tfidf"),
    Design("all, simple, 100", ["--size", 100], ALL, compare="best,exact-jaccard"),
    Design("documents of simhash-2, 100", ["--documents", "--size", 100], "simhash-2", unit="documents"),
    Design("documents of best, 60", ["--documents", "--size", 60], "best", unit="documents"),
    Design("two annotators, best by jaccard, 100", ["--by", "jaccard", "--size", 100], "best", doubt=0.08),
    Design("importance, best, 100", ["--importance", "--size", 100], "best"),
]
NEVER_LESS = {"precision, conservative", "recall, at least"}
ON_AVERAGE = {"precision, Wilson"}


def labels(study, design, pairs, seed):
    """Rows of labels by the truth; of designs in doubt a second annotator who errs at random."""
    word = {True: "near-duplicate", False: "not"}
    rows = {"ann": [(s, t, word[(s, t) in study.true]) for s, t in pairs]}
    if design.doubt:
        chance = random.Random(seed)
        rows["bob"] = [(s, t, word[((s, t) in study.true) != (chance.random() < design.doubt)]) for s, t in pairs]
    return rows


def intervals(study, design, result, compared, cuts):
    """Every interval of a result with its truth: (what, interval, truth)."""
    names = list(study.found) if design.configurations == ALL else design.configurations.split(",")
    truths = study.truths(names, design.audit)
    estimates = {c["name"]: c for c in result["estimates"][0]["configurations"]}
    for name in names:
        estimate = estimates[name]
        precision, recall = estimate["precision"], estimate["recall"]
        if not precision:
            continue
        truth = study.by_document(name) if design.unit == "documents" else truths[name]["precision"]
        headline = precision.get("headline") or precision.get("design") or precision.get("wilson")
        if not design.doubt:
            yield name, "precision", headline, truth
            yield name, "precision, Wilson", precision.get("wilson"), truth
            for key, what in [("pool", "recall in the pool"), ("all", "recall of all"), ("f1", "F")]:
                yield name, what, recall.get(key), truths[name][what]
        yield name, "precision, conservative", precision.get("conservative"), truth
        if recall.get("at_least") is not None:
            bound = {"value": 1.0, "low": recall["at_least"], "high": 1.0}
            yield name, "recall, at least", bound, truths[name]["recall of all"]
    if compared:
        a, b = design.compare.split(",")
        yield f"{a} − {b}", "difference of precision", compared["precision"], truths[a]["precision"] - truths[b]["precision"]
        kind = "recall of all" if design.audit else "recall in the pool"
        yield f"{a} − {b}", "difference of recall", compared["recall"], truths[a][kind] - truths[b][kind]
    for cut in cuts:
        if any(abs(cut["at"] - at) < 1e-9 for at in CUTS):
            truth = study.truths(names, design.audit, cut["at"])[design.rail]
            yield design.rail, f"precision from {cut['at']}", cut["precision"], truth["precision"]
            kind = "recall of all" if design.audit else "recall in the pool"
            yield design.rail, f"recall from {cut['at']}", cut["recall"], truth[kind]


def one_round(program, study, design, folder, seed):
    for part in ("samples", "labels"):
        shutil.rmtree(folder / part, ignore_errors=True)
    sample = ["sample", folder, "--configuration", design.configurations, "--seed", seed, "--name", "s", "--json"]
    drawn = json.loads(call(program, *sample, *design.sample))
    pairs = [(p["source"], p["target"]) for p in drawn["pairs"]]
    for annotator, rows in labels(study, design, pairs, seed).items():
        table = folder / "labels.tsv"
        table.write_text("source\ttarget\tlabel\n" + "".join("\t".join(row) + "\n" for row in rows))
        call(program, "labels", "import", folder, table, "--annotator", annotator, "--sample", "s")
    more = (["--compare", design.compare] if design.compare else []) + (["--rail", design.rail] if design.rail else [])
    result = json.loads(call(program, "evaluate", folder, "--truth", "labels", "--sample", "s", "--json", *more))
    cuts = result.get("rail", {}).get("cuts", [])
    return list(intervals(study, design, result, result.get("compared"), cuts))


def seeds_of(program, study, design, base, seeds):
    """The rounds of some seeds, in a folder of their own."""
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place) / "study"
        folder.mkdir()
        (folder / ".dejaview").mkdir()
        for entry in [*base.iterdir(), *(base / ".dejaview").iterdir()]:
            # Locks are each study's own.
            if entry.name not in (".dejaview", "samples", "labels", "locks"):
                (folder / entry.relative_to(base)).symlink_to(entry)
        cells = defaultdict(lambda: [0, 0, 0.0, []])
        for seed in seeds:
            for name, what, interval, truth in one_round(program, study, design, folder, seed):
                cell = cells[(name, what)]
                if interval is None:
                    continue
                cell[0] += 1
                cell[1] += interval["low"] - 1e-9 <= truth <= interval["high"] + 1e-9
                cell[2] += interval["high"] - interval["low"]
                cell[3].append(interval["high"] - interval["low"])
        return dict(cells)


def run(program, design, base, study, seeds, jobs):
    shares = [range(1 + job, seeds + 1, jobs) for job in range(jobs)]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        parts = list(pool.map(lambda share: seeds_of(program, study, design, base, share), shares))
    total = defaultdict(lambda: [0, 0, 0.0, []])
    for part in parts:
        for key, (n, covered, width, widths) in part.items():
            for i, value in enumerate((n, covered, width, widths)):
                total[key][i] += value
    return total


def below(covered, n, share=0.95):
    """Probability of covering so seldom, or less, if it covered 95 %."""
    def term(x):
        return math.exp(math.lgamma(n + 1) - math.lgamma(x + 1) - math.lgamma(n - x + 1)
                        + x * math.log(share) + (n - x) * math.log(1 - share))
    return min(1.0, sum(term(x) for x in range(covered + 1)))


def prepared(program, place):
    folder = pathlib.Path(place) / "base"
    shutil.copytree(CORPUS, folder, ignore=shutil.ignore_patterns(".dejaview", "samples", "labels", "generator"))
    call(program, "run", folder)
    return folder


def written(args, rows, widths_before):
    """The results so far, with their verdicts; kept in the file."""
    promised = sorted((row for row in rows if row[2] not in ON_AVERAGE), key=lambda row: row[7])
    refuted, open_ = set(), True
    for i, row in enumerate(promised):
        open_ = open_ and row[7] < 0.05 / (len(promised) - i)
        if open_:
            refuted.add(tuple(row[:3]))
    head = ["design", "configuration", "interval", "studies", "covered", "coverage", "mean width", "median width", "old mean width", "p", "verdict"]
    lines = [f"# {datetime.date.today()}, {args.seeds} seeds a design; 95 % intervals; p: of covering so seldom at 95 %", "\t".join(head)]
    for design, name, what, n, covered, width, middle, p in rows:
        never = what in NEVER_LESS and p < 0.01
        verdict = "on average only" if what in ON_AVERAGE else "TOO FEW" if (design, name, what) in refuted or never else "ok"
        old = widths_before.get((design, name, what))
        lines.append("\t".join([design, name, what, str(n), str(covered), f"{covered / n:.4f}", f"{width:.3f}", f"{middle:.3f}",
                                "–" if old is None else f"{old:.3f}", f"{p:.2g}", verdict]))
    pathlib.Path(args.results).write_text("\n".join(lines) + "\n")
    return lines


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seeds", type=int, default=2000)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--old", help="an earlier version, for the widths it had")
    arguments.add_argument("--old-seeds", type=int, default=100)
    arguments.add_argument("--results", default=str(HERE / "results" / "coverage.tsv"))
    args = arguments.parse_args()
    program = str(pathlib.Path(args.program).resolve())
    chosen = [d for d in DESIGNS if not args.only or d.name in args.only.split(";")]
    rows, widths_before = [], {}
    with tempfile.TemporaryDirectory() as place:
        base = prepared(program, place)
        study = Study(program, base)
        for design in chosen:
            for (name, what), (n, covered, width, widths) in run(program, design, base, study, args.seeds, args.jobs).items():
                if n:
                    rows.append([design.name, name, what, n, covered, width / n, sorted(widths)[n // 2], below(covered, n)])
            print(f"{design.name}: done", flush=True)
            written(args, rows, widths_before)
    if args.old:
        with tempfile.TemporaryDirectory() as place:
            base = prepared(args.old, place)
            for design in chosen:
                try:
                    cells = run(args.old, design, base, study, args.old_seeds, args.jobs)
                except RuntimeError:
                    continue
                for (name, what), (n, _, width, _) in cells.items():
                    if n:
                        widths_before[(design.name, name, what)] = width / n
    lines = written(args, rows, widths_before)
    bad = [line for line in lines if line.endswith("TOO FEW")]
    print(f"{len(rows)} intervals, {len(bad)} cover significantly too seldom", *bad, sep="\n")


if __name__ == "__main__":
    main()
