//! Runs on a real Spark: on two cores of this process's machine, and on a standalone cluster of a master and two workers.
//! Whatever fails in between, the result is that of one process.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::cluster::Cluster;
use crate::corpora::{self, capped, capped_study, configured, corpora, two_sides};
use crate::recrawl::{crawl, whole};
use crate::skipping::skipped;
use crate::support::{Answer, PROGRAM, Study, assert_same, data, gzip, page, pages, response, spark};

/// Clusters take memory: there is one at a time.
static ONE_CLUSTER: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_CLUSTER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A study of many files, with the standard set of configurations: words are counted first, then pairs are searched.
fn study() -> Study {
    let record = |id: String, seed: u64| response(&id, &format!("http://a.example/{id}"), page(seed, 80));
    let records = |side: &str, seeds: std::ops::Range<u64>| -> Vec<u8> {
        seeds.flat_map(|seed| record(format!("{side}-{seed}"), seed % 17)).collect()
    };
    let mut study = Study::new().file("old.warc", records("old", 0..12)).source("old.warc");
    for file in 0..24u64 {
        study = study.file(&format!("new/{}/{file:02}.warc", file % 2), records("new", file * 6..file * 6 + 8));
    }
    study.file("new/1/empty.warc.gz", "").target("00", "new/0/*").target("01", "new/1/*")
}

/// The same with one configuration: one job of Spark.
fn searched_once() -> Study {
    study().simhash("ngrams = [3, 5]")
}

/// A study of so many pages on both sides: some with twins, and a page of which a quarter of the target are copies.
fn large_study(pages: u64) -> Study {
    let (source, files) = (pages / 10, 24);
    let target = (pages - source) / files;
    let record = |side: &str, n: u64, seed: u64| {
        let id = format!("{side}-{n:07}");
        response(&id, &format!("http://a.example/{id}"), page(seed, 80))
    };
    let old = (0..source).flat_map(|n| record("old", n, n)).collect::<Vec<u8>>();
    let mut study = Study::new().file("old.warc", old).source("old.warc");
    for file in 0..files {
        let seed = |n: u64| if n.is_multiple_of(4) { 0 } else { source / 2 + n };
        let records = (file * target..(file + 1) * target).flat_map(|n| record("new", n, seed(n)));
        study = study.file(&format!("new/{}/{file:02}.warc", file % 2), records.collect::<Vec<u8>>());
    }
    let study = study.target("00", "new/0/*").target("01", "new/1/*");
    study.simhash("ngrams = [3]").simhash("ngrams = [3, 5]").configuration("supershingles", "")
}

/// The command that runs a study on a cluster.
fn command(study: &Study, spark: &Path, master: &str) -> Command {
    let words = ["run", "--json", "--engine", "spark", "--master", master, "--conf", "spark.ui.enabled=false"];
    let more = ["--conf", "spark.executor.memory=512m", "--conf", "spark.driver.memory=512m"];
    let mut command = study.command(words.into_iter().chain(more));
    command.env_remove("SPARK_HOME").env("VIRTUAL_ENV", spark).env("SPARK_LOCAL_IP", "127.0.0.1");
    command
}

/// A program in place of the worker, which does something first; `$0` is its path on the worker.
fn worker(study: &Study, first: &str) -> PathBuf {
    let path = study.path("worker.sh");
    fs::write(&path, format!("#!/bin/sh\n{first}\nexec {PROGRAM} \"$@\"\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A program in place of the worker that dies over a file, alone or among others, until that is given up.
fn dies_over(study: &Study, file: &str) -> PathBuf {
    let passed_on = format!("case \"$*\" in *--join*|*--give-up*) exec {PROGRAM} \"$@\" ;; esac");
    let die = format!("names=$(cat)\ncase \"$names\" in *{file}*) kill -9 $$ ;; esac");
    worker(study, &format!("{passed_on}\n{die}\nprintf '%s' \"$names\" | {PROGRAM} \"$@\"\nexit $?"))
}

/// Runs a study, and does something to the cluster once the first file is searched; all other workers wait for that.
fn disturbed(study: &Study, cluster: &mut Cluster, disturb: impl FnOnce(&mut Cluster)) -> Answer {
    disturbed_with(study, cluster, &[], disturb)
}

/// The same with further settings of Spark.
fn disturbed_with(
    study: &Study,
    cluster: &mut Cluster,
    settings: &[&str],
    disturb: impl FnOnce(&mut Cluster),
) -> Answer {
    let [first, go_on] = ["first", "go-on"].map(|name| study.path(name));
    let wait = format!("mkdir {} 2>/dev/null || until [ -e {} ]; do sleep 0.1; done", first.display(), go_on.display());
    let program = worker(study, &wait);
    let mut command = command(study, &cluster.spark, &cluster.url());
    settings.iter().for_each(|setting| _ = command.args(["--conf", setting]));
    let [out, err] = ["run.out", "run.err"].map(|name| study.path(name));
    let output = |path: &Path| fs::File::create(path).unwrap();
    let command = command.env("DEJAVIEW_WORKER", program).stdout(output(&out)).stderr(output(&err));
    let mut run = Ended(command.spawn().unwrap());
    let logs = [err.clone(), study.path(".dejaview/spark.log")];
    let found = study.path(".dejaview/found");
    let searched = || fs::read_dir(&found).is_ok_and(|mut parts| parts.next().is_some());
    cluster.wait_until("the first file that is searched", &logs, || searched() || run.has_ended());
    disturb(cluster);
    fs::write(go_on, "").unwrap();
    cluster.wait_until("the end of the run", &logs, || run.has_ended());
    let code = run.0.wait().unwrap().code();
    Answer { code, stdout: fs::read(out).unwrap(), stderr: fs::read_to_string(err).unwrap() }
}

/// A run that ends with the test.
struct Ended(Child);

impl Ended {
    fn has_ended(&mut self) -> bool {
        self.0.try_wait().unwrap().is_some()
    }
}

impl Drop for Ended {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a run says that failed, behind the lines on its progress.
fn failure(answer: &Answer) -> &str {
    assert_eq!(answer.code, Some(1), "{}", answer.stderr);
    answer.stderr.lines().find(|line| line.starts_with("dejaview: ")).expect("it says why")
}

#[test]
fn two_local_cores_find_what_one_process_finds() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let (expected, found) = (study(), study());
    let summary = expected.run();
    let answer = Answer::of(&mut command(&found, &spark, "local[2]"));
    assert_eq!((&answer.json()["pairs"], &answer.json()["skipped"]), (&summary["pairs"], &summary["skipped"]));
    assert_same(&expected.results(), &found.results());
    for left in ["found", "workers.kit", "spark.py", "spark.json", "spark.log"] {
        assert!(!found.path(".dejaview").join(left).exists(), "{left} is left behind");
    }
}

/// Words of the target are counted by workers as well, for methods that are fitted to both sides.
#[test]
fn two_local_cores_count_what_one_process_counts() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let told = || study().simhash("ngrams = [3]").configuration("imatch", "").configuration("lex-rand", "");
    let (expected, found) = (told(), told());
    expected.run();
    let answer = Answer::of(&mut command(&found, &spark, "local[2]"));
    answer.json();
    assert!(!answer.stderr.contains("statistics"), "the target is counted by workers alone: {}", answer.stderr);
    let statistics = |study: &Study| {
        let bytes = fs::read(study.path(".dejaview/statistics")).unwrap();
        let start = bytes.windows(8).position(|word| word == b"dejastat").unwrap();
        bytes[start..].to_vec()
    };
    assert!(statistics(&expected) == statistics(&found), "other statistics");
    assert_same(&expected.results(), &found.results());
}

#[test]
fn two_corpora_are_joined_by_spark_as_on_one_machine() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let told = || corpora(configured(two_sides()), "");
    let (expected, found) = (told(), told());
    let summary = expected.run();
    let joined = Answer::of(&mut command(&found, &spark, "local[2]")).json();
    for part in ["documents", "pairs", "skipped"] {
        assert_eq!(joined[part], summary[part], "{part}");
    }
    assert_same(&expected.results(), &found.results());
    for left in ["found", "joined", "workers.kit"] {
        assert!(!found.path(".dejaview").join(left).exists(), "{left} is left behind");
    }
    // A collection with itself: a file stands on both sides.
    let itself = |lines: &str| {
        let records: Vec<u8> =
            (0..90u64).flat_map(|n| response(&format!("page-{n}"), "http://a.example/", page(n % 60, 80))).collect();
        let study = Study::new().file("all.warc", records).source("all.warc").target("00", "all.warc");
        configured(study).rest(&format!("\n[join]\n{lines}\n"))
    };
    let (expected, found) = (itself("self = true"), itself("self = true\nmode = \"corpora\""));
    expected.run();
    Answer::of(&mut command(&found, &spark, "local[2]")).json();
    let pairs = |study: &Study| study.dejaview(["pairs"]).ok().to_owned();
    assert_eq!(pairs(&expected), pairs(&found));
}

/// Files that a study names by addresses are listed and read through Hadoop's file system.
#[test]
fn addresses_are_read_through_spark() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let files = || {
        let records = |side: &str, seeds: std::ops::Range<u64>| -> Vec<u8> {
            let record = |n: u64| response(&format!("{side}-{n}"), "http://a.example/", page(n % 17, 80));
            seeds.flat_map(record).collect()
        };
        // The file with a blank in its name repeats ids of the one before.
        let study =
            Study::new().file("old.warc", records("old", 0..12)).file("new/a.warc.gz", gzip(&records("new", 0..9)));
        let study = study.file("new/b c.warc", records("new", 6..20)).file("new/empty.warc", "");
        study.file("more/d.warc", records("more", 0..15)).source("old.warc").simhash("ngrams = [3]")
    };
    let expected = files().target("00", "new/*").target("01", "more");
    let summary = expected.run();
    let told = files();
    let address = |glob: &str| format!("file://{}/{glob}", told.folder().display());
    let (new, more) = (address("new/*"), address("more"));
    let found = told.target("00", &new).target("01", &more);
    let alone = found.dejaview(["run"]);
    assert!(alone.failed().contains("only Spark can list it"), "{}", alone.stderr);
    let answer = Answer::of(&mut command(&found, &spark, "local[2]")).json();
    for part in ["documents", "pairs", "skipped"] {
        assert_eq!(answer[part], summary[part], "{part}");
    }
    let pairs = |study: &Study| study.dejaview(["pairs"]).ok().to_owned();
    assert_eq!(pairs(&expected), pairs(&found));
    let files = |study: &Study| {
        let mut results = study.results();
        results.retain(|name, _| name.ends_with(".pairs"));
        results
    };
    assert_same(&files(&expected), &files(&found));
    let table = fs::read_to_string(found.path(".dejaview/skipped.tsv")).unwrap();
    assert!(table.contains("new/b c.warc\t"), "{table}");
    assert!(!found.path(".dejaview/hadoop").exists(), "settings are left behind");
}

#[test]
fn keys_are_capped_by_spark_as_in_memory() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let lines = "most-sketches = 2";
    let (expected, found) = (capped_study(lines), capped_study(&format!("{lines}\nmode = \"corpora\"")));
    let summary = expected.run();
    let joined = Answer::of(&mut command(&found, &spark, "local[2]")).json();
    assert!(summary["capped"].as_u64() > Some(0), "{summary}");
    assert_eq!((&summary["capped"], &summary["pairs"]), (&joined["capped"], &joined["pairs"]));
    assert_eq!(capped(&expected), capped(&found));
    let pairs = |study: &Study| study.dejaview(["pairs"]).ok().to_owned();
    assert_eq!(pairs(&expected), pairs(&found));
}

#[test]
fn the_recrawl_on_two_local_cores_is_the_same() {
    let (Some(spark), Some(data)) = (spark(), data()) else { return };
    let _alone = alone();
    let [expected, found] = [(); 2].map(|()| crawl(Study::new(), &data));
    expected.run();
    Answer::of(&mut command(&found, &spark, "local[2]")).json();
    assert_same(&expected.results(), &found.results());
    // All pages of both sides, joined by their sketches.
    let (expected, found) = (whole(Study::new(), &data), corpora(whole(Study::new(), &data), ""));
    expected.run();
    Answer::of(&mut command(&found, &spark, "local[2]")).json();
    assert_same(&corpora::results(&expected), &corpora::results(&found));
}

#[test]
fn a_cluster_that_loses_a_worker_and_restarts_its_master_finds_the_same() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let expected = searched_once();
    expected.run();
    let mut cluster = Cluster::start(&spark);
    let found = searched_once();
    disturbed(&found, &mut cluster, Cluster::restart_master).json();
    assert_same(&expected.results(), &found.results());
    let found = searched_once();
    disturbed(&found, &mut cluster, Cluster::kill_worker).json();
    assert_same(&expected.results(), &found.results());
}

/// Two corpora of twelve files each, some ids of which repeat, but for this file of the source.
fn many_files_on_both_sides(without: Option<u64>) -> Study {
    let record = |side: &str, n: u64| response(&format!("{side}-{n}"), "http://a.example/", page(n % 130, 80));
    let records =
        |side: &str, file: u64| (file * 12..file * 12 + 20).flat_map(|n| record(side, n)).collect::<Vec<u8>>();
    let add = |study: Study, file: u64| {
        let study = study.file(&format!("new/{file}.warc"), records("new", file));
        if without == Some(file) { study } else { study.file(&format!("old/{file}.warc"), records("old", file)) }
    };
    corpora(configured((0..12).fold(Study::new(), add).source("old").target("00", "new")), "")
}

/// A file of the source over which workers die: in the stage in which they sketch it, and it is not tried again.
#[test]
fn a_file_of_the_source_that_workers_do_not_survive_is_listed_once() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let (expected, found) = (many_files_on_both_sides(Some(3)), many_files_on_both_sides(None));
    let pairs = expected.run()["pairs"].clone();
    let summary =
        Answer::of(command(&found, &spark, "local[2]").env("DEJAVIEW_WORKER", dies_over(&found, "old/3.warc")));
    let summary = summary.json();
    assert_eq!((&summary["pairs"], &summary["skipped"]["file given up"]), (&pairs, &1.into()), "{summary}");
    let listed = |study: &Study| study.dejaview(["pairs"]).ok().to_owned();
    assert_eq!(listed(&expected), listed(&found));
}

/// Sketches are made by two workers, one of which is killed; the other makes the rest and joins them.
#[test]
fn a_join_of_corpora_that_loses_a_worker_finds_the_same() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let told = || many_files_on_both_sides(None);
    let (expected, found) = (told(), told());
    let summary = expected.run();
    let mut cluster = Cluster::start(&spark);
    let joined = disturbed(&found, &mut cluster, Cluster::kill_worker).json();
    assert_eq!((&joined["pairs"], &joined["documents"]), (&summary["pairs"], &summary["documents"]));
    assert_same(&expected.results(), &found.results());
}

/// What workers have read of the source is taken again when the run goes on, and what is gone is read again.
#[test]
fn a_join_of_corpora_that_failed_in_its_last_stage_goes_on() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let (expected, found) = (many_files_on_both_sides(None), many_files_on_both_sides(None));
    expected.run();
    // Whoever searches comes after the last file of the source was read.
    let parts = found.path(".dejaview/found");
    let fail = format!("[ $(ls -d {}/sources-* | grep -vc part) = 12 ] && exit 1", parts.display());
    let run = |program: PathBuf| Answer::of(command(&found, &spark, "local[2]").env("DEJAVIEW_WORKER", program));
    assert!(failure(&run(worker(&found, &fail))).contains("files are left"));
    let is_of_source =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("sources-"));
    let mut folders = fs::read_dir(&parts).unwrap().map(|entry| entry.unwrap().path());
    fs::remove_dir_all(folders.find(is_of_source).unwrap()).unwrap();
    let seen = found.path("seen");
    let join = format!("case \"$*\" in *--join*) exec {PROGRAM} \"$@\" ;; esac");
    let note = format!("{join}\nnames=$(cat)\necho \"$names\" >> {}", seen.display());
    let note = format!("{note}\nprintf '%s' \"$names\" | {PROGRAM} \"$@\"\nexit $?");
    run(worker(&found, &note)).json();
    let read_again = fs::read_to_string(&seen).unwrap().matches("old/").count();
    assert_eq!(read_again, 1, "what is gone is read again, and no more");
    assert_same(&expected.results(), &found.results());
}

/// Whoever ends the run alone, and gives it no time to end its job, does not leave that behind.
#[test]
fn a_job_ends_with_the_run_that_started_it() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let (expected, found) = (searched_once(), searched_once());
    expected.run();
    let [began, go_on] = ["began", "go-on"].map(|name| found.path(name));
    let wait = format!("touch {}; until [ -e {} ]; do sleep 0.1; done; exit 1", began.display(), go_on.display());
    let mut run = command(&found, &spark, "local[2]");
    let run = run.env("DEJAVIEW_WORKER", worker(&found, &wait)).stdout(Stdio::null()).stderr(Stdio::null());
    let mut run = run.spawn().unwrap();
    while !began.exists() {
        assert!(run.try_wait().unwrap().is_none(), "the run has ended before its workers began");
        std::thread::sleep(Duration::from_millis(50));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    let list = found.path(".dejaview/spark.json").display().to_string();
    while is_running(&list) {
        std::thread::sleep(Duration::from_millis(100));
    }
    fs::write(go_on, "").unwrap();
    found.run();
    assert_same(&expected.results(), &found.results());
}

/// Whether a process has this among its arguments.
fn is_running(argument: &str) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let mut lines = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.any(|line| line.split(|byte| *byte == 0).any(|word| word == argument.as_bytes()))
}

/// A cluster without workers would be waited for as long as it takes.
#[test]
fn a_cluster_that_loses_all_workers_is_not_waited_for_and_what_it_searched_is_kept() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let expected = searched_once();
    expected.run();
    let found = searched_once();
    let mut cluster = Cluster::start(&spark);
    let answer = disturbed_with(&found, &mut cluster, &["spark.dejaview.patience=3"], Cluster::kill_workers);
    assert!(failure(&answer).contains("lost all executors") && answer.stderr.contains("is kept"), "{}", answer.stderr);
    assert!(fs::read_dir(found.path(".dejaview/found")).unwrap().count() > 0, "what was searched is kept");
    found.run();
    assert_same(&expected.results(), &found.results());
}

#[test]
fn a_task_that_fails_twice_is_tried_again_and_one_that_always_fails_is_named() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let expected = searched_once();
    expected.run();
    let cluster = Cluster::start(&spark);
    let found = searched_once();
    let count = found.path("count");
    let (lock, count) = (format!("{}.lock", count.display()), count.display().to_string());
    // The first two workers fail.
    let fail = format!("mkdir {lock}1 2>/dev/null && exit 1\nmkdir {lock}2 2>/dev/null && exit 1\ntouch {count}");
    let program = worker(&found, &fail);
    let mut run = command(&found, &spark, &cluster.url());
    Answer::of(run.env("DEJAVIEW_WORKER", program)).json();
    assert!(Path::new(&format!("{lock}2")).exists(), "two workers failed");
    assert_same(&expected.results(), &found.results());
    // A file that is not there when it is searched is named with the task, and is all that is left to do.
    let found = searched_once();
    let (file, aside) = (found.path("new/0/04.warc"), found.path("aside"));
    let program = worker(&found, &format!("mv {} {} 2>/dev/null", file.display(), aside.display()));
    let mut run = command(&found, &spark, &cluster.url());
    let answer = Answer::of(run.env("DEJAVIEW_WORKER", program));
    let said = failure(&answer);
    assert!(
        said.contains("new/0/04.warc") && said.contains("cannot be opened") && said.contains("attempt 4"),
        "{said}"
    );
    fs::rename(aside, &file).unwrap();
    assert!(fs::read_dir(found.path(".dejaview/found")).unwrap().count() > 0, "others are searched");
    found.run();
    assert_same(&expected.results(), &found.results());
}

#[test]
fn a_file_that_workers_do_not_survive_is_listed() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let found = searched_once();
    let program = dies_over(&found, "04.warc");
    let mut run = command(&found, &spark, "local[2]");
    let summary = Answer::of(run.env("DEJAVIEW_WORKER", program)).json();
    assert_eq!(summary["skipped"]["file given up"], 1, "{summary}");
    let table = fs::read_to_string(found.path(".dejaview/skipped.tsv")).unwrap();
    assert!(table.contains("new/0/04.warc\t0\tfile given up\tthe worker was ended 3 times by signal 9\n"), "{table}");
}

/// One study told five times. `DEJAVIEW_PAGES` says of how many pages; the times of each are printed. By hand: other tests here
/// compare the same on smaller studies.
#[test]
fn one_process_spark_and_the_join_on_disk_find_the_same_pairs() {
    if std::env::var_os("DEJAVIEW_PAGES").is_none() {
        return skipped("DEJAVIEW_PAGES does not say how many");
    }
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let told = || large_study(pages());
    let of_corpora = || told().rest("\n[join]\nmode = \"corpora\"\nmemory = 64\n");
    let (one, on_spark, on_disk, in_sql) = (told(), told(), of_corpora(), of_corpora());
    let expected = one.run_with_threads(2);
    let searched = Answer::of(command(&on_spark, &spark, "local[2]").args(["--threads", "2"])).json();
    let joined = on_disk.run_with_threads(2);
    let mut by_sql = command(&in_sql, &spark, "local[2]");
    let by_sql = Answer::of(by_sql.args(["--threads", "2", "--conf", "spark.driver.memory=1g"])).json();
    assert_same(&one.results(), &on_spark.results());
    let disturbed_study = told();
    let mut cluster = Cluster::start(&spark);
    let with_a_kill = disturbed(&disturbed_study, &mut cluster, Cluster::kill_worker).json();
    assert_same(&one.results(), &disturbed_study.results());
    let pairs = |study: &Study| study.dejaview(["pairs"]).ok().to_owned();
    let found = pairs(&one);
    assert!(found == pairs(&on_disk) && found == pairs(&in_sql), "other pairs");
    assert_eq!((&joined["documents"], &by_sql["documents"]), (&expected["documents"], &expected["documents"]));
    let all = [("one process", &expected), ("Spark, local[2]", &searched), ("join on disk", &joined)];
    let more = [("join in Spark SQL, local[2]", &by_sql), ("Spark, a worker killed", &with_a_kill)];
    for (name, summary) in all.into_iter().chain(more) {
        let [seconds, peak] = ["seconds", "peak_memory"].map(|key| summary[key].as_f64().unwrap_or_default());
        println!("{} pages, {name}: {seconds:.1} s, {:.0} MB", pages(), peak / 1e6);
    }
    println!("pairs: {}", expected["pairs"]);
}

#[test]
fn a_master_that_does_not_answer_is_named() {
    let Some(spark) = spark() else { return };
    let _alone = alone();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let answer = Answer::of(&mut command(&study(), &spark, &format!("spark://127.0.0.1:{port}")));
    let said = failure(&answer);
    assert!(said.contains("the master spark://127.0.0.1") && said.contains("does not answer"), "{said}");
}

/// Needs no Spark: what is said where something is missing.
#[test]
fn what_is_missing_is_named() {
    let study = study();
    let empty = tempfile::tempdir().unwrap();
    let run = |path: &Path, master: &str| {
        let mut command = study.command(["run", "--engine", "spark", "--master", master]);
        command.env_remove("SPARK_HOME").env_remove("VIRTUAL_ENV").env_remove("JAVA_HOME").env("PATH", path);
        failure(&Answer::of(&mut command)).to_owned()
    };
    let said = run(empty.path(), "local[2]");
    assert!(said.contains("there is no spark-submit on PATH") && said.contains("pip install pyspark"), "{said}");
    fs::write(empty.path().join("spark-submit"), "").unwrap();
    let said = run(empty.path(), "local[2]");
    assert!(said.contains("needs Java 17 or newer") && said.contains("openjdk-17-jre-headless"), "{said}");
    let wrong = study.dejaview(["run", "--master", "local[2]"]);
    assert!(wrong.misused().contains("add --engine spark"), "{}", wrong.stderr);
    study.run();
}
