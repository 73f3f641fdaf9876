//! Searches the target on a Spark cluster: a job that starts workers, the progress of these, and what it says when it fails.
//!
//! The job is a Python script that `spark-submit` runs. It ships the program and the kit to the machines of the cluster and
//! hands each task a share of the files. Workers leave what they find in a folder that all machines see. Without Spark
//! nothing here is needed, and neither is Python.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::StudyError;
use crate::recipe::addresses::{address_patterns, list_path};
use crate::recipe::files::Segment;
use crate::run::part::Parts;
use crate::run::watch::{Stage, Watch};
use crate::run::workspace::{write_json, write_whole};
use crate::session::Session;
use dejaview_base::own_folder;
use dejaview_corpus::Input;
use dejaview_corpus::addresses::{AddressReader, read_addresses_by};
use dejaview_matching::MatchingError;

/// The job, in Python.
const JOB: &str = include_str!("../../../assets/spark/job.py");
/// Time between two looks at what the workers have left.
const INTERVAL: Duration = Duration::from_millis(500);
/// Lines of a failed job that an error repeats.
const SHOWN: usize = 5;

/// A cluster, as `spark-submit` knows it.
#[derive(Debug, Clone, Default)]
pub struct Spark {
    /// `--master`; the cluster's own settings decide where there is none.
    pub master: Option<String>,
    /// `--conf`, each `key=value`.
    pub settings: Vec<String>,
    /// The program that workers run; this one where there is none.
    pub program: Option<PathBuf>,
}

/// What the workers shall do.
pub(crate) struct SparkJob<'a> {
    pub(crate) kit: &'a Path,
    pub(crate) parts: &'a Parts,
    /// What parts must rest on.
    pub(crate) rests_on: &'a str,
    pub(crate) segments: &'a [Segment],
    /// Where the sketches that workers leave are joined: a folder for what that tells, and the number of different sketches
    /// of the source that may share a key.
    pub(crate) join: Option<(&'a Path, u64)>,
}

impl SparkJob<'_> {
    /// The files of which there is no part yet, with their segments. Parts that rest on something else are removed.
    fn left(&self) -> Result<Vec<(&str, &Input)>, StudyError> {
        let mut left = Vec::new();
        for segment in self.segments {
            for input in &segment.inputs {
                if self.parts.open(&segment.name, input, self.rests_on)?.is_none() {
                    self.parts.remove(&segment.name, input)?;
                    left.push((&*segment.name, input));
                }
            }
        }
        Ok(left)
    }

    /// How a worker is told of a file. Where sides are joined one may stand on both.
    fn name(&self, segment: &str, input: &Input) -> String {
        if self.join.is_some() { format!("{segment}\t{}", input.name) } else { input.name.clone() }
    }

    /// What the job is told of a join: the sketches of all files.
    fn join_facts(&self) -> Result<Value, StudyError> {
        let Some((out, most)) = self.join else { return Ok(Value::Null) };
        let files = self.segments.iter().flat_map(|segment| segment.inputs.iter().map(|input| (&segment.name, input)));
        let sketches = files.map(|(segment, input)| absolute(&self.parts.rows(segment, input)));
        let sketches = sketches.collect::<Result<Vec<PathBuf>, _>>()?;
        Ok(json!({ "sketches": sketches, "most": most, "out": absolute(out)? }))
    }

    /// A file of the job, beside the kit.
    fn file(&self, name: &str) -> PathBuf {
        self.kit.with_file_name(name)
    }
}

impl Spark {
    /// Fails where Spark cannot be started, before anything is read for it.
    pub(crate) fn must_be_there() -> Result<(), StudyError> {
        find_submit().ok_or_else(no_submit)?;
        check_java()
    }

    /// Has all files searched that have no part yet.
    pub(crate) fn search(&self, job: &SparkJob<'_>, watch: &dyn Watch) -> Result<(), StudyError> {
        let mut left = job.left()?;
        let bytes = left.iter().map(|(_, input)| input.size).sum();
        if !left.is_empty() {
            watch.stage(Stage::Workers { stage: job.parts.stage(), files: left.len(), bytes });
        } else if job.join.is_none() {
            return Ok(());
        }
        let mut child = self.submit(job, &left)?;
        let mut to_join = job.join.is_some();
        loop {
            let ended = child.try_wait().map_err(|why| failed("waiting for Spark", &why))?;
            let names = job.parts.names();
            left.retain(|(segment, input)| {
                let is_left = !job.parts.is_named(&names, segment, input);
                watch.progress().add_bytes(if is_left { 0 } else { input.size });
                is_left
            });
            if left.is_empty() && std::mem::take(&mut to_join) {
                watch.stage(Stage::Joining);
            }
            match ended {
                Some(status) if status.success() && left.is_empty() => return Ok(()),
                Some(_) => return Err(failure(job, left.len())),
                None if watch.progress().cancelled() => {
                    stop(&mut child);
                    return Err(MatchingError::Cancelled.into());
                }
                None => std::thread::sleep(INTERVAL),
            }
        }
    }

    fn submit(&self, job: &SparkJob<'_>, left: &[(&str, &Input)]) -> Result<Child, StudyError> {
        let program = match &self.program {
            Some(program) => program.clone(),
            None => env::current_exe().map_err(|why| failed("finding the program that workers run", &why))?,
        };
        let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let files: Vec<_> = left.iter().map(|(segment, input)| json!([job.name(segment, input), input.size])).collect();
        let facts = json!({
            "kit": name(job.kit),
            "program": name(&program),
            "parts": absolute(job.parts.folder())?,
            "master": self.master,
            "files": files,
            "join": job.join_facts()?,
            "run": std::process::id(),
        });
        let shipped = [absolute(job.kit)?, absolute(&program)?];
        self.start(&facts, &shipped, &|name| job.file(name))
    }

    /// Has the files listed that the study names by addresses, and says how this process reads them.
    pub(crate) fn list_addresses(&self, session: &Session, watch: &dyn Watch) -> Result<(), StudyError> {
        let patterns = address_patterns(session.recipe());
        if patterns.is_empty() {
            return Ok(());
        }
        let (hadoop, kit) = (session.workspace().hadoop(), session.workspace().kit());
        let made = own_folder::make(&hadoop);
        made.map_err(|why| StudyError::File { doing: "making the folder", path: hadoop.clone(), why })?;
        let globs: Vec<&str> = patterns.iter().map(|pattern| &*pattern.glob).collect();
        let facts = json!({
            "master": self.master,
            "list": globs,
            "out": absolute(&list_path(session.folder()))?,
            "hadoop": absolute(&hadoop)?,
            "run": std::process::id(),
        });
        let file = |name: &str| kit.with_file_name(name);
        let mut child = self.start(&facts, &[], &file)?;
        let ended = loop {
            match child.try_wait().map_err(|why| failed("waiting for Spark", &why))? {
                Some(status) => break status,
                None if watch.progress().cancelled() => {
                    stop(&mut child);
                    return Err(MatchingError::Cancelled.into());
                }
                None => std::thread::sleep(INTERVAL),
            }
        };
        if !ended.success() {
            let log = file("spark.log");
            let why = format!("{}. {} has everything that Spark said", reasons(&log), log.display());
            return Err(failed("listing addresses with Spark", &why));
        }
        let submit = find_submit().unwrap_or_default();
        let setting = |name: &str, value: PathBuf| {
            let mut setting = OsString::from(name);
            setting.push("=");
            setting.push(value);
            setting
        };
        let mut words: Vec<OsString> = vec!["env".into(), setting("HADOOP_CONF_DIR", absolute(&hadoop)?)];
        words.extend(python_beside(&submit).map(|python| setting("PYSPARK_DRIVER_PYTHON", python)));
        words.extend([
            submit.with_file_name("spark-class").into(),
            "org.apache.hadoop.fs.FsShell".into(),
            "-cat".into(),
        ]);
        read_addresses_by(AddressReader::Command(words));
        Ok(())
    }

    /// Starts the job with these facts; files of its own get the names that `file` makes.
    fn start(&self, facts: &Value, shipped: &[PathBuf], file: &dyn Fn(&str) -> PathBuf) -> Result<Child, StudyError> {
        let submit = find_submit().ok_or_else(no_submit)?;
        let (script, list, log) = (file("spark.py"), file("spark.json"), file("spark.log"));
        write_whole(&script, JOB.as_bytes())?;
        write_json(&list, facts)?;
        let open = || File::create(&log).and_then(|log| Ok((log.try_clone()?, log)));
        let (out, err) = open().map_err(|why| StudyError::File { doing: "writing", path: log.clone(), why })?;
        let mut command = Command::new(&submit);
        command.args(self.master.iter().flat_map(|master| ["--master", master]));
        command.args(["--name", "dejaview"]);
        command.args(self.settings.iter().flat_map(|setting| ["--conf", setting]));
        if !shipped.is_empty() {
            let names: Vec<OsString> = shipped.iter().map(|path| path.clone().into_os_string()).collect();
            command.arg("--files").arg(names.join(OsStr::new(",")));
        }
        command.arg(absolute(&script)?).arg(absolute(&list)?);
        set_python(&mut command, &submit);
        command.stdin(Stdio::null()).stdout(out).stderr(err);
        command.spawn().map_err(|why| failed("starting Spark", &format!("{}: {why}", submit.display())))
    }
}

/// Why a job failed, as far as its log tells.
fn failure(job: &SparkJob<'_>, left: usize) -> StudyError {
    let path = job.file("spark.log");
    let what = reasons(&path);
    let files = if left == 1 { "1 file is".to_owned() } else { format!("{left} files are") };
    let path = path.display();
    failed(
        "searching with Spark",
        &format!(
            "{what}. {files} left; what was searched is kept, and the same command goes on. {path} has everything that \
             Spark said"
        ),
    )
}

/// What the log of a job says last.
fn reasons(log: &Path) -> String {
    let log = fs::read_to_string(log).unwrap_or_default();
    let own: Vec<&str> = log.lines().filter_map(|line| line.strip_prefix("dejaview: ")).collect();
    let theirs = log.lines().filter(|line| line.contains("Exception") || line.contains("ERROR"));
    let reasons: Vec<&str> = if own.is_empty() { theirs.collect() } else { own };
    let last = &reasons[reasons.len().saturating_sub(SHOWN)..];
    if last.is_empty() { "it does not say why".to_owned() } else { last.join("; ") }
}

fn failed(doing: &'static str, why: &dyn std::fmt::Display) -> StudyError {
    StudyError::Spark { doing, why: why.to_string() }
}

fn absolute(path: &Path) -> Result<PathBuf, StudyError> {
    std::path::absolute(path).map_err(|why| StudyError::File { doing: "naming", path: path.to_owned(), why })
}

/// Ends a job, gently first: Spark then tells the cluster.
fn stop(child: &mut Child) {
    let asked = Command::new("kill").arg(child.id().to_string()).stderr(Stdio::null()).status();
    for _ in 0..50 {
        if asked.is_err() || !matches!(child.try_wait(), Ok(None)) {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// `spark-submit` of `SPARK_HOME`, of the path, or of a virtual environment.
fn find_submit() -> Option<PathBuf> {
    let below = |variable: &str| env::var_os(variable).map(|home| PathBuf::from(home).join("bin"));
    let path: OsString = env::var_os("PATH").unwrap_or_default();
    let folders = below("SPARK_HOME").into_iter().chain(env::split_paths(&path)).chain(below("VIRTUAL_ENV"));
    folders.map(|folder| folder.join("spark-submit")).find(|file| file.is_file())
}

fn no_submit() -> StudyError {
    failed(
        "starting Spark",
        &"there is no spark-submit on PATH, in the bin folder of SPARK_HOME or of VIRTUAL_ENV; install Apache Spark, or \
          `pip install pyspark` in a virtual environment, and try again",
    )
}

/// A `spark-submit` that lies beside a Python uses that one, unless the user names another.
fn set_python(command: &mut Command, submit: &Path) {
    let Some(python) = python_beside(submit) else { return };
    for variable in ["PYSPARK_PYTHON", "PYSPARK_DRIVER_PYTHON"] {
        if env::var_os(variable).is_none() {
            command.env(variable, &python);
        }
    }
}

/// The Python of the virtual environment that Spark lies in, if it does.
fn python_beside(submit: &Path) -> Option<PathBuf> {
    Some(submit.with_file_name("python3")).filter(|python| python.is_file())
}

fn check_java() -> Result<(), StudyError> {
    let home = env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin/java"));
    let java = home.unwrap_or_else(|| PathBuf::from("java"));
    let started = Command::new(&java).arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    match started {
        Ok(status) if status.success() => Ok(()),
        _ => Err(failed(
            "starting Spark",
            &format!(
                "it needs Java 17 or newer, and `{}` does not start; install one (openjdk-17-jre-headless on Debian and \
                 Ubuntu), or name its folder in JAVA_HOME",
                java.display()
            ),
        )),
    }
}
