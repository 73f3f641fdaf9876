//! The peers written in Python: an environment of their own in the folder for temporary files, made at first use.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

const PACKAGES: [&str; 9] = [
    "resiliparse==1.1.0",
    "fastwarc==1.1.0",
    "rensa==0.5.0",
    "faiss-cpu==1.15.1",
    "selectolax==1.0.2",
    "SetSimilaritySearch==1.0.1",
    "isal==1.9.1",
    "zlib-ng==1.1.0",
    "deflate==0.9.0",
];

fn folder() -> PathBuf {
    std::env::temp_dir().join("dejaview-bench-python")
}

/// Makes the environment, unless it is there.
pub fn prepare() -> Result<()> {
    let ready = folder().join("ready");
    if std::fs::read_to_string(&ready).is_ok_and(|packages| packages == PACKAGES.join("\n")) {
        return Ok(());
    }
    let made = Command::new("python3").args(["-m", "venv", "--clear"]).arg(folder()).status()?;
    ensure!(made.success(), "python3 -m venv failed");
    let installed = Command::new(folder().join("bin/pip")).args(["install", "-q"]).args(PACKAGES).status()?;
    ensure!(installed.success(), "pip install failed");
    std::fs::write(ready, PACKAGES.join("\n"))?;
    Ok(())
}

/// Runs a script of `tests/bench/python/` and reads the one JSON object that it prints.
pub fn run(script: &str, args: &[&Path]) -> Result<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("python").join(script);
    let output = Command::new(folder().join("bin/python"))
        .arg(path)
        .args(args)
        .env("OMP_NUM_THREADS", "1")
        .stderr(std::process::Stdio::inherit())
        .output()?;
    ensure!(output.status.success(), "{script} failed");
    serde_json::from_slice(&output.stdout).with_context(|| format!("{script} printed no JSON"))
}

/// A number of the object that a script printed.
pub fn number(value: &Value, name: &str) -> Result<f64> {
    value[name].as_f64().with_context(|| format!("no number {name} in {value}"))
}
