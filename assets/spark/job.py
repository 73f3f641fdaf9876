"""Searches the files of a study on a Spark cluster.

Each task hands a share of the files to `dejaview match`, which leaves what it finds in a folder that all machines see,
one part a file, committed by a rename. A task that is repeated, or runs twice on speculation, leaves no part twice.

Started by `dejaview run STUDY --engine spark` through spark-submit; its only argument is a JSON file with the names of
the kit, the program, the folder of parts, the master if one is named, and the files, each with its size.
"""

import json
import re
import socket
import subprocess
import sys

from pyspark import SparkConf, SparkContext, SparkFiles, TaskContext

# A file over which the worker dies so often is given up, and listed as such.
DEATHS = 3


def shares(files, count):
    """Spreads files over shares of about the same size, the largest files first."""
    loads = [[0, number, []] for number in range(count)]
    for name, size in sorted(files, key=lambda file: (-file[1], file[0])):
        lightest = min(loads)
        lightest[0] += size
        lightest[2].append(name)
    return [names for _, _, names in loads if names]


def search(kit, program, parts, threads):
    """What a task does with its shares."""

    def match(names, *more):
        words = [SparkFiles.get(program), "match", SparkFiles.get(kit), "--parts", parts, "--threads", threads, *more]
        return subprocess.run(words, input="\n".join(names).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def check(done):
        if done.returncode != 0:
            task = TaskContext.get()
            place = f"task {task.partitionId()}, attempt {task.attemptNumber() + 1}, on {socket.gethostname()}"
            why = " / ".join(done.stderr.decode(errors="replace").strip().splitlines()[-5:])
            raise RuntimeError(f"[dejaview {place}: {why or f'exit code {done.returncode}'}]")

    def one(name):
        done = match([name])
        deaths = 1
        while done.returncode < 0 and deaths < DEATHS:
            done = match([name])
            deaths += 1
        if done.returncode < 0:
            done = match([name], "--give-up", f"the worker was ended {deaths} times by signal {-done.returncode}")
        check(done)

    def all_of(slices):
        for names in slices:
            done = match(names)
            if done.returncode < 0:
                for name in names:
                    one(name)
            else:
                check(done)
            yield len(names)

    return all_of


def must_answer(master):
    """Ends where no master of a standalone cluster answers: Spark itself would wait for minutes."""
    if not master.startswith("spark://"):
        return
    why = "it has no address"
    # There may be several, of which one is at work.
    for address in master.removeprefix("spark://").split(","):
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=10).close()
            return
        except (OSError, ValueError) as error:
            why = error
    advice = "start it, or check the address that its own page shows"
    print(f"dejaview: the master {master} does not answer ({why}); {advice}", flush=True)
    sys.exit(1)


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    must_answer(job["master"] or "")
    context = SparkContext(conf=SparkConf())
    try:
        count = min(len(job["files"]), max(16, 4 * context.defaultParallelism))
        slices = shares(job["files"], count)
        threads = context.getConf().get("spark.task.cpus", "1")
        work = search(job["kit"], job["program"], job["parts"], threads)
        searched = sum(context.parallelize(slices, len(slices)).mapPartitions(work).collect())
        print(f"dejaview: {searched} files searched", flush=True)
    except Exception as failure:
        reasons = dict.fromkeys(re.findall(r"\[dejaview (.*?)\]$", str(failure), re.MULTILINE))
        for reason in reasons or [str(failure).strip().splitlines()[0]]:
            print(f"dejaview: {reason}", flush=True)
        sys.exit(1)
    finally:
        context.stop()


if __name__ == "__main__":
    main()
