#!/usr/bin/env python3
"""How often do the intervals cover? Whole studies through the command line: sample, labels import, evaluate, labels agreement.

    cargo build --release
    python tests/outside/coverage.py target/release/dejaview [--seeds 2000] [--jobs 2] [--only NAME;…] [--old DEJAVIEW]

Designs are of three kinds.

- Samples. The truth of every pair is known: that of the sample study (sample-corpus/truth.tsv), or one that was made for it. Each design is
  drawn with as many seeds as asked for, labelled by the truth (or by two annotators, one of whom errs), and evaluated. Where two
  configurations were made to err equally often, the test of their difference must not reject more than 5 % of the studies.
- Censuses. All pairs are known, and the truth is what source documents are drawn from: each seed draws other documents, each with pairs that
  are alike. What is to be covered follows from the shares that documents are drawn with.
- Agreement. Two annotators have fixed labels of all pairs, so that alpha, kappa and AC1 in the population are recounted here; samples of them
  give the intervals.

For each interval: how often it covers, on which side it misses, how wide it is, and whether it covers significantly less than 95 % (exact
binomial test, Holm over all cells). Intervals that promise never to cover less must not be seen to, and Wilson's promises 95 % on average only.
With --old the same designs are also run with an earlier version, with fewer seeds, for the columns "old".

Results are kept in tests/outside/results/coverage.tsv with their date; with --only the rows of other designs stay as they are. Only the standard
library is needed.
"""

import argparse
import concurrent.futures
import datetime
import json
import math
import pathlib
import random
import shutil
import tempfile
from collections import Counter, defaultdict

from studies import Study, call, imported_study, linked, sample_study, write_table

HERE = pathlib.Path(__file__).resolve().parent
CUTS = [0.5, 0.7, 0.9]
WORD = {True: "near-duplicate", False: "not"}
ALL = "all"
NEVER_LESS = {"precision, conservative", "recall, at least"}
ON_AVERAGE = {"precision, Wilson"}
TEST = "test of equal errors at 5 %"


def labelled(program, folder, sample, rows):
    """Takes labels into a sample: source, target, label, annotator."""
    table = folder / "labels.tsv"
    for annotator in sorted({row[3] for row in rows}):
        write_table(table, ("source", "target", "label"), [row[:3] for row in rows if row[3] == annotator])
        call(program, "labels", "import", folder, table, "--annotator", annotator, "--sample", sample)


class Sampled:
    """Samples of a study, labelled by its truth; with doubt a second annotator errs at random."""

    def __init__(self, name, sample, configurations, *, study="sample study", compare=None, rail=None, audit=False, unit="pairs", doubt=0.0,
                 labelled=None):
        self.name, self.sample, self.configurations, self.study, self.labelled = name, sample, configurations, study, labelled
        self.compare, self.rail, self.audit, self.unit, self.doubt = compare, rail, audit, unit, doubt

    def draw(self, program, folder, seed):
        for part in ("samples", "labels"):
            shutil.rmtree(folder / part, ignore_errors=True)
        sample = ["sample", folder, "--configuration", self.configurations, "--seed", seed, "--name", "s", "--json"]
        drawn = json.loads(call(program, *sample, *self.sample))
        return [(p["source"], p["target"]) for p in drawn["pairs"]], sum(stratum["population"] for stratum in drawn["strata"])

    def round(self, program, study, folder, seed):
        pairs, _ = self.draw(program, folder, seed)
        # A beginning of the random order, where not all are labelled.
        pairs = pairs[:self.labelled]
        rows = [(*ids, WORD[ids in study.true], "ann") for ids in pairs]
        if self.doubt:
            chance = random.Random(seed)
            rows += [(*ids, WORD[(ids in study.true) != (chance.random() < self.doubt)], "bob") for ids in pairs]
        labelled(program, folder, "s", rows)
        more = (["--compare", self.compare] if self.compare else []) + (["--rail", self.rail] if self.rail else [])
        result = json.loads(call(program, "evaluate", folder, "--truth", "labels", "--sample", "s", "--json", *more))
        return list(self.intervals(study, result))

    def names(self, study):
        return list(study.found) if self.configurations == ALL else self.configurations.split(",")

    def intervals(self, study, result):
        """Every interval of a result with its truth: (configuration, what, interval, truth)."""
        names = self.names(study)
        truths = study.truths(names, self.audit)
        estimates = {c["name"]: c for c in result["estimates"][0]["configurations"]}
        for name in names:
            precision, recall = estimates[name]["precision"], estimates[name]["recall"]
            if not precision:
                continue
            truth = study.by_document(name) if self.unit == "documents" else truths[name]["precision"]
            headline = precision.get("headline") or precision.get("design") or precision.get("wilson")
            if not self.doubt:
                yield name, "precision", headline, truth
                yield name, "precision, Wilson", precision.get("wilson"), truth
                for key, what in [("pool", "recall in the pool"), ("all", "recall of all"), ("f1", "F")]:
                    yield name, what, recall.get(key), truths[name][what]
            yield name, "precision, conservative", precision.get("conservative"), truth
            if recall.get("at_least") is not None:
                yield name, "recall, at least", {"low": recall["at_least"], "high": 1.0}, truths[name]["recall of all"]
        kind = "recall of all" if self.audit else "recall in the pool"
        if result.get("compared"):
            a, b = self.compare.split(",")
            for what, which in [("precision", "precision"), ("recall", kind)]:
                yield f"{a} − {b}", f"difference of {what}", result["compared"][what], truths[a][which] - truths[b][which]
            if self.study not in ("sample study", *SMALL):
                yield f"{a} − {b}", TEST, {"low": 0.0, "high": result["compared"]["p_value"]}, 0.05
        for cut in result.get("rail", {}).get("cuts", []):
            if any(abs(cut["at"] - at) < 1e-9 for at in CUTS):
                truth = study.truths(names, self.audit, cut["at"])[self.rail]
                yield self.rail, f"precision from {cut['at']}", cut["precision"], truth["precision"]
                yield self.rail, f"recall from {cut['at']}", cut["recall"], truth[kind]


class Together(Sampled):
    """Several samples of one study, which count together: (name, options, configurations) of each; the rows of the table are looked at."""

    def __init__(self, name, samples):
        super().__init__(name, None, ALL, audit=True)
        self.samples = samples

    def round(self, program, study, folder, seed):
        for part in ("samples", "labels"):
            shutil.rmtree(folder / part, ignore_errors=True)
        for i, (name, options, configurations) in enumerate(self.samples):
            sample = ["sample", folder, "--configuration", configurations, "--seed", 2 * seed + i, "--name", name, "--json", *options]
            pairs = [(p["source"], p["target"]) for p in json.loads(call(program, *sample))["pairs"]]
            labelled(program, folder, name, [(*ids, WORD[ids in study.true], "ann") for ids in pairs])
        result = json.loads(call(program, "evaluate", folder, "--truth", "labels", "--json"))
        truths = study.truths(self.names(study), True)
        for row in result["configurations"]:
            yield row["name"], "precision", row["precision"], truths[row["name"]]["precision"]
            if "recall of all" in row["basis"]:
                yield row["name"], "recall of all", row["recall"], truths[row["name"]]["recall of all"]
                yield row["name"], "F", row["f1"], truths[row["name"]]["F"]


class Agreeing(Sampled):
    """Samples of a study on which two annotators have said something of every pair."""

    def round(self, program, study, folder, seed):
        pairs, population = self.draw(program, folder, seed)
        labelled(program, folder, "s", [(*ids, said, name) for ids in pairs for name, said in zip(("ann", "bob"), study.said(ids))])
        result = json.loads(call(program, "labels", "agreement", folder, "--sample", "s", "--json"))
        table = study.table(self.names(study), self.audit)
        truths = coefficients(table)
        for what in ("observed", "alpha", "ac1"):
            yield "ann, bob", f"{what} in the pool", result.get(what), truths[what]
        yield "ann, bob", "kappa in the pool", result["cohen"][0]["kappa"], truths["kappa"]
        if self.audit and result.get("everything"):
            truths = coefficients(study.everywhere(population))
            for what in ("observed", "alpha", "ac1"):
                yield "ann, bob", f"{what} everywhere", result["everything"][what], truths[what]


def coefficients(table):
    """Alpha, kappa and AC1 of two annotators, from how often each two labels were given (Krippendorff 2011, Cohen 1960, Gwet 2008)."""
    n, names = sum(table.values()), sorted({name for two in table for name in two})
    observed = sum(count for (a, b), count in table.items() if a == b) / n
    first = {name: sum(count for (a, _), count in table.items() if a == name) / n for name in names}
    second = {name: sum(count for (_, b), count in table.items() if b == name) / n for name in names}
    mean = {name: (first[name] + second[name]) / 2 for name in names}
    by_chance = sum(first[name] * second[name] for name in names)
    apart = sum(2 * n * mean[name] * (2 * n - 2 * n * mean[name]) for name in names)
    guessed = sum(share * (1 - share) for share in mean.values()) / (len(names) - 1)
    return {
        "observed": observed,
        "kappa": (observed - by_chance) / (1 - by_chance),
        "alpha": 1 - (2 * n - 1) * 2 * n * (1 - observed) / apart,
        "ac1": (observed - guessed) / (1 - guessed),
    }


class Annotated(Study):
    """The sample study with what two annotators say of every pair: of pairs that somebody found they err, more often where it is hard."""

    def said(self, ids):
        truth = ids in self.true
        if ids not in self.pool:
            return WORD[truth], WORD[truth]
        hard = 0.6 <= self.jaccard[ids] < 0.97
        chance = random.Random(" ".join(ids))
        errs = [chance.random() < (0.12 if hard else 0.03), chance.random() < (0.2 if hard else 0.02)]
        return tuple(WORD[truth != err] for err in errs)

    def table(self, names, audit):
        return Counter(self.said(ids) for ids in (self.pool if audit else self.drawn_from(names)))

    def everywhere(self, pairs):
        table = Counter(self.said(ids) for ids in self.pool | self.true)
        table["not", "not"] += pairs - table.total()
        return table


class Census:
    """Studies of so many source documents, each of a kind that is drawn; all pairs are known.

    A kind is (share of documents, sizes, share of true pairs, whether they are all true or all false, what a and b find of true
    and of false pairs)."""

    def __init__(self, name, documents, kinds):
        self.name, self.documents, self.kinds, self.study = name, documents, kinds, None

    def truths(self):
        """What the numbers are expected to be: ratios of means over documents."""
        found, right, true = [0.0, 0.0], [0.0, 0.0], 0.0
        for share, sizes, precision, _, finds in self.kinds:
            pairs = share * sum(sizes) / len(sizes)
            true += pairs * precision
            for c, (of_true, of_false) in enumerate(finds):
                right[c] += pairs * precision * of_true
                found[c] += pairs * (precision * of_true + (1 - precision) * of_false)
        return [{"precision": r / f, "recall": r / true, "f1": 2 * r / (f + true)} for r, f in zip(right, found)]

    def round(self, program, _, folder, seed):
        chance = random.Random(seed)
        found, truth = {"a": [], "b": []}, []
        for document in range(self.documents):
            _, sizes, precision, pure, finds = chance.choices(self.kinds, [kind[0] for kind in self.kinds])[0]
            all_true = chance.random() < precision
            for pair in range(chance.choice(sizes)):
                ids = (f"s{document}", f"s{document}-t{pair}")
                true = all_true if pure else chance.random() < precision
                truth.append((*ids, WORD[true]))
                for name, (of_true, of_false) in zip(found, finds):
                    if chance.random() < (of_true if true else of_false):
                        found[name].append(ids)
        imported_study(program, folder, found)
        write_table(folder / "truth.tsv", ("source", "target", "label"), truth)
        result = json.loads(call(program, "evaluate", folder, "--truth", f"file:{folder / 'truth.tsv'}", "--json"))
        for quality, truths in zip(result["configurations"], self.truths()):
            for what, expected in truths.items():
                yield quality["name"], "F" if what == "f1" else what, quality[what], expected


def erring_equally(study, a, b):
    """A truth under which two configurations are right equally often: of the pairs that only one found, some are called otherwise."""
    chance, true = random.Random(7), set(study.true)
    only = [sorted(study.found[x] - study.found[y]) for x, y in ((a, b), (b, a))]

    def ahead():
        right = [sum(1 if ids in true else -1 for ids in pairs) for pairs in only]
        return right[0] - right[1]

    while abs(ahead()) >= 2:
        # Of an odd number of pairs one is left over: the test is then of a difference of one pair.
        one = chance.randrange(2)
        ids = chance.choice(only[one])
        if (ids in true) == ((ahead() > 0) == (one == 0)):
            true ^= {ids}
    return true


def invented_three(program, place):
    """Three configurations by seven kinds of pairs: a and b have the same precision and recall, with true pairs in different kinds."""
    kinds = {"a": (700, 70), "ac": (100, 90), "b": (400, 60), "bc": (400, 100), "ab": (900, 800), "abc": (600, 590), "c": (300, 30)}
    found, true = defaultdict(list), set()
    for kind, (pairs, right) in kinds.items():
        for i in range(pairs):
            ids = (f"s{i % 97}-{kind}", f"t{i}-{kind}")
            true |= {ids} if i < right else set()
            for name in kind:
                found[name].append(ids)
    folder = imported_study(program, pathlib.Path(place) / "invented", dict(sorted(found.items())))
    return Study(program, folder, true)


def invented(kinds):
    """Makes a study of configurations by kinds of pairs: who found them, how many, how many of these are true, and a score."""
    def make(program, place):
        found, true = defaultdict(list), set()
        for number, (who, pairs, right, score) in enumerate(kinds):
            for i in range(pairs):
                ids = (f"s{number}-{i:04}", f"t{number}-{i:04}")
                true |= {ids} if i < right else set()
                for name in who:
                    found[name].append((*ids, score))
        return Study(program, imported_study(program, pathlib.Path(place), dict(sorted(found.items()))), true)
    return make


# Small populations: strata that are mostly labelled with one pair that is otherwise, a part that hardly any sample looks at, few pairs in which
# two configurations differ.
SMALL = {
    "mostly labelled": invented([("a", 200, 200, 0.95), ("a", 200, 199, 0.6)]),
    "mostly false": invented([("a", 100, 1, 0.95), ("a", 20, 18, 0.6)]),
    "a part of 30": invented([("ab", 970, 873, 0.9), ("b", 30, 30, 0.9)]),
    "few differ": invented([("ab", 60, 50, 0.9), ("a", 6, 3, 0.9), ("b", 3, 1, 0.9)]),
}


def studies_of(program, place, wanted):
    """The studies that designs ask for, each made once."""
    made = {}
    for name in sorted(wanted & set(SMALL)):
        made[name] = SMALL[name](program, pathlib.Path(place) / name.replace(" ", "-"))
    if wanted - {None, "invented", *SMALL}:
        folder = sample_study(program, place, KEPT)
        made["sample study"] = study = Study(program, folder)
        made["annotated"] = Annotated(program, folder)
        for a, b in [("best", "tfidf"), ("best", "simhash-2")]:
            made[f"{a} and {b} err equally"] = Study(program, folder, erring_equally(study, a, b))
    if "invented" in wanted:
        made["invented"] = invented_three(program, place)
    return made


# Configurations of the sample study that take part: with fewer every study is done faster.
KEPT = ["simhash-2", "simhash-3+5", "megashingles", "tfidf", "opt-freq", "decomposition", "best", "exact-jaccard"]
THREE = "best,tfidf,simhash-2"
JACCARD, AGREEMENT, EQUAL = ["--by", "jaccard"], ["--by", "agreement"], ["--allocation", "equal"]
# What a document is like: three in four have few pairs, which are mostly true; of the others a template makes all pairs true or all false.
MIXED = [
    (0.75, [1, 1, 2, 3, 4], 0.85, False, [(0.9, 0.6), (0.8, 0.2)]),
    (0.25, [5, 10, 20], 0.6, True, [(0.8, 0.7), (0.9, 0.3)]),
]
# Nearly all pairs are true; a few documents have many pairs.
NEARLY = [
    (0.9, [1, 2, 2, 3], 0.98, False, [(0.97, 0.9), (0.85, 0.3)]),
    (0.1, [5, 10, 15], 0.95, True, [(0.98, 0.9), (0.9, 0.5)]),
]
DESIGNS = [
    Census("census of 40 documents", 40, MIXED),
    Census("census of 150 documents", 150, MIXED),
    Census("census of 150 documents, nearly all true", 150, NEARLY),
    Sampled("equal errors, by agreement, equal, 150", [*AGREEMENT, *EQUAL, "--size", 150], "a,b,c", study="invented", compare="a,b"),
    Sampled("equal errors, by agreement, 300", [*AGREEMENT, "--size", 300], "a,b,c", study="invented", compare="a,b"),
    Sampled("equal errors, simple, 150", ["--size", 150], "a,b", study="invented", compare="a,b"),
    Sampled("best by agreement, 60", [*AGREEMENT, "--size", 60], "best"),
    Sampled("best by jaccard, equal, 60", [*JACCARD, *EQUAL, "--size", 60], "best", rail="best"),
    Sampled("best by jaccard, equal, 100", [*JACCARD, *EQUAL, "--size", 100], "best"),
    Sampled("three by agreement, 60", [*AGREEMENT, "--size", 60], THREE, compare="best,tfidf"),
    Sampled("three by agreement, equal, 100", [*AGREEMENT, *EQUAL, "--size", 100], THREE, compare="best,simhash-2", rail="simhash-2"),
    Sampled("three by jaccard, equal, 100", [*JACCARD, *EQUAL, "--size", 100], THREE, compare="tfidf,simhash-2"),
    Sampled("equal errors, three by jaccard, equal, 100", [*JACCARD, *EQUAL, "--size", 100], THREE, compare="best,tfidf",
            study="best and tfidf err equally"),
    Sampled("documents of simhash-2, 100", ["--documents", "--size", 100], "simhash-2", unit="documents"),
    Sampled("documents of best, 60", ["--documents", "--size", 60], "best", unit="documents"),
    Sampled("two annotators, best by jaccard, 100", [*JACCARD, "--size", 100], "best", doubt=0.08),
    Sampled("importance, best, 100", ["--importance", "--size", 100], "best"),
    Sampled("three with audit, 100 + 100", ["--size", 100, "--audit", 100], THREE, rail="best", audit=True, compare="best,tfidf"),
    Sampled("equal errors, three with audit, 100 + 100", ["--size", 100, "--audit", 100], THREE, audit=True, compare="best,simhash-2",
            study="best and simhash-2 err equally"),
    Sampled("all, simple, 100", ["--size", 100], ALL, compare="best,exact-jaccard"),
    Sampled("mostly labelled, two strata, 320 of 400", ["--by", "score", "--bounds", "0.8", *EQUAL, "--size", 320], "a", study="mostly labelled"),
    Sampled("mostly labelled, two strata, 200 of 400", ["--by", "score", "--bounds", "0.8", *EQUAL, "--size", 200], "a", study="mostly labelled"),
    Sampled("mostly labelled, two strata, 108 of 120", ["--by", "score", "--bounds", "0.8", "--size", 108], "a", study="mostly false"),
    Sampled("documents, 320 of 400", ["--documents", "--size", 320], "a", study="mostly labelled", unit="documents"),
    Sampled("a part that few look at, 20", ["--size", 20], "a,b", study="a part of 30", compare="a,b"),
    Sampled("few pairs differ, 40 of 69", ["--size", 40], "a,b", study="few differ", compare="a,b"),
    Sampled("three by jaccard, equal, 60 of 100 labelled", [*JACCARD, *EQUAL, "--size", 100], THREE, compare="best,simhash-2", labelled=60),
    Together("an audit beside a sample of all, 100 + 60 and 150",
             [("aud", [*JACCARD, "--size", 100, "--audit", 60], "best,simhash-2"), ("every", ["--size", 150], ALL)]),
    Agreeing("agreement, three, simple, 100", ["--size", 100], THREE, study="annotated"),
    Agreeing("agreement, three by jaccard, equal, 100", [*JACCARD, *EQUAL, "--size", 100], THREE, study="annotated"),
    Agreeing("agreement, three with audit, 100 + 100", ["--size", 100, "--audit", 100], THREE, study="annotated", audit=True),
]


class Cell:
    """What became of an interval over many studies."""

    def __init__(self):
        self.covered, self.under, self.over, self.widths = 0, 0, 0, []

    def add(self, interval, truth):
        self.under += truth < interval["low"] - 1e-9
        self.over += truth > interval["high"] + 1e-9
        self.covered += interval["low"] - 1e-9 <= truth <= interval["high"] + 1e-9
        self.widths.append(interval["high"] - interval["low"])

    def join(self, other):
        self.covered, self.under, self.over = self.covered + other.covered, self.under + other.under, self.over + other.over
        self.widths += other.widths


def seeds_of(program, study, design, seeds):
    """The rounds of some seeds, in a folder of their own."""
    cells = defaultdict(Cell)
    with tempfile.TemporaryDirectory() as place:
        folder = linked(study.folder, place) if study else pathlib.Path(place) / "study"
        for seed in seeds:
            for name, what, interval, truth in design.round(program, study, folder, seed):
                # Earlier versions have some numbers without an interval.
                if isinstance(interval, dict):
                    cells[name, what].add(interval, truth)
    return cells


def run(program, design, study, seeds, jobs):
    shares = [range(1 + job, seeds + 1, jobs) for job in range(jobs)]
    total = defaultdict(Cell)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(lambda share: seeds_of(program, study, design, share), shares):
            for key, cell in part.items():
                total[key].join(cell)
    return total


def below(covered, n, share=0.95):
    """Probability of covering so seldom, or less, if it covered 95 %."""
    def term(x):
        return math.exp(math.lgamma(n + 1) - math.lgamma(x + 1) - math.lgamma(n - x + 1)
                        + x * math.log(share) + (n - x) * math.log(1 - share))
    return min(1.0, sum(term(x) for x in range(covered + 1)))


HEAD = ["design", "configuration", "interval", "studies", "covered", "coverage", "truth under", "truth over", "mean width", "median width",
        "old studies", "old coverage", "old mean width", "p", "verdict"]


def rows_of(design, cells, old):
    """Rows of results, without verdicts."""
    rows = []
    for (name, what), cell in cells.items():
        n, before = len(cell.widths), old.get((name, what), Cell())
        width = ["–", "–"] if what == TEST else [f"{sum(cell.widths) / n:.3f}", f"{sorted(cell.widths)[n // 2]:.3f}"]
        m = len(before.widths)
        earlier = [str(m), f"{before.covered / m:.4f}", f"{sum(before.widths) / m:.3f}" if what != TEST else "–"] if m else ["–"] * 3
        counts = [str(n), str(cell.covered), f"{cell.covered / n:.4f}", str(cell.under), str(cell.over)]
        rows.append([design.name, name, what, *counts, *width, *earlier, f"{below(cell.covered, n):.2g}"])
    return rows


def verdicts(rows):
    """Rows with their verdicts: Holm over all that promise 95 %."""
    promised = sorted((row for row in rows if row[2] not in ON_AVERAGE), key=lambda row: float(row[-1]))
    refuted, open_ = set(), True
    for i, row in enumerate(promised):
        open_ = open_ and float(row[-1]) < 0.05 / (len(promised) - i)
        refuted |= {tuple(row[:3])} if open_ else set()

    def verdict(row):
        if row[2] in ON_AVERAGE:
            return "on average only"
        # Of few studies chance alone may leave fewer than 95 %.
        never = row[2] in NEVER_LESS and float(row[5]) < 0.95 and (int(row[3]) >= 1000 or float(row[-1]) < 0.01)
        return "TOO FEW" if tuple(row[:3]) in refuted or never else "ok"
    return [[*row, verdict(row)] for row in rows]


def written(path, rows):
    """All rows in the order of the designs, kept in the file."""
    order = {design.name: i for i, design in enumerate(DESIGNS)}
    rows = verdicts(sorted(rows, key=lambda row: order[row[0]]))
    head = (f"# {datetime.date.today()}; 95 % intervals; covered: of a test the studies in which it does not reject; truth under, over: the "
            "interval lies above the truth, below it; p: of covering so seldom at 95 %")
    path.write_text("\n".join([head, "\t".join(HEAD), *("\t".join(row) for row in rows)]) + "\n")
    return rows


def kept(path, chosen):
    """Rows of designs that are not run now."""
    if not path.exists():
        return []
    rows = [line.split("\t")[:-1] for line in path.read_text().splitlines()[2:]]
    others = {design.name for design in DESIGNS} - {design.name for design in chosen}
    return [row for row in rows if row[0] in others and len(row) == len(HEAD) - 1]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seeds", type=int, default=2000)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--only", default="", help="names of designs, with a semicolon between")
    arguments.add_argument("--old", help="an earlier version, for the coverage and the widths that it had")
    arguments.add_argument("--old-seeds", type=int, default=200)
    arguments.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "coverage.tsv")
    args = arguments.parse_args()
    chosen = [design for design in DESIGNS if not args.only or design.name in args.only.split(";")]
    rows = kept(args.results, chosen)
    programs = [str(pathlib.Path(program).resolve()) for program in (args.program, args.old) if program]
    with tempfile.TemporaryDirectory() as place:
        wanted = {design.study for design in chosen}
        made = [studies_of(program, pathlib.Path(place) / str(i), wanted) for i, program in enumerate(programs)]
        for design in chosen:
            cells = run(programs[0], design, made[0].get(design.study), args.seeds, args.jobs)
            try:
                old = run(programs[1], design, made[1].get(design.study), args.old_seeds, args.jobs) if args.old else {}
            except (RuntimeError, KeyError, TypeError) as error:
                print(f"{design.name}: the earlier version cannot: {error!r}"[:300], flush=True)
                old = {}
            rows += rows_of(design, cells, old)
            done = written(args.results, rows)
            print(f"{datetime.datetime.now():%H:%M:%S} {design.name}: done", flush=True)
    bad = ["\t".join(row) for row in done if row[-1] == "TOO FEW"]
    print(f"{len(done)} intervals and tests, {len(bad)} cover significantly too seldom", *bad, sep="\n")


if __name__ == "__main__":
    main()
