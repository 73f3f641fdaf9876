"""Studies whose truth is known, for the scripts beside this file: the sample study, copies of it, and invented ones."""

import json
import pathlib
import re
import shutil
import subprocess
from collections import defaultdict

CORPUS = pathlib.Path(__file__).resolve().parent.parent.parent / "sample-corpus"
NEAR = {"exact-copy", "moved", "date-changed", "boilerplate-changed", "light-edit"}


def call(program, *args):
    done = subprocess.run([program, *map(str, args)], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{args}: {done.stderr}")
    return done.stdout


def write_table(path, head, rows):
    path.write_text("\n".join("\t".join(map(str, row)) for row in [head, *rows]) + "\n")


def sample_study(program, place, configurations=None):
    """The sample study, run; all of its configurations, or some."""
    folder = pathlib.Path(place) / "sample-study"
    shutil.copytree(CORPUS, folder, ignore=shutil.ignore_patterns(".dejaview", "samples", "labels", "generator"))
    head, *blocks = (CORPUS / "study.toml").read_text().split("[[configuration]]")
    named = re.compile(r'^(?:name|method) *= *"(.*?)"', re.MULTILINE)
    blocks = [block for block in blocks if configurations is None or named.search(block)[1] in configurations]
    (folder / "study.toml").write_text("[[configuration]]".join([head, *blocks]))
    call(program, "run", folder)
    return folder


def imported_study(program, folder, pairs):
    """A study of imported pairs, run: for each configuration its pairs of ids, with a score or without."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    recipe = ['name = "invented"']
    for name, found in pairs.items():
        recipe.append(f'[[configuration]]\nname = "{name}"\nmethod = "import"\npairs = "{name}.tsv"')
        write_table(folder / f"{name}.tsv", ("source", "target", "score")[:len(found[0]) if found else 2], found)
    (folder / "study.toml").write_text("\n".join(recipe) + "\n")
    call(program, "run", folder)
    return folder


def linked(base, place):
    """A study with the run of another, and samples and labels of its own."""
    folder = pathlib.Path(place) / "study"
    (folder / ".dejaview").mkdir(parents=True)
    for entry in [*base.iterdir(), *(base / ".dejaview").iterdir()]:
        # Locks are each study's own.
        if entry.name not in (".dejaview", "samples", "labels", "locks", "run.lock"):
            (folder / entry.relative_to(base)).symlink_to(entry)
    return folder


class Study:
    """The pairs of a study and their truth, counted once."""

    def __init__(self, program, folder, true=None):
        self.folder = folder
        self.found = defaultdict(set)
        self.jaccard = {}
        for line in call(program, "pairs", folder, "--json").splitlines():
            pair = json.loads(line)
            ids = (pair["source"], pair["target"])
            self.found[pair["configuration"]].add(ids)
            self.jaccard[ids] = pair["jaccard"]
        self.true = sample_truth() if true is None else true
        self.pool = set().union(*self.found.values())

    def drawn_from(self, names):
        return set().union(*(self.found[name] for name in names))

    def truths(self, names, audit, cut=0.0):
        """Precision, recall and F of each configuration, as a sample of these should estimate them."""
        pool = self.pool if audit else self.drawn_from(names)
        truths = {}
        for name, pairs in self.found.items():
            if cut:
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


def sample_truth():
    rows = (CORPUS / "truth.tsv").read_text().splitlines()[1:]
    kinds = {tuple(row.split("\t")[:2]): row.split("\t")[2] for row in rows}
    return {ids for ids, kind in kinds.items() if kind in NEAR}
