"""Searches the files of a study on a Spark cluster.

Each task hands a share of the files to `dejaview match`, which leaves what it finds in a folder that all machines see,
one part a file, committed by a rename. A task that is repeated, or runs twice on speculation, leaves no part twice.

Files that have an address (hdfs:, s3a:, file:) are listed and read through Hadoop's file system.

Where two corpora are joined, the parts are sketches in Parquet. Spark SQL then brings together the rows that share a key,
and `dejaview match --join` compares them, as it does on one machine.

Started by `dejaview run STUDY --engine spark` through spark-submit; its only argument is a JSON file with the names of
the kit, the program, the folder of parts, the master if one is named, the files, each with its size, and what is joined.
"""

import itertools
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from pyspark import SparkConf, SparkContext, SparkFiles, TaskContext
from pyspark.find_spark_home import _find_spark_home
from pyspark.sql import SparkSession

# A file over which the worker dies so often is given up, and listed as such.
DEATHS = 3
# Bytes of sketches that one task compares, about.
ROWS_OF_A_TASK = 64 << 20
# Seconds for which a standalone cluster may be without any executor once it had some, unless this setting says otherwise.
PATIENCE = ("spark.dejaview.patience", "300")


# The rows that are compared: those of keys that both sides have, and those of keys that are capped, to be listed. Of the
# documents of the target with one key and one sketch two say as much as all. The bytes of a row sort as the program has it.
JOIN = """
WITH source_keys AS (
  SELECT table, key, count(DISTINCT sketch) AS sketches FROM sketches WHERE side = 0 GROUP BY table, key
),
grouped AS (
  SELECT table, key, sketch, array(min(struct(id, content)), max(struct(id, content))) AS ends
  FROM sketches LEFT SEMI JOIN source_keys USING (table, key) WHERE side = 1 GROUP BY table, key, sketch
),
targets AS (
  SELECT table, key, sketch, 1 AS side, place.id, place.content
  FROM (SELECT table, key, sketch, explode(array_distinct(ends)) AS place FROM grouped)
),
target_keys AS (SELECT DISTINCT table, key FROM grouped),
shared_keys AS (
  SELECT table, key FROM source_keys LEFT SEMI JOIN target_keys USING (table, key)
  UNION SELECT table, key FROM source_keys WHERE sketches > {most}
),
sources AS (
  SELECT table, key, sketch, side, id, content
  FROM (SELECT * FROM sketches WHERE side = 0) LEFT SEMI JOIN shared_keys USING (table, key)
)
SELECT table, key, concat(
  unhex(lpad(hex(table), 8, '0')), unhex(lpad(hex(key), 16, '0')), sketch, unhex(lpad(hex(side), 2, '0')),
  unhex(lpad(hex(id), 16, '0')), unhex(lpad(hex(content), 16, '0'))
) AS row
FROM (SELECT * FROM sources UNION ALL SELECT * FROM targets)
"""


def shares(files, count):
    """Spreads files over shares of about the same size, the largest files first."""
    loads = [[0, number, []] for number in range(count)]
    for name, size in sorted(files, key=lambda file: (-file[1], file[0])):
        lightest = min(loads)
        lightest[0] += size
        lightest[2].append(name)
    return [names for _, _, names in loads if names]


def failure(code, said):
    """What is said of a worker that failed, with its task."""
    task = TaskContext.get()
    place = f"task {task.partitionId()}, attempt {task.attemptNumber() + 1}, on {socket.gethostname()}"
    why = " / ".join(said.decode(errors="replace").strip().splitlines()[-5:])
    return RuntimeError(f"[dejaview {place}: {why or f'exit code {code}'}]")


def check(done):
    if done.returncode != 0:
        raise failure(done.returncode, done.stderr)


def is_address(name):
    return re.match("[A-Za-z][A-Za-z0-9+.-]+:/", name.rpartition("\t")[2]) is not None


def cat(name, settings, hadoop):
    """Starts a process that writes the bytes of an address, as Hadoop's file system reads them."""
    with open(os.path.join(settings, "core-site.xml"), "w", encoding="utf-8") as file:
        file.write(hadoop)
    home = os.environ.get("SPARK_HOME") or _find_spark_home()
    words = [os.path.join(home, "bin", "spark-class"), "org.apache.hadoop.fs.FsShell", "-cat", name.rpartition("\t")[2]]
    environment = {**os.environ, "HADOOP_CONF_DIR": settings}
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)


def search(kit, program, parts, threads, hadoop):
    """What a task does with its shares. Files that have an address are streamed to the worker, one at a time."""

    def match(names, *more):
        words = [SparkFiles.get(program), "match", SparkFiles.get(kit), "--parts", parts, "--threads", threads, *more]
        if not more and is_address(names[0]):
            with tempfile.TemporaryDirectory() as settings:
                source = cat(names[0], settings, hadoop)
                words += ["--stream", names[0]]
                done = subprocess.run(words, stdin=source.stdout, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                source.stdout.close()
                source.wait()
                return done
        return subprocess.run(words, input="\n".join(names).encode(), stdout=subprocess.PIPE, stderr=subprocess.PIPE)

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
            for name in filter(is_address, names):
                one(name)
            paths = [name for name in names if not is_address(name)]
            if not paths:
                yield len(names)
                continue
            done = match(paths)
            if done.returncode < 0:
                for name in paths:
                    one(name)
            else:
                check(done)
            yield len(names)

    return all_of


def join(kit, program, out):
    """What a task does with rows that share keys, which come sorted."""

    def all_of(rows):
        first = next(rows, None)
        if first is None:
            return
        task = TaskContext.get()
        place = os.path.join(out, f"{task.partitionId()}.tsv")
        draft = f"{place}.{task.taskAttemptId()}.part"
        words = [SparkFiles.get(program), "match", SparkFiles.get(kit), "--join"]
        with open(draft, "wb") as told, tempfile.TemporaryFile() as log:
            worker = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=told, stderr=log)
            try:
                for (row,) in itertools.chain([first], rows):
                    worker.stdin.write(len(row).to_bytes(4, "little") + row)
                worker.stdin.close()
            except BrokenPipeError:
                pass
            if worker.wait() != 0:
                log.seek(0)
                raise failure(worker.returncode, log.read())
        os.replace(draft, place)
        yield 1

    return all_of


def join_sketches(context, job):
    """Joins the sketches of both sides by their keys, and leaves what tasks tell in a folder."""
    order = job["join"]
    session = SparkSession(context)
    session.read.parquet(*order["sketches"]).createOrReplaceTempView("sketches")
    rows = session.sql(JOIN.format(most=order["most"]))
    size = sum(os.path.getsize(path) for path in order["sketches"])
    tasks = max(16, 4 * context.defaultParallelism, size // ROWS_OF_A_TASK)
    rows = rows.repartition(tasks, "table", "key").sortWithinPartitions("row").select("row")
    rows.rdd.mapPartitions(join(job["kit"], job["program"], order["out"])).count()


def hadoop_settings(context):
    """The settings of Hadoop's file systems, as Spark has them, in the words of a core-site.xml."""
    text = context._jvm.java.io.StringWriter()
    context._jsc.hadoopConfiguration().writeXml(text)
    return text.toString()


def list_addresses(context, job):
    """Lists the files of each pattern with their sizes; a folder stands for all files below it."""
    path_of, settings = context._jvm.org.apache.hadoop.fs.Path, context._jsc.hadoopConfiguration()
    listed = {}
    for pattern in job["list"]:
        path = path_of(pattern)
        system = path.getFileSystem(settings)
        left, found = list(system.globStatus(path) or []), []
        while left:
            status = left.pop()
            if status.isDirectory():
                left.extend(system.listStatus(status.getPath()))
            else:
                found.append({"address": status.getPath().toString(), "size": status.getLen()})
        listed[pattern] = sorted(found, key=lambda file: file["address"].encode())
    with open(job["out"] + ".part", "w", encoding="utf-8") as file:
        json.dump(listed, file, indent=1)
    os.replace(job["out"] + ".part", job["out"])
    # Settings may hold passwords.
    place = os.path.join(job["hadoop"], "core-site.xml")
    with os.fdopen(os.open(place, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(hadoop_settings(context))


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


def follow(run):
    """Ends the job when the run that started it has ended, however it did: nobody would take what is found."""

    def watch():
        while True:
            time.sleep(1)
            try:
                os.kill(run, 0)
            except ProcessLookupError:
                print("dejaview: the run that started this job has ended", flush=True)
                os._exit(1)
            except PermissionError:
                pass

    threading.Thread(target=watch, daemon=True).start()


def attend(context):
    """Ends the job where a standalone cluster has lost all executors and gives no others: Spark itself would wait for ever."""
    patience = float(context.getConf().get(*PATIENCE))

    def watch():
        last = None
        while True:
            time.sleep(1)
            # The driver is one of them.
            if context._jsc.sc().getExecutorMemoryStatus().size() > 1:
                last = time.monotonic()
            elif last is not None and time.monotonic() - last > patience:
                advice = "a master that restarts must keep its state (spark.deploy.recoveryMode); what is searched is kept"
                print(f"dejaview: the cluster has lost all executors and gives no others; {advice}", flush=True)
                os._exit(1)

    if context.master.startswith("spark://"):
        threading.Thread(target=watch, daemon=True).start()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    settings = SparkConf()
    # Elsewhere the run is not to be seen.
    if settings.get("spark.submit.deployMode", "client") == "client":
        follow(job["run"])
    must_answer(job["master"] or "")
    context = SparkContext(conf=settings)
    attend(context)
    try:
        if "list" in job:
            list_addresses(context, job)
            return
        count = min(len(job["files"]), max(16, 4 * context.defaultParallelism))
        slices = shares(job["files"], count)
        threads = context.getConf().get("spark.task.cpus", "1")
        streams = any(is_address(name) for name, _ in job["files"])
        hadoop = hadoop_settings(context) if streams else ""
        work = search(job["kit"], job["program"], job["parts"], threads, hadoop)
        if slices:
            context.parallelize(slices, len(slices)).mapPartitions(work).count()
        if job["join"]:
            join_sketches(context, job)
    except Exception as failure:
        reasons = dict.fromkeys(re.findall(r"\[dejaview (.*?)\]$", str(failure), re.MULTILINE))
        for reason in reasons or [" ".join(str(failure).strip().splitlines()[:2])]:
            print(f"dejaview: {reason}", flush=True)
        sys.exit(1)
    finally:
        context.stop()


if __name__ == "__main__":
    main()
