//! Headless Chromium, for tests of what people see in a browser.

use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

use crate::skipping::skipped;

/// The browser with a profile of its own.
pub struct Chromium(TempDir);

impl Chromium {
    /// `chromium` (Debian's package) on the path. The test is skipped without it.
    pub fn find() -> Option<Self> {
        let there = Command::new("chromium").arg("--version").output().is_ok();
        if !there {
            skipped("chromium is not installed");
        }
        there.then(|| Self(tempfile::tempdir().expect("a folder can be made")))
    }

    /// A folder for pages and pictures.
    pub fn folder(&self) -> &Path {
        self.0.path()
    }

    /// Opens a page; what the browser says about the page itself comes on standard error.
    pub fn open(&self, args: &[&str], page: &str) -> Output {
        let mut command = Command::new("chromium");
        command.args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
        ]);
        command.arg(format!("--user-data-dir={}", self.folder().join("profile").display()));
        command.args(args).arg(page).output().expect("Chromium starts")
    }
}
