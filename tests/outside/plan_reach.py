#!/usr/bin/env python3
"""Do plans reach what they say? Whole studies through the command line.

    cargo build --release
    python tests/outside/plan_reach.py target/release/dejaview [--seeds 40]

- After a first sample: it is labelled by the truth, `evaluate` says what to label next and names a command; that is run, its pairs are labelled,
  and the interval must be as narrow as was said. Where even all pairs are not enough by the plan, nothing was said.
- Before any label: `sample --plan` says how many labels a design takes when so many pairs are true as there are; a sample of that size is drawn and
  labelled.
- Power: `sample --plan --compare a,b` says how many labels tell a difference of precision that is there, with a power of 0.8; samples of that size
  are drawn from an invented study, and the interval of the difference must not hold 0.

For each design: how often the half-width that was wanted is reached, and the labels it took. At least 80 % are wanted in each; fewer are said where
chance alone would hardly make them (5 %). Results are kept in
tests/outside/results/plan_reach.tsv. Only the standard library is needed.
"""

import argparse
import concurrent.futures
import datetime
import functools
import json
import math
import pathlib
import shlex
import shutil
import tempfile

from studies import Study, call, imported_study, linked, sample_study, write_table

HERE = pathlib.Path(__file__).resolve().parent
DESIGNS = {
    "simple": [],
    "by jaccard, equal": ["--by", "jaccard", "--allocation", "equal"],
    "by jaccard": ["--by", "jaccard"],
    "by agreement": ["--by", "agreement"],
    "documents": ["--documents"],
}
# Configurations of the sample study that take part: with fewer every study is done faster.
KEPT = ["simhash-2", "tfidf", "decomposition", "best"]
# Configurations: the one that is planned for, and those it is drawn with.
DRAWN = [("simhash-2", "simhash-2"), ("decomposition", "decomposition"), ("tfidf", "best,tfidf,simhash-2")]


class Trial:
    """One sample of a study of its own."""

    def __init__(self, program, study, folder):
        self.program, self.study, self.folder = program, study, folder
        for part in ("samples", "labels"):
            shutil.rmtree(folder / part, ignore_errors=True)

    def draw(self, *args):
        call(self.program, "sample", self.folder, "--name", "s", *args)

    def label(self, most=None):
        """Labels the pairs of the sample in their order by the truth, so many at most, and returns how many that are."""
        lines = (self.folder / "samples" / "s.jsonl").read_text().splitlines()[1:]
        pairs = [(pair["source"], pair["target"]) for pair in map(json.loads, lines)][:most]
        table = self.folder / "labels.tsv"
        write_table(table, ("source", "target", "label"), [(*ids, "near-duplicate" if ids in self.study.true else "not") for ids in pairs])
        call(self.program, "labels", "import", self.folder, table, "--annotator", "ann", "--sample", "s")
        return len(pairs)

    def evaluate(self, *more):
        return json.loads(call(self.program, "evaluate", self.folder, "--truth", "labels", "--sample", "s", "--json", *more))

    def estimate(self, name):
        result = self.evaluate()
        return next(c for c in result["estimates"][0]["configurations"] if c["name"] == name)


def half_width(estimate):
    interval = estimate["precision"]["headline"]
    return (interval["high"] - interval["low"]) / 2


def after_labels(trial, *, name, names, design, seed):
    """(half-width wanted, reached, labels) of a plan that rests on labels; none where it says that nothing is enough."""
    trial.draw("--configuration", names, "--size", 80, "--seed", seed, *design)
    first = trial.label(60)
    plan = trial.estimate(name)["plan"]
    if not plan or plan["then"] > plan["wanted"] or plan["left"] + sum(n for _, n in plan["more"]) == 0:
        return None
    if plan["command"]:
        program, *args = shlex.split(plan["command"])
        call(trial.program, *args)
        labels = trial.label()
    else:
        labels = trial.label(first + plan["left"])
    return plan["wanted"], half_width(trial.estimate(name)), labels


def before_labels(trial, *, name, names, design, seed, wanted):
    """The same of a plan before any label, which is told the share of true pairs."""
    truth = trial.study.by_document(name) if design == "documents" else trial.study.truths([name], False)[name]["precision"]
    share = min(max(truth, 0.01), 0.99)
    asked = ["sample", trial.folder, "--configuration", names, "--plan", "--precision", wanted, "--expect", f"{share:.4f}", "--json"]
    rows = [row for row in json.loads(call(trial.program, *asked))["rows"] if row["design"] == design and row["configuration"] == name]
    needed = min(rows, key=lambda row: abs(row["share"] - share))["needed"][0] if rows else None
    if needed is None:
        return None
    trial.draw("--configuration", names, "--size", needed, "--seed", seed, *DESIGNS[design])
    return wanted, half_width_after(trial, name), needed


def half_width_after(trial, name):
    trial.label()
    return half_width(trial.estimate(name))


def invented(program, place, shares):
    """Two configurations with pairs that both found, that only a found and that only b found, and the shares of these that are true."""
    found, true = {"a": [], "b": []}, set()
    for kind, (pairs, share) in shares.items():
        for i in range(pairs):
            ids = (f"s{i % 211}-{kind}", f"t{i}-{kind}")
            true |= {ids} if i < share * pairs else set()
            for name in kind:
                found[name].append(ids)
    return Study(program, imported_study(program, pathlib.Path(place) / "invented", found), true)


# Precisions of 0.9 and 0.8: what both found is equally good, and half of what only b found is true; and two without a pair in common.
POWER = {
    "much in common": {"ab": (3000, 0.9), "a": (1000, 0.9), "b": (1000, 0.5)},
    "nothing in common": {"a": (3000, 0.9), "b": (3000, 0.8)},
}


def told(trial, seed):
    """(0, smallest number that the interval of the difference leaves out on the way to 0, labels)."""
    asked = ["--configuration", "a,b", "--plan", "--compare", "a,b", "--difference", 0.1, "--expect", 0.9, "--power", 0.8, "--json"]
    needed = json.loads(call(trial.program, "sample", trial.folder, *asked))["difference"]["needed"]
    trial.draw("--configuration", "a,b", "--size", needed, "--seed", seed)
    trial.label()
    return 0.0, -trial.evaluate("--compare", "a,b")["compared"]["precision"]["low"], needed


def plans(program, place):
    """Every plan: (when, design, configuration), the study, and what to do with a trial and a seed."""
    study = Study(program, sample_study(program, place, KEPT))
    for kind, (i, shares) in zip(POWER, enumerate(POWER.values())):
        yield ("power 0.8 for ±10", "simple", kind), invented(program, pathlib.Path(place) / str(i), shares), told
    for name, names in DRAWN:
        for design, options in DESIGNS.items():
            of = f"{name} of {names}"
            if design != "documents":
                yield ("after 60 labels", design, of), study, functools.partial(after_labels, name=name, names=names, design=options)
            for wanted in (0.05, 0.03) if design != "documents" or "," not in names else ():
                said = functools.partial(before_labels, name=name, names=names, design=design, wanted=wanted)
                yield (f"before labels, ±{100 * wanted:.0f}", design, of), study, said


def tried(program, study, plan, seeds):
    with tempfile.TemporaryDirectory() as place:
        folder = linked(study.folder, place)
        return [plan(Trial(program, study, folder), seed=seed) for seed in seeds]


def row(key, outcomes):
    """A row of results."""
    said = [one for one in outcomes if one]
    if not said:
        return [*key, "0", "–", "–", "–", "–", "–", "nothing was promised"]
    reached, n = sum(width <= wanted + 1e-9 for wanted, width, _ in said), len(said)
    numbers = [f"{sum(one[i] for one in said) / n:.{digits}f}" for i, digits in ((1, 4), (0, 2), (2, 0))]
    chance = sum(math.comb(n, k) * 0.8**k * 0.2 ** (n - k) for k in range(reached + 1))
    return [*key, str(n), str(reached), f"{reached / n:.2f}", *numbers, "ok" if chance > 0.05 else "TOO FEW"]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("program")
    arguments.add_argument("--seeds", type=int, default=40)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--results", type=pathlib.Path, default=HERE / "results" / "plan_reach.tsv")
    args = arguments.parse_args()
    program = str(pathlib.Path(args.program).resolve())
    head = ["plan", "design", "configuration", "studies", "reached", "share", "mean half-width", "wanted", "mean labels", "verdict"]
    lines = [f"# {datetime.date.today()}, {args.seeds} seeds; studies: those whose plan said that it is enough", "\t".join(head)]
    shares = [range(1 + job, args.seeds + 1, args.jobs) for job in range(args.jobs)]
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for key, study, plan in plans(program, place):
            parts = pool.map(lambda share: tried(program, study, plan, share), shares)
            lines.append("\t".join(row(key, [one for part in parts for one in part])))
            args.results.write_text("\n".join(lines) + "\n")
            print(lines[-1], flush=True)


if __name__ == "__main__":
    main()
