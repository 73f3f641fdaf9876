"""Holds AP, nDCG@k, P@k and Kendall's tau-b against pytrec_eval and SciPy: rankings.py DEJAVIEW [SEED…]

    pip install pytrec-eval-terrier scipy      # trec_eval's own code, with wheels; or pytrec_eval
    python tests/outside/rankings.py target/release/dejaview 1 2 3

Makes random judgments and runs (grades from -2 to 4, equal scores, topics that only one of both has, documents without a
judgment), has `dejaview transfer --runs` measure them before and after a transfer of about half of the judgments, and computes
the same from the same files. Prints the largest difference; fails over 1e-9."""

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import pytrec_eval
from scipy.stats import kendalltau

CUTS = (5, 10, 20)
MEASURES = {"ap": "map", **{f"ndcg@{k}": f"ndcg_cut_{k}" for k in CUTS}, **{f"p@{k}": f"P_{k}" for k in CUTS}}


def case(folder, rng):
    judged, carried = {}, {}
    for topic in range(1, 13):
        grades = {f"d{topic}-{i}": rng.choice([-2, 0, 0, 0, 1, 1, 2, 3, 4]) for i in rng.sample(range(80), 40)}
        judged[str(topic)] = grades
    documents = sorted({d for grades in judged.values() for d in grades})
    kept = set(rng.sample(documents, len(documents) // 2))
    for topic, grades in judged.items():
        left = {d: g for d, g in grades.items() if d in kept}
        if left:
            carried[topic] = left
    lines = [f"{t} 0 {d} {g}" for t, grades in judged.items() for d, g in grades.items()]
    (folder / "web.qrels").write_text("\n".join(lines) + "\n")
    (folder / "pairs.tsv").write_text("".join(f"{d}\tt-{d}\t{rng.random():.3f}\n" for d in sorted(kept)))
    (folder / "study.toml").write_text(
        '[source]\njudgments = ["web.qrels"]\n[[configuration]]\nmethod = "import"\npairs = "pairs.tsv"\n'
    )
    runs = {}
    for system in range(8):
        run = {}
        for topic in range(2, 15):
            found = rng.sample(range(100), 60)
            run[str(topic)] = {f"d{topic}-{i}": round(rng.random() * 10, rng.choice([0, 1, 6])) for i in found}
        runs[f"sys{system}"] = run
        text = "".join(
            f"{t} Q0 {d} 0 {score} sys{system}\n" for t, documents in run.items() for d, score in documents.items()
        )
        (folder / f"sys{system}.run").write_text(text)
    return judged, carried, runs


def means(judged, run, topics):
    judged = {topic: grades for topic, grades in judged.items() if topic in topics}
    values = pytrec_eval.RelevanceEvaluator(judged, set(MEASURES.values())).evaluate(run)
    return {name: sum(v[theirs] for v in values.values()) / len(values) for name, theirs in MEASURES.items()}


def check(program, seed):
    worst = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        judged, carried, runs = case(folder, random.Random(seed))
        subprocess.run([program, "run", folder], check=True, capture_output=True)
        files = [folder / f"{tag}.run" for tag in runs]
        command = [program, "transfer", folder, "-o", folder / "new.qrels", "--accept", "all", "--json", "--measures", ",".join(MEASURES), "--runs", *files]
        found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
        effects = {effect["measure"]: effect for effect in found["effect"]["measures"]}
        common = judged.keys() & carried.keys()
        assert found["effect"]["common"] == len(common)
        before = {tag: means(judged, run, common) for tag, run in runs.items()}
        after = {tag: means(carried, run, common) for tag, run in runs.items()}
        for measure, effect in effects.items():
            for system in effect["systems"]:
                worst = max(worst, abs(system["before"] - before[system["tag"]][measure]))
                worst = max(worst, abs(system["after"] - after[system["tag"]][measure]))
            # Means that differ only by the order of their sums are equal.
            values = [[round(side[t][measure], 12) for t in runs] for side in (before, after)]
            tau = kendalltau(*values).statistic
            worst = max(worst, abs(effect["tau"] - tau))
    return worst


if __name__ == "__main__":
    for seed in map(int, sys.argv[2:] or ["1"]):
        worst = check(sys.argv[1], seed)
        print(f"seed {seed}: largest difference {worst:.2e} over {len(MEASURES)} measures, 8 systems and tau-b")
        assert worst < 1e-9
