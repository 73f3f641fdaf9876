//! A cluster of Spark on this machine, for tests that take parts of it away.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// What a cluster has not done by then it never will: the test fails and tells what was said.
const GIVEN_UP: Duration = Duration::from_secs(300);

/// Bytes at the end of a log that are told.
const TOLD: usize = 4000;

/// A master and two workers on this machine.
pub struct Cluster {
    pub spark: PathBuf,
    port: u16,
    folder: tempfile::TempDir,
    master: Child,
    workers: Vec<Child>,
}

impl Cluster {
    pub fn start(spark: &Path) -> Self {
        // The system names a port that is free; between this and the master's start nobody else asks for one.
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let master = start_master(spark, port, folder.path());
        let url = format!("spark://127.0.0.1:{port}");
        let worker = |number: usize| {
            let work = folder.path().join(format!("work-{number}"));
            let words = ["--host", "127.0.0.1", "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir"];
            let mut command = class(spark, "org.apache.spark.deploy.worker.Worker", folder.path());
            command.args(words).arg(work).arg(&url).spawn().unwrap()
        };
        let workers = vec![worker(0), worker(1)];
        Self { spark: spark.to_owned(), port, folder, master, workers }
    }

    pub fn url(&self) -> String {
        format!("spark://127.0.0.1:{}", self.port)
    }

    pub fn kill_worker(&mut self) {
        self.workers[0].kill().unwrap();
        self.workers[0].wait().unwrap();
    }

    pub fn kill_workers(&mut self) {
        for worker in &mut self.workers {
            worker.kill().unwrap();
            worker.wait().unwrap();
        }
    }

    /// Waits for something that is going on here, which others tell of in these logs.
    pub fn wait_until(&self, what: &str, logs: &[PathBuf], mut done: impl FnMut() -> bool) {
        let begin = Instant::now();
        while !done() {
            std::thread::sleep(Duration::from_millis(50));
            if begin.elapsed() > GIVEN_UP {
                let executors = walk(self.folder.path()).into_iter().filter(|path| path.ends_with("stderr"));
                let logs = [self.folder.path().join("log")].into_iter().chain(logs.iter().cloned()).chain(executors);
                let said: Vec<String> = logs.map(|path| format!("{}:\n{}", path.display(), end_of(&path))).collect();
                panic!("{what} was waited for in vain\n{}", said.join("\n"));
            }
        }
    }

    pub fn restart_master(&mut self) {
        self.master.kill().unwrap();
        self.master.wait().unwrap();
        let before = self.log().len();
        self.master = start_master(&self.spark, self.port, self.folder.path());
        // The application is told of its new master, and workers keep what runs on them.
        let is_known = || self.log()[before..].contains("Application has been re-registered");
        self.wait_until("that the new master knows the application", &[], is_known);
    }

    fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.folder.path().join("log")).unwrap()).into_owned()
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for process in self.workers.iter_mut().chain([&mut self.master]) {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// All files of a folder.
fn walk(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

/// What a log says last.
fn end_of(path: &Path) -> String {
    let bytes = fs::read(path).unwrap_or_default();
    String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(TOLD)..]).into_owned()
}

/// A part of Spark, by the name of its class; what it says goes into a file.
fn class(spark: &Path, name: &str, folder: &Path) -> Command {
    let mut command = Command::new(home(spark).join("bin/spark-class"));
    let log = fs::File::options().create(true).append(true).open(folder.join("log")).unwrap();
    command.arg(name).stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
    command
}

/// The folder of Spark in a virtual environment.
fn home(spark: &Path) -> PathBuf {
    let libraries = fs::read_dir(spark.join("lib")).unwrap().map(|entry| entry.unwrap().path());
    libraries.map(|python| python.join("site-packages/pyspark")).find(|path| path.is_dir()).expect("pyspark is there")
}

/// A master that keeps its state in the folder: one that starts there later knows the applications of the one before. Without
/// it Spark's workers end what an application runs on them as soon as they meet a master that does not know it.
fn start_master(spark: &Path, port: u16, folder: &Path) -> Child {
    let kept = folder.join("state");
    fs::create_dir_all(&kept).unwrap();
    let directory = format!("recoveryDirectory={}", kept.display());
    let options = ["recoveryMode=FILESYSTEM", "recoveryTimeout=10", &directory];
    let mut command = class(spark, "org.apache.spark.deploy.master.Master", folder);
    command.env("SPARK_MASTER_OPTS", options.map(|option| format!("-Dspark.deploy.{option}")).join(" "));
    let port_text = port.to_string();
    let mut child = command.args(["--host", "127.0.0.1", "--port", &port_text, "--webui-port", "0"]).spawn().unwrap();
    while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
        assert!(child.try_wait().unwrap().is_none(), "{}", fs::read_to_string(folder.join("log")).unwrap());
        std::thread::sleep(Duration::from_millis(100));
    }
    child
}
